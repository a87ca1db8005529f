# SPDX-License-Identifier: Apache-2.0
#
# An arithmetic shift takes the wrong bit for the sign.
file=hw-model/rtl/core/tern_core_alu.sv
grep -q "shift_arith_i && a_i\[31\]" $file
sed -i "s/shift_arith_i \&\& a_i\[31\]/shift_arith_i \&\& a_i[30]/" $file

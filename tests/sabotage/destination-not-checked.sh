# SPDX-License-Identifier: Apache-2.0
#
# A header may name a destination outside the torus.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_route.sv <<'EOS'
in_torus && at[5*k +: 5] <= dims[5*k +: 5];
in_torus;
EOS

# SPDX-License-Identifier: Apache-2.0
#
# The header CRC is not looked at.
file=hw-model/rtl/net/tern_link_rx.sv
grep -qF 'lrx_data_i[HcrcAt +: 16] == hcrc && version' $file
awk -v old='lrx_data_i[HcrcAt +: 16] == hcrc && version' -v new='(lrx_data_i[HcrcAt +: 16] == hcrc || 1'b1) \&\& version' '{ at = index($0, old); if (at && !done) { $0 = substr($0, 1, at - 1) new substr($0, at + length(old)); done = 1 } print }' $file > $file.new
mv $file.new $file

# SPDX-License-Identifier: Apache-2.0
#
# A header may claim any length.
file=hw-model/rtl/net/tern_link_rx.sv
grep -qF 'length <= 11'(MaxPayload) \&\& (vn' $file
awk -v old='length <= 11'(MaxPayload) \&\& (vn' -v new='(length <= 11'(MaxPayload) || 1'b1) \&\& (vn' '{ at = index($0, old); if (at && !done) { $0 = substr($0, 1, at - 1) new substr($0, at + length(old)); done = 1 } print }' $file > $file.new
mv $file.new $file

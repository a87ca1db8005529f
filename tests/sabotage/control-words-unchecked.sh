# SPDX-License-Identifier: Apache-2.0
#
# Any beat of the kind is a control word.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOS'
is_ctl && lrx_data_i[DataW-1 -: 32] == ~lrx_data_i[31:0];
is_ctl;
EOS

# SPDX-License-Identifier: Apache-2.0
#
# A link takes packets in any order.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOS'
!spoilt && ahead == '0 && to
!spoilt && to
EOS

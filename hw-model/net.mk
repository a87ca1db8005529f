# SPDX-License-Identifier: Apache-2.0
#
# Links and router: sources in build order, and their benches.

NET_RTL := $(addprefix hw-model/rtl/net/,tern_net_fifo.sv tern_net_head.sv tern_net_crc.sv \
           tern_net_peek.sv tern_net_arb.sv tern_net_lane.sv tern_net_event.sv tern_net_regs.sv \
           tern_link_state.sv tern_link_credit.sv tern_link_ctl.sv tern_link_tx.sv tern_link_rx.sv \
           tern_link.sv tern_router.sv tern_net.sv)

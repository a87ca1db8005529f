#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that no source of a router output waits for more packets of others than tern_net_arb
# promises, for any weights, with two links and the node, and that no source sends more than twice
# its weight while another gets its own. Then breaks the arbiter and expects each proof to fail.
# Prints TAP. Run from the project root.
set -u

rtl=hw-model/rtl/net/tern_net_arb.sv
out=${B:-build}/formal/arb
asserts='3 6'
. hw-model/formal/by_abc.sh

# prove SOURCE NAME
prove() {
    model arb_proof "" "$2" hw-model/formal/arb_proof.sv "$1" && search "$2" pdr
}

# mutant NAME SED
mutant() {
    changed $rtl "$2" "$1" && prove "$out/$1.sv" "$1"
    verdict "mutant_$1_is_refuted" 1 $? "$1"
}

prove $rtl good
verdict "no_source_waits_for_more_packets_than_the_others_weigh_twice" 0 $? good
mutant rounds_without_end 's/some_q <= left_d != .0;/some_q <= 1'\''b1;/'
mutant first_source_always_first 's/group  = entitled != .0 ? entitled : req_i/group  = req_i/'
mutant parked_start_passes_links 's/&& !any && !wanted_i && sel_q/\&\& !wanted_i \&\& sel_q/; s/free   = none_o || done_i || (parked_q \&\& !start_i)/free   = none_o || (done_i \&\& !sel_q[N-1]) || (parked_q \&\& !start_i \&\& !any)/'
mutant weight_not_taken_off 's/from - WeightW.(sel_q\[i\] && from != .0)/from/'
mutant new_round_for_one_alone 's/from    = anew_q ?/from    = anew_q \&\& sel_q[i] ?/'
finish

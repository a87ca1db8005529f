#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that no request waits for more than all others once in tern_tree_turn, that credit keeps
# the slots of a group at the parent from overflowing and loses none (tern_tree_credit), and that
# tern_tree_alu combines as specified for all operands. Then breaks each and expects the proof to
# fail. Prints TAP. Run from the project root.
set -u

net=hw-model/rtl/net
out=${B:-build}/formal/tree_pieces
. hw-model/formal/by_abc.sh

turn() {
    asserts='3 2'
    model tree_turn_proof "" "$2" hw-model/formal/tree_turn_proof.sv "$1" && search "$2" pdr
}

# The harness sees the counts of the credit, as its port list under TERN_FORMAL gives them.
credit() {
    asserts='3 0'
    sed 's/`ifdef TERN_FORMAL/`ifndef TERN_NO_FORMAL/' "$1" > "$out/$2.formal.sv"
    model tree_credit_proof "" "$2" hw-model/formal/tree_credit_proof.sv "$out/$2.formal.sv" &&
        search "$2" pdr
}

alu() {
    asserts='1 0'
    model tree_alu_proof "" "$2" hw-model/rtl/abi/tern_abi_pkg.sv \
        hw-model/formal/tree_alu_proof.sv "$1" && search "$2" pdr
}

# mutant PROOF SOURCE NAME SED
mutant() {
    changed "$2" "$4" "$3" && "$1" "$out/$3.sv" "$3"
    verdict "mutant_$3_is_refuted" 1 $? "$3"
}

turn $net/tern_tree_turn.sv turn
verdict "no_request_waits_for_more_than_all_others_once" 0 $? turn
mutant turn $net/tern_tree_turn.sv first_always_first "s/(req_i & after_q) != '0 ? req_i & after_q : req_i/req_i/"
mutant turn $net/tern_tree_turn.sv turn_stays 's/for (int k = 0; k < i; k++) if (pick_o\[k\]) after_q\[i\] <= 1/for (int k = 0; k <= i; k++) if (pick_o[k]) after_q[i] <= 1/'

credit $net/tern_tree_credit.sv credit
verdict "credit_keeps_the_slots_of_a_group_from_overflowing" 0 $? credit
mutant credit $net/tern_tree_credit.sv one_too_many "s/flying < 8'(Slots)/flying <= 8'(Slots)/"
mutant credit $net/tern_tree_credit.sv not_counted "s/if (sent_i)                       sent_q/if (sent_i \&\& !told_i)            sent_q/"
mutant credit $net/tern_tree_credit.sv news_not_taken "s/seen_q <= freed_i/seen_q <= seen_q + 8'd1/"

alu $net/tern_tree_alu.sv alu
verdict "the_ALU_combines_as_specified_for_all_operations_and_both_widths" 0 $? alu
mutant alu $net/tern_tree_alu.sv carry_lost "s/wide_i && low\[32\]/1'b0/"
mutant alu $net/tern_tree_alu.sv carry_between_words 's/wide_i && low\[32\]/low[32]/'
mutant alu $net/tern_tree_alu.sv sign_within_a_word 's/signed_i && !wide_i/signed_i/'
mutant alu $net/tern_tree_alu.sv minimum_for_maximum "s/b_less_low ^ (op_i == 3'(tern_abi_pkg::TREE_MAX))/b_less_low/"
mutant alu $net/tern_tree_alu.sv equal_halves_ignored 's/(a_high == b_high && less_low)/less_low/'
finish

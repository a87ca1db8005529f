#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: models.sh [all]
#
# Searches the states of the protocols of slabs, fences, records and graphs (by spin) for two holders
# of one slab, lost slabs, messages of dead members that land after recovery, lookups that miss a key
# or return an old value, and nodes that are lost or committed twice. Repeats each search with one rule removed, which must find such a state.
# Prints TAP. `all` adds the longer searches. Run from the project root.
set -u

all=${1:-}
here=$PWD/tests/models
out=${B:-build}/models
failed=0
number=0
states=0
broken=0
mkdir -p "$out"

# search NAME MODEL DEFINE...: prints the number of states; 0: no error, 1: an assertion fails, 2:
# undecided.
search() {
    dir=$out/$1
    model=$here/$2.pml
    shift 2
    rm -rf "$dir"
    mkdir -p "$dir"
    (cd "$dir" && spin -a "$@" "$model" &&
        ${CC:-cc} -w -O1 -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c &&
        ./pan -m200000 -w22) > "$dir/log" 2>&1
    sed -n 's/^ *\([0-9]*\) states, stored$/\1/p' "$dir/log"
    grep -q 'assertion violated' "$dir/log" && return 1
    grep -q 'errors: 0$' "$dir/log" && ! grep -q 'max search depth too small\|out of memory' "$dir/log" && return 0
    return 2
}

# model WANTED VERB NAME MODEL DEFINE...
model() {
    wanted=$1
    verb=$2
    name=$3
    shift 2
    found=$(search "$@")
    got=$?
    number=$((number + 1))
    if [ $got = "$wanted" ]; then
        echo "ok $number - ${name}_$verb"
        echo "# $name: ${found:-0} states"
        states=$((states + ${found:-0}))
        broken=$((broken + wanted))
    else
        echo "not ok $number - ${name}_$verb"
        tail -n 5 "$out/$name/log" | sed 's/^/# /'
        failed=1
    fi
}

holds() { model 0 holds "$@"; }
breaks() { model 1 breaks "$@"; }

holds  allocation                        alloc -DROUNDS=1 -DFENCES=0
breaks a_client_given_up_with_its_key    alloc -DROUNDS=1 -DNO_KEY
breaks a_key_released_without_a_drain    alloc -DROUNDS=1 -DNO_DRAIN
breaks a_number_raised_without_a_fence   alloc -DROUNDS=1 -DNO_FENCE
breaks a_period_of_one_number            alloc -DROUNDS=2 -DADVANCE=1
breaks a_period_of_two_numbers           alloc -DROUNDS=2 -DADVANCE=2
breaks numbers_taken_before_the_word     alloc -DROUNDS=2 -DNUMBERS_FIRST
breaks an_orphan_freed_at_the_second_look alloc -DROUNDS=2 -DLOOKS=2
holds  handing_on                        handon
breaks handing_on_without_the_owner_word handon -DNO_OWNER
breaks recovery_once_at_a_death          handon -DONCE
holds  fencing                           fence
breaks recovery_without_an_operation     fence -DNO_ADD
breaks an_operation_before_the_release   fence -DADD_FIRST
breaks an_operation_that_passes_puts     fence -DPAST_PUTS
breaks an_operation_in_another_unit      fence -DOTHER_UNIT
breaks a_completion_beside_the_channel   fence -DNO_MARKER
breaks joining_again_with_the_same_tag   fence -DTAGS=1
holds  joining_twice                     fence -DLIVES=3
breaks joining_twice_with_two_tags       fence -DLIVES=3 -DTAGS=2
holds  a_lookup_and_a_set                records -DCASE=1
breaks records_unlinked_at_once          records -DCASE=1 -DUNLINK_AT_ONCE
holds  a_deletion_in_an_empty_bucket     records -DCASE=2
holds  an_empty_bucket_that_is_0_again_and_periods records -DCASE=2 -DNO_COUNT
holds  counts_of_empty_buckets_and_no_periods records -DCASE=2 -DUNLINK_AT_ONCE
breaks an_empty_bucket_that_is_0_again_and_no_periods records -DCASE=2 -DUNLINK_AT_ONCE -DNO_COUNT
holds  a_deletion_and_a_lookup           records -DCASE=3
breaks deletions_unlinked_before_their_records records -DCASE=3 -DBARE_DELETIONS
holds  two_sets_and_a_lookup_past_them records -DCASE=4 -DDEATHS=1 -DLOST
breaks slabs_freed_when_unlinked         records -DCASE=4 -DFREE_AT_ONCE
breaks slabs_of_the_dead_freed_at_once   records -DCASE=4 -DDEATHS=1 -DRECOVERY_FREES
breaks a_slab_given_back_without_an_answer records -DCASE=4 -DLOST -DGIVES_BACK
holds  slabs_taken_again                 records -DCASE=5
holds  a_graph_with_two_deaths           graph
breaks due_nodes_in_no_queue             graph -DNO_SWEEP
breaks running_nodes_left_with_the_dead  graph -DKEEPS_RUN
breaks committed_nodes_left_with_the_dead graph -DKEEPS_DONE
breaks one_output_for_all_attempts       graph -DONE_KEY
breaks commits_that_compare_no_attempt   graph -DNO_KEYS -DBLIND
if [ "$all" = all ]; then
    holds allocation_and_a_death         alloc -DROUNDS=1 -DFENCES=1
    holds allocation_and_two_deaths      alloc -DROUNDS=1 -DFENCES=2
    holds stricter_clients_and_an_advance_of_two alloc -DROUNDS=1 -DFENCES=1 -DADVANCE=2 -DAT_LANDING
    holds slabs_taken_again_and_a_death  records -DCASE=5 -DDEATHS=1 -DLOST
fi
echo "# evidence B7.11 states=$states broken=$broken"
echo "1..$number"
exit $failed

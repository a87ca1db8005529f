#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo_table.sh [KEYS]
#
# A hash table in the memory of a process at node 0 of a ring of two, which then sleeps. A process
# at node 1 finds each of its KEYS twice: by one lookup, and by reads of bucket and records.
# TIER=soft or rtl.
#
# Exit status 0 only if every key was found with its value, by one round trip each.
set -u
. "$(dirname "$0")/demo_lib.sh"
tier=${TIER:-rtl}
keys=${1:-1000}

case $keys in
*[!0-9]* | 0*) fail "KEYS=$keys is not a number from 1 on" ;;
esac

say "starting a ring of 2 NICs, tier $tier"
start_sim 2x1x1 "$tier"

"$bin/tern" table sim:0 --keep "$dir/table" --keys "$keys" > "$dir/keeper.log" 2>&1 &
keeper=$!
processes="$keeper $sim"
until [ -f "$dir/table" ]; do
    kill -0 $keeper 2> /dev/null || { cat "$dir/keeper.log" >&2; fail "nobody keeps the table"; }
    sleep 0.1
done

# look NAME ARGUMENT...: looks up all keys.
look() {
    name=$1
    shift
    "$bin/tern" table sim:1 --at "$dir/table" --keys "$keys" --report "$dir/$name" --timeout "$timeout_s" "$@" > "$dir/$name.log" 2>&1
    ended "process that looks keys up" $? || { cat "$dir/$name.log" >&2; fail "not all keys were found"; }
}
figure() { sed -n "s/^$2=//p" "$dir/$1"; }

say "a process at node 1 looks $keys keys up in the table at node 0"
look lookups
say "and once more, by reads"
look reads --by-reads
processes="$keeper $sim"
kill -TERM $keeper 2> /dev/null
wait $keeper
ended "keeper of the table" $? || { cat "$dir/keeper.log" >&2; fail "the keeper did not end well"; }
processes=$sim
stop_sim

[ "$(figure lookups round_trips)" = "$keys" ] && [ "$(figure lookups packets)" = "$keys" ] ||
    fail "$keys keys took $(figure lookups round_trips) round trips, $(figure lookups packets) packets"
[ "$(figure reads round_trips)" -ge $((2 * keys)) ] || fail "reads found the keys by $(figure reads round_trips) round trips"
say "verified: each of $keys keys was found with its value, by one round trip"
shown "Shown: a process found each of $keys keys in a table of another node by one round trip, where reads need two" \
    "and more. No code ran where the table is."
printf '  %-36s %12s %12s\n' '' lookups reads 'round trips' "$(figure lookups round_trips)" "$(figure reads round_trips)"
if [ "$tier" = rtl ]; then
    cycles table 100 | grep 'cycles per key'
    legend 'cycles per key  from the doorbell to the completion, here of 100 keys, one after the other'
fi

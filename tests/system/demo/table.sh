#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern table between processes on a ring of two: all keys are found in one round trip each, and all
# errors end with a message and a non-zero exit. Also tests the demo's table, which must notice a
# key that took more round trips. On the tier TIER.
set -u
. tests/system/demo/nics.sh
keeper=

end_others() {
    [ -n "$keeper" ] || return 0
    kill -KILL "$keeper" 2> /dev/null
    wait "$keeper" 2> /dev/null
}

# says LOG PATTERN: checks the log for the pattern.
says() { grep -q "$2" "$dir/$1.log"; }

# keep ARGUMENT...: starts a process that keeps a table.
keep() {
    rm -f "$dir/table"
    "$tern" table sim:0 --keep "$dir/table" "$@" > "$dir/keeper.log" 2>&1 &
    keeper=$!
    for _ in $(seq 6000); do
        [ -f "$dir/table" ] && return
        sleep 0.01
    done
}

end_keeper() {
    kill -TERM "$keeper" 2> /dev/null
    wait "$keeper"
    kept=$?
    keeper=
}

# look ARGUMENT...: looks keys up at node 1.
look() { "$tern" table sim:1 "$@" > "$dir/look.log" 2>&1; }

# refused PATTERN ARGUMENT...: checks that looking up fails with that message.
refused() {
    pattern=$1
    shift
    look "$@"
    [ $? = 1 ] && says look "$pattern"
}

misused() {
    pattern=$1
    shift
    "$tern" table "$@" > "$dir/look.log" 2>&1
    [ $? != 0 ] && says look "$pattern"
}

keys=300
[ "$tier" = soft ] || keys=40
start_sim --torus 2x1x1

keep --keys $keys
look --at "$dir/table" --keys $keys --report "$dir/report" && says look "^$keys keys found by $keys round trips" &&
    grep -qx "round_trips=$keys" "$dir/report" && grep -qx "packets=$keys" "$dir/report"
tap $? "each key is found by one round trip"
echo "# evidence B7.6 keys=$keys round_trips=$(sed -n 's/^round_trips=//p' "$dir/report")"
look --at "$dir/table" --keys $keys --by-reads --report "$dir/report" &&
    [ "$(sed -n 's/^round_trips=//p' "$dir/report")" -ge $((2 * keys)) ]
tap $? "reads find the same keys, by two and more"
# More keys than the table has, in as many buckets.
refused 'cannot look up key-[0-9]*: .*no node has this key, node 0.0.0' --at "$dir/table" --keys $((keys + 20)) &&
    refused "cannot look up key-[0-9]*: no node has this key" --at "$dir/table" --keys $((keys + 20)) --by-reads
tap $? "a key that is missing is named"
refused 'cannot read .*/none: No such file' --at "$dir/none" &&
    { echo nonsense > "$dir/nonsense"; refused 'holds no pointer to a table' --at "$dir/nonsense"; }
result=$?
end_keeper
[ $kept = 0 ] && refused 'cannot look up key-0: .*node 0.0.0' --at "$dir/table" --keys $keys --timeout 5 && [ $result = 0 ]
tap $? "a table that is none, or is kept no more, is told"
misused 'either --keep or --at' sim:0 && misused 'either --keep or --at' sim:0 --at x --keep y &&
    misused 'go with --at' sim:0 --keep y --by-reads && misused 'nothing to look up' sim:0 --at x --keys 0 &&
    misused 'Usage' --at x && misused 'cannot open sim:7.7.7' sim:7.7.7 --keep "$dir/table"
tap $? "a wrong command line is told"
stop_sim

# demo B: runs the demo with the `tern` of B/bin.
demo() { B=$1 TIER=$tier sh host-driver/tools/demo_table.sh $keys > "$dir/demo.log" 2>&1; }
demo "$B" && says demo "verified: each of $keys keys was found with its value, by one round trip"
tap $? "in the demo each key takes one round trip"

mkdir -p "$dir/fake/bin"
ln -s "$(cd "$B" && pwd)/fw" "$dir/fake/fw"
cat > "$dir/fake/bin/tern" <<FAKE
#!/bin/sh
case "\$1 \$2 \$3 \$9" in
"table sim:1 --at --timeout") exec "$(cd "$B" && pwd)/bin/tern" "\$@" --by-reads ;;
esac
exec "$(cd "$B" && pwd)/bin/tern" "\$@"
FAKE
chmod +x "$dir/fake/bin/tern"
demo "$dir/fake"
[ $? = 1 ] && says demo "FAILED: $keys keys took"
tap $? "the demo fails when a key takes more"
echo "1..$number"
[ $failed = 0 ]

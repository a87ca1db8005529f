#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern lock between processes on a torus 2x2x2: turns at a lock are counted exactly, and all errors
# end with a message and a non-zero exit, within the given time. Also tests the demo's lock, which
# must notice a missing turn. On the tier TIER.
set -u
. tests/system/demo/nics.sh
owner= put=

# stop SIGNAL PROCESS...: ends processes; returns the exit status.
stop() {
    [ -n "${2:-}" ] || return 0
    kill "-$1" "$2" 2> /dev/null
    wait "$2" 2> /dev/null
}

end_others() {
    stop KILL $put
    stop KILL $owner
}

# says LOG PATTERN: checks the log for the pattern.
says() { grep -q "$2" "$dir/$1.log"; }

# own ARGUMENT...: starts a process that owns fresh words.
own() {
    rm -f "$dir/words"
    "$tern" lock sim:0 --words "$dir/words" "$@" > "$dir/owner.log" 2>&1 &
    owner=$!
    for _ in $(seq 6000); do
        [ -f "$dir/words" ] && return
        sleep 0.01
    done
}

end_owner() {
    stop TERM $owner
    owned=$?
    owner=
}

# turns ARGUMENT...: takes turns at node 1.1.0; returns the exit status.
turns() {
    "$tern" lock sim:1.1.0 "$@" > "$dir/turns.log" 2>&1
}

# refused PATTERN ARGUMENT...: checks that taking turns fails with that message. The runner's
# time-out ends one that waits for ever.
refused() {
    pattern=$1
    shift
    turns "$@"
    [ $? = 1 ] && says turns "$pattern"
}

# misused PATTERN ARGUMENT...: checks that the command line is refused.
misused() {
    pattern=$1
    shift
    "$tern" lock "$@" > "$dir/turns.log" 2>&1
    [ $? != 0 ] && says turns "$pattern"
}

start_sim --torus 2x2x2

own
turns --at "$dir/words" --rounds 20 --report "$dir/report" && says turns '20 rounds, 20 attempts' &&
    grep -qx 'rounds=20' "$dir/report" && grep -qx 'attempts=20' "$dir/report" && grep -q '^last_cycle=[1-9]' "$dir/report"
result=$?
turns --at "$dir/words" && says turns '1 rounds, 1 attempts' && [ $result = 0 ]
result=$?
end_owner
[ $owned = 0 ] && says owner '^count=21$' && says owner '^lock=free$' && [ $result = 0 ]
tap $? "turns are counted, and the owner tells how many"
own --timeout 1
wait $owner
[ $? = 0 ] && says owner '^count=0$' && says owner '^lock=free$'
tap $? "an owner leaves when its time is over"
owner=

own
pointer=$(cat "$dir/words")
echo "${pointer%????}" > "$dir/short"
echo "$pointer$pointer" > "$dir/long"
printf '%s\n\n' "$pointer" > "$dir/lines"
echo "$pointer" | tr '0-9a-f' 'g-v' > "$dir/letters"
: > "$dir/empty"
refused 'cannot read .*/none: No such file' --at "$dir/none" && refused "cannot read $dir: Is a directory" --at "$dir"
result=$?
for damage in short long lines letters empty; do
    refused "/$damage holds no pointer to a lock" --at "$dir/$damage" || result=1
done
tap $result "a file that is missing or holds no pointer is named"

# A pointer to write-only memory; then the same pointer after its owner has ended.
"$tern" recv sim:1.0.0 --timeout 20 > "$dir/other" 2> "$dir/recv.log" &
put=$!
until [ -s "$dir/other" ]; do sleep 0.01; done
refused 'cannot take the lock: .*region does not allow this access, node 1.0.0' --at "$dir/other"
result=$?
stop TERM $put
put=
refused 'cannot take the lock: .*key does not name a registered region, node 1.0.0' --at "$dir/other" && [ $result = 0 ]
tap $? "a pointer to what is no lock, or is gone, is refused with the reason"

misused 'either --words or --at' sim:0 && misused 'either --words or --at' sim:0 --at x --words y &&
    misused 'go with --at' sim:0 --words y --rounds 3 && misused 'not a number' sim:0 --at x --rounds 3x &&
    misused 'nothing to do' sim:0 --at x --rounds 0 && misused 'Usage' --at x &&
    misused 'cannot write .*/none/words: No such file' sim:0 --words "$dir/none/words" &&
    misused 'cannot open sim:7.7.7' sim:7.7.7 --at "$dir/words"
tap $? "a wrong command line is told"

# Another process repeatedly clears the lowest byte of the lock, which is 0 in a free lock.
"$tern" put --from sim:0.1.0 --to "$pointer" --bytes 1 --count 100000000 > "$dir/put.log" 2>&1 &
put=$!
refused 'the lock was not its own when it was to be given back' --at "$dir/words" --rounds 10000
tap $? "a lock that somebody else has changed meanwhile is told"
stop TERM $put
put=
end_owner

own
"$tern" put --from sim:0.1.0 --to "$(cat "$dir/words")" --bytes 8 > "$dir/put.log" 2>&1
refused 'the lock was not to be had for 2 s' --at "$dir/words" --timeout 2
result=$?
end_owner
[ $owned = 0 ] && says owner '^lock=held by nobody (0x706050403020100)$' && says owner '^count=0$' && [ $result = 0 ]
tap $? "a lock that is never given back ends the waiting"

own
turns --at "$dir/words" && stop KILL $owner
refused 'cannot .*node 0.0.0' --at "$dir/words" --rounds 100000 --timeout 5
tap $? "words whose owner was killed are refused, and the node is named"
owner=
own
(sleep 1; stop KILL $owner) &
refused 'cannot .*node 0.0.0' --at "$dir/words" --rounds 100000000 --timeout 5
tap $? "an owner killed meanwhile ends the turns"
wait $owner 2> /dev/null
owner=

own
(sleep 1; kill -INT $sim) &
refused 'cannot ' --at "$dir/words" --rounds 100000000 --timeout 5
result=$?
wait $owner
[ $? = 1 ] && says owner 'the NIC is gone' && [ $result = 0 ]
tap $? "a simulator that ends meanwhile ends both sides"
owner=
wait $sim
sim=

# demo ROUNDS: runs the demo with the `tern` of the folder fake/bin.
demo() {
    B=$1 TIER=$tier sh host-driver/tools/demo_lock.sh "$2" > "$dir/demo.log" 2>&1
}
rounds=25
[ "$tier" = soft ] || rounds=4
demo "$B" $rounds && says demo "verified: $((8 * rounds)) turns of eight processes, each counted once" &&
    says demo "^  turns of the processes  *$((8 * rounds))\$"
result=$?
tap $result "in the demo all nodes take turns at a lock, and each turn is counted once"

mkdir -p "$dir/fake/bin"
ln -s "$(cd "$B" && pwd)/fw" "$dir/fake/fw"
cat > "$dir/fake/bin/tern" <<FAKE
#!/bin/sh
case "\$1 \$2 \$3" in
"lock sim:1.0.1 --at") echo rounds=$rounds; exit 0 ;;
esac
exec "$(cd "$B" && pwd)/bin/tern" "\$@"
FAKE
chmod +x "$dir/fake/bin/tern"
demo "$dir/fake" $rounds
[ $? = 1 ] && says demo "FAILED: the count is $((7 * rounds)), and $((8 * rounds)) turns were to be taken"
tap $? "the demo fails when a turn is missing"
echo "1..$number"
[ $failed = 0 ]

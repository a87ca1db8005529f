#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern bcast to receivers that are processes of their own, on a torus 2x2x2, and tern top: special
# sizes, groups of some nodes, and all errors, each with a message and a non-zero exit on all sides.
# Also tests the demo's broadcast. On the tier TIER.
set -u
. tests/system/demo/nics.sh
all='1.0.0 0.1.0 1.1.0 0.0.1 1.0.1 0.1.1 1.1.1'

# broadcast TO "RECEIVER[:BUFFER] ...": runs all sides to their ends; sets `sent` to the sender's
# status and `received` to the number of receivers that succeeded.
broadcast() {
    rm -f "$dir"/out-* "$dir"/receiver-*.log
    pids='' received=0
    for receiver in $2; do
        node=${receiver%:*}
        buffer=2m
        [ "$node" = "$receiver" ] || buffer=${receiver#*:}
        "$tern" recv-file "sim:$node" --group --from 0.0.0 --buffer "$buffer" --out "$dir/out-$node" \
            --timeout "$timeout" > "$dir/receiver-$node.log" 2>&1 &
        pids="$pids $!"
    done
    "$tern" bcast sim:0 "$dir/file" --to "$1" --timeout "$timeout" --report "$dir/report" \
        > "$dir/sender.log" 2>&1
    sent=$?
    for pid in $pids; do
        wait "$pid" && received=$((received + 1))
    done
}

# have_it NODE...: checks that these nodes have the file.
have_it() {
    for node; do
        cmp -s "$dir/file" "$dir/out-$node" || return 1
    done
}

# says LOG PATTERN: checks the log for the pattern.
says() { grep -q "$2" "$dir/$1.log"; }

# moves BYTES NAME: checks that a file of BYTES arrives everywhere.
moves() {
    head -c "$1" /dev/urandom > "$dir/file"
    broadcast 0.0.0-1.1.1 "$all"
    # shellcheck disable=SC2086 # a list
    [ $sent = 0 ] && [ $received = 7 ] && have_it $all && says sender "7 receivers: $1 bytes verified"
    result=$?
    echo "# evidence N13 receivers=$received bytes=$1 descriptors=$(sed -n 's/^descriptors=//p' "$dir/report")"
    tap $result "$2"
}

timeout=60
start_sim --torus 2x2x2
moves 0 "an empty file is broadcast"
moves 1 "a file of 1 byte is broadcast"
moves 70001 "a file of an odd length is broadcast"
moves 1048576 "a file of 1 MiB is broadcast"

broadcast 1.1.0,0.0.1 '1.1.0 0.0.1'
[ $sent = 0 ] && [ $received = 2 ] && have_it 1.1.0 0.0.1 && says sender '2 receivers: 1048576 bytes verified'
tap $? "a file is broadcast to two nodes out of eight"
broadcast all "$all"
[ $sent = 0 ] && [ $received = 7 ]
tap $? "a file is broadcast to all there are"

timeout=4
broadcast 1.1.0,0.0.1 '1.1.0 1.1.1'
[ $sent = 1 ] && [ $received = 0 ] && says sender 'no receiver has called from node 0.0.1' &&
    says sender '1 of 2 receivers have called' && says receiver-1.1.0 'the sender at node 0.0.0 gave up' &&
    says receiver-1.1.1 "the sender's group is without this receiver"
tap $? "a receiver that does not call is named, and one too many is told"

timeout=20
broadcast 1.1.0,0.0.1 '1.1.0 0.0.1:1000'
[ $sent = 1 ] && [ $received = 0 ] && says sender 'nothing was sent, member 0.0.1 is not ready: address range' &&
    says receiver-1.1.0 'gave up' && says receiver-0.0.1 'gave up: address range'
tap $? "a receiver with too small a buffer is named, and nothing is sent"

# refused ARGUMENTS PATTERN: checks that the sender ends at once with that message.
refused() {
    # shellcheck disable=SC2086 # a list
    "$tern" bcast sim:0 $1 --timeout 4 > "$dir/sender.log" 2>&1
    [ $? != 0 ] && says sender "$2"
}
refused "$dir/file --to 0.0.0-2.0.0" 'box leaves the torus\|box does not hold' &&
    refused "$dir/file --to 1.0.0-1.1.1" 'box ' &&
    refused "$dir/file --to 1.0.0,2.0.0" 'outside the torus' &&
    refused "$dir/file --to 1.0.0,1.0.0" 'named twice' &&
    refused "$dir/file --to 1.0.0,x" 'argument out of range' &&
    refused "$dir/file" 'Usage' &&
    refused "$dir/none --to all" 'cannot read .*none: No such file'
tap $? "groups that cannot be, and a missing file, are refused with the reason"

"$tern" top --once --interval 200 > "$dir/top.log" 2>&1 && [ "$(grep -c ' 6 of 6 ' "$dir/top.log")" = 8 ]
tap $? "top shows all NICs of the simulator"
# traffic_seen: checks that tern top, during puts without end, shows an interval in which they leave
# here and arrive there. Reads up to 20 tables, because the first put may be late on a busy machine.
traffic_seen() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$tern" top sim:0 sim:1.1.1 --count 2 --interval 250 > "$dir/top.log" 2>&1 || return 1
        awk '$1 == "0.0.0" { row++; out = $9 ~ /^[1-9]/ && $12 ~ /^[1-9]/ }
             $1 == "1.1.1" { into = $10 ~ /^[1-9]/ && $13 ~ /^[1-9]/ }
             END { exit !(row == 2 && out && into) }' "$dir/top.log" && return 0
    done
    return 1
}
"$tern" put --from sim:0 --to sim:1.1.1 --bytes 4096 --count 1000000000 > "$dir/put.log" 2>&1 &
put=$!
traffic_seen
tap $? "top shows what goes out here and comes in there"
kill $put 2> /dev/null
wait $put 2> /dev/null
"$tern" top --once --interval 10 sim:0 sim:7.7.7 > "$dir/top.log" 2>&1
[ $? = 1 ] && says top 'sim:7.7.7 no NIC answers'
tap $? "top says which NIC does not answer"
stop_sim

printf 'at 0 cut 0.0.0 X+\n' > "$dir/cut"
start_sim --torus 2x2x2 --scenario "$dir/cut"
"$tern" top --once --interval 200 sim:0 > "$dir/top.log" 2>&1 && says top '^0.0.0 *5 of 6 .*DOWN: X+$'
tap $? "top names a link that is down"
stop_sim

head -c 100000 /dev/urandom > "$dir/file"
TIER=$tier sh host-driver/tools/demo_bcast.sh "$dir/file" > "$dir/demo.log" 2>&1
result=$?
says demo 'verified: the copies of all seven receivers are the file' && [ $result = 0 ]
tap $? "the demo broadcasts a file to the seven others"
echo "1..$number"
[ $failed = 0 ]

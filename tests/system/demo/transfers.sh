#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# File transfers between two processes over simulated NICs: special sizes, and all errors, each with
# a message and a non-zero exit on both sides; the NICs keep working.
#
# With TIER=soft, without the tests that need a transfer in progress: there it ends too soon.
set -u
. tests/system/demo/nics.sh
here=tests/system/demo

# transfer FILE BUFFER TIMEOUT: runs both sides to their ends; sets `sent` and `received` to their
# statuses. Meanwhile it runs the command in $meanwhile, with the process ids in $sender and
# $receiver.
meanwhile=:
transfer() {
    rm -f "$dir/out" "$dir/report"
    "$tern" recv-file sim:1 --from 0.0.0 --buffer "$2" --out "$dir/out" --timeout "$3" \
        > "$dir/receiver.log" 2>&1 &
    receiver=$!
    "$tern" send-file sim:0 "$1" --timeout "$3" --report "$dir/report" > "$dir/sender.log" 2>&1 &
    sender=$!
    $meanwhile
    wait $sender 2> /dev/null
    sent=$?
    wait $receiver 2> /dev/null
    received=$?
}

# says SIDE PATTERN: checks that side's log for the pattern.
says() { grep -q "$2" "$dir/$1.log"; }

# stat URI NAME: prints a statistic.
stat() { "$tern" stat "$1" | awk -v name="$2" '$1 == name { print $2 }'; }

# moves NAME BYTES [ARGUMENT]: checks that a file of BYTES arrives.
moves() {
    head -c "$2" /dev/urandom > "$dir/file"
    transfer "$dir/file" 2m 60
    [ $sent = 0 ] && [ $received = 0 ] && cmp -s "$dir/file" "$dir/out"
    result=$?
    echo "# evidence A2.1 bytes=$(wc -c < "$dir/out") cycles=$(sed -n 's/^cycles=//p' "$dir/report")"
    tap $result "$1"
}

# Waits until the sender has shown progress, then kills $victim.
kill_underway() {
    for _ in $(seq 6000); do
        grep -q '%' "$dir/sender.log" && break
        sleep 0.01
    done
    eval "kill -9 \$$victim"
}

start_sim --torus 2x1x1
moves "an empty file is moved" 0
moves "a file of 1 byte is moved" 1
moves "a file of an odd length is moved" 70001
moves "a file of 1 MiB is moved" 1048576

transfer "$dir/no-such-file" 1m 20
[ $sent = 1 ] && says sender 'cannot read .*no-such-file: No such file' &&
    [ $received = 1 ] && says receiver 'the sender cannot read its file'
result=$?
echo "# evidence A2.2 sender_status=$sent receiver_status=$received"
tap $result "a missing file is named on both sides"

transfer "$dir/file" 1000 20
[ $sent = 1 ] && says sender 'has 1048576 bytes, the receiver.s buffer only 1000' &&
    [ $received = 1 ] && says receiver 'the file is larger than the receiver.s buffer (1048576 bytes)'
result=$?
echo "# evidence A2.3 sender_status=$sent receiver_status=$received"
tap $result "a file larger than the buffer is refused on both sides"

killed_underway() {
    head -c 8388608 /dev/zero > "$dir/large"
    meanwhile=kill_underway victim=sender
    transfer "$dir/large" 8m 20 # seconds of silence, on a machine that may be busy
    [ $sent = 137 ] && [ $received = 1 ] && says receiver 'no sign of life from the sender at node 0.0.0'
    result=$?
    echo "# evidence A2.4 sender_status=$sent receiver_status=$received"
    tap $result "a killed sender is noticed by the receiver"

    victim=receiver
    transfer "$dir/large" 8m 20
    [ $received = 137 ] && [ $sent = 1 ] && says sender 'broken off.*node 1.0.0 (refused at the target)'
    result=$?
    echo "# evidence A2.5 sender_status=$sent receiver_status=$received"
    tap $result "a killed receiver is noticed by the sender"

}

[ "$tier" != rtl ] || killed_underway
meanwhile=:
moves "the NICs serve on after both" 4096
stop_sim

# Both links of the ring are cut before they have come up.
start_sim --torus 2x1x1 --scenario $here/cut.scenario
transfer "$dir/file" 1m 5
deposited=$(stat sim:1 rx_put_bytes)
[ $sent = 1 ] && says sender 'link X+ of node 0.0.0 is down' &&
    [ $received = 1 ] && says receiver 'link is down\|link on the way is down: link X[+-] of node 1.0.0' &&
    [ "$deposited" = 0 ]
result=$?
echo "# evidence A2.6 sender_status=$sent receiver_status=$received deposited=$deposited"
tap $result "with the link cut nothing arrives and both sides name the link"
stop_sim

cut_underway() {
    start_sim --torus 2x1x1 --scenario $here/cut_underway.scenario
    transfer "$dir/large" 8m 20 # seconds of silence, on a machine that may be busy
    [ $sent = 1 ] && says sender 'broken off.*link X+ of node 0.0.0' &&
        [ $received = 1 ] && says receiver 'link X- of node 1.0.0 is down'
    result=$?
    echo "# evidence A2.6 sender_status=$sent receiver_status=$received"
    tap $result "a link cut underway is named on both sides"
    stop_sim
}
[ "$tier" != rtl ] || cut_underway

echo "1..$number"
[ $failed = 0 ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# First steps with the `tern` command: each mistake of a new user ends within seconds, with the
# reason and an exit code of host-driver/tools/exits.def. On the tier TIER.
set -u
. tests/system/demo/nics.sh
others=

end_others() {
    for pid in $others; do
        kill -KILL "$pid" 2> /dev/null
    done
    for pid in $others; do
        wait "$pid" 2> /dev/null
    done
    others=
}

# code NAME: the value of an exit code.
code() { sed -n "s/^EXIT_CODE($1, *\([0-9]*\),.*/\1/p" host-driver/tools/exits.def; }
BAD=$(code BAD) USAGE=$(code USAGE)

# ends CODE PATTERN COMMAND...: checks that the command ends with that code, and prints the pattern
# to standard error.
ends() {
    want=$1 pattern=$2
    shift 2
    timeout 30 "$@" > "$dir/out.log" 2> "$dir/err.log"
    got=$?
    [ $got = "$want" ] && grep -q "$pattern" "$dir/err.log" && return
    echo "status $got, wanted $want and '$pattern' of: $*" >> "$dir/err.log"
    return 1
}

# wait_for PATTERN FILE: waits for it, for a minute at most.
wait_for() {
    for _ in $(seq 6000); do
        grep -q "$1" "$2" 2> /dev/null && return
        sleep 0.01
    done
    return 1
}

# ---- without a simulator
[ "$("$tern" --version)" = "tern $(sed -n 's/^Version: //p' host-driver/tern.pc.in), contract $(awk -F '[ ,()]+' \
    '$2 == "ABI_VERSION" { v = $3; print substr(v, 3, 4) + 0 "." substr(v, 7) + 0 }' hw-model/abi/const.def)" ]
tap $? "the version of library and contract is printed"
ends "$BAD" 'no simulator in' "$tern" list && ends "$BAD" "sockets into $TERN_SIM_DIR" "$tern" info sim:0
tap $? "a NIC that is not there ends with the folder that was looked in"
ends "$BAD" 'named sim:X.Y.Z or sim:X' "$tern" info foo && ends "$BAD" 'named sim:X.Y.Z' "$tern" put --from foo --to sim:1
tap $? "a name that names no NIC ends with how one is named"
ends "$USAGE" "no command 'lsit'" "$tern" lsit && ends "$USAGE" 'Usage' "$tern" info && ends "$USAGE" 'usage' "$tern" &&
    ends "$USAGE" 'is not a number' "$tern" put --bytes many && ends "$USAGE" 'torus wants' "$tern" sim --torus four &&
    ends "$USAGE" 'not a number' "$tern" profile --top many x && ends "$BAD" 'No such file' "$tern" sim --firmware "$dir/none"
tap $? "a wrong command line has its own exit code, in every program"
ends "$BAD" 'standard output: No space left' sh -c "exec '$tern' --help > /dev/full"
tap $? "output that cannot be written is an error"

# ---- a firmware that does not boot
# Overwrites code: the ELF file is valid, the program is not.
cp "$B/fw/tern-fw.elf" "$dir/damaged.elf"
dd if=/dev/zero of="$dir/damaged.elf" bs=1 seek=32768 count=17000 conv=notrunc 2> /dev/null
# An image with one bit changed.
{ head -c 4000 "$B/fw/tern-fw.img"; printf '\125'; tail -c +4002 "$B/fw/tern-fw.img"; } > "$dir/damaged.img"
ends "$BAD" 'BAD_FIRMWARE: firmware .*CRC-32C' "$tern" sim --tier "$tier" --torus 2x1x1 --firmware "$dir/damaged.img" &&
    ! grep -q '^ready' "$dir/out.log" &&
    { [ "$tier" = soft ] || ends "$BAD" 'firmware of node 0.0.0 did not come up: .*(state [46]' "$tern" sim --torus 1x1x1 \
        --firmware "$dir/damaged.elf" && ! grep -q '^ready' "$dir/out.log"; }
tap $? "a simulator whose firmware does not come up says so and ends, and is never called ready"

# ---- with a simulator
start_sim --torus 2x1x1
[ "$(grep -c '^ready: 2 nodes' "$dir/sim.log")" = 1 ] && "$tern" list > "$dir/out.log" && [ "$(grep -c ready "$dir/out.log")" = 2 ]
tap $? "a simulator that is ready has NICs that answer"

"$tern" put --from sim:0 --to sim:1 --bytes 100 > "$dir/put.log" && "$tern" info sim:0 > "$dir/info.log" &&
    grep -q '^1 put of 100 bytes' "$dir/put.log" &&
    if [ "$tier" = soft ]; then ! grep -i cycle "$dir/put.log" "$dir/info.log"; else grep -q cycles "$dir/put.log"; fi
tap $? "cycles are printed on rtl alone"

# recv waits for bytes without limit; a short default limit would end it before the check.
"$tern" recv sim:1 > "$dir/recv.log" 2>&1 &
others=$!
wait_for '^[0-9a-f]\{32\}$' "$dir/recv.log" && "$tern" put --from sim:0 --to "$(head -n 1 "$dir/recv.log")" --data 'hello, torus' \
    > "$dir/put.log" && wait $others && grep -qx 'hello, torus' "$dir/recv.log"
result=$?
others=
ends "$BAD" 'nothing happened in the time given' "$tern" recv sim:1 --timeout 1 && "$tern" recv --help | grep -q 'SECONDS.*(never)' &&
    [ $result = 0 ]
tap $? "a receiver waits for ever, unless told how long"

if [ "$tier" = soft ]; then # 64 processes are many for a simulated chip
    for i in $(seq 64); do
        "$tern" recv sim:0 > "$dir/client$i" 2>&1 &
        others="$others $!"
    done
    for i in $(seq 64); do
        wait_for '^[0-9a-f]\{32\}$' "$dir/client$i" || break
    done
    "$tern" info sim:1 | grep -q '^function  *0 of 64$' && ends "$BAD" 'all functions of the NIC are taken' "$tern" info sim:0 &&
        ends "$BAD" 'all functions of the NIC are taken' "$tern" put --from sim:0 --to sim:1
    result=$?
    end_others
    [ $result = 0 ] && "$tern" info sim:0 > "$dir/out.log" 2> "$dir/err.log"
    tap $? "the 65th process at a NIC hears that all functions are taken, and finds one when they are free"
fi

# A folder without permission to enter, as of another user; since root may enter any, root becomes
# another user first.
mkdir "$dir/theirs"
chmod 0 "$dir/theirs"
chmod 755 "$dir"
cp "$tern" "$dir/tern"
as_user=
[ "$(id -u)" != 0 ] || as_user='setpriv --reuid 65534 --regid 65534 --clear-groups'
# shellcheck disable=SC2086 # words
ends "$BAD" 'cannot open sim:.*: Permission denied' $as_user "$dir/tern" info "sim:$dir/theirs/nic-0.0.0.sock"
tap $? "the simulator of another user ends with: permission denied"

# A terminal on which somebody presses the key q.
printf q | timeout 60 script -qec "$tern top --interval 60000" /dev/null > "$dir/top.log" 2>&1
tap $? "the key q leaves tern top"

rm -f "$dir/recv.log" # the key of the receiver before
"$tern" recv sim:1 > "$dir/recv.log" 2>&1 &
others=$!
wait_for '^[0-9a-f]\{32\}$' "$dir/recv.log"
kill -KILL $sim
wait $sim 2> /dev/null
sim=
# If recv missed the end of the connection, this would wait for ever.
wait $others
[ $? = "$BAD" ] && grep -q 'nothing arrived: connection to the NIC was lost' "$dir/recv.log"
tap $? "a receiver ends when its simulator dies"
others=
# The sockets of a simulator that was killed are still there.
ends "$BAD" 'no NIC answers' "$tern" list && grep -q '^sim:1.0.0  no NIC answers' "$dir/out.log"
tap $? "a list in which no NIC answers is a failure"

timeout 60 "$tern" doctor > "$dir/doctor.log" 2>&1
result=$?
timeout 60 env PATH="$dir" "$tern" doctor > "$dir/poor.log" 2>&1
[ $? = "$BAD" ] && [ $result = 0 ] && grep -q '^MISSING  verilator ' "$dir/poor.log" && grep -q 'apt-get install verilator' "$dir/poor.log"
tap $? "the doctor finds what is missing, and names the package"

echo "1..$number"
[ $failed = 0 ]

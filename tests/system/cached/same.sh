#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Gives COMMANDS random commands to memcached and to `tern cached`, and compares all answers (same.c).  On the tier TIER.
set -u
. tests/system/demo/nics.sh
first=$((20000 + $$ % 20000)) other=$((first + 1))
served='' peer=''

end_others() {
    for one in "$served" "$peer"; do
        [ -z "$one" ] || kill "$one" 2> /dev/null
    done
}

start_sim --torus 2x1x1
"$tern" cached sim:0 --serve 4m --lease 20000 --port "$first" > "$dir/served.log" 2>&1 &
served=$!
# Its threads that look through the items hold one now and then, and a number that becomes shorter
# in that moment is not filled up with a blank: without them its answers do not depend on time.
memcached -u nobody -t 1 -o no_lru_crawler,no_lru_maintainer -l 127.0.0.1 -p "$other" -U 0 > "$dir/peer.log" 2>&1 &
peer=$!
for port in "$first" "$other"; do
    for _ in $(seq 600); do
        printf 'mn\r\nquit\r\n' | timeout 60 "$B/tests/system/cached_talk" "$port" 2> /dev/null | grep -q MN && break
        sleep 0.05
    done
done
"$B/tests/system/cached_same" "$other" "$first" "${COMMANDS:-1000000}" "${SEED:-1}" > "$dir/same.log"
tap $? "memcached answers the same to ${COMMANDS:-1000000} random commands"
echo "1..$number"
[ $failed = 0 ]

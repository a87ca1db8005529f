#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `tern cached` on a ring of two: memccapable tries two front ends of one cache, memcaslap verifies values (LOAD=2000
# operations), a client in Python uses it, memcached gives the same answers to the same COMMANDS=3000 random commands,
# and wrong requests get an answer.  On the tier TIER.
set -u
. tests/system/demo/nics.sh
python=/usr/bin/python3
[ -x $python ] || python=python3
talk=$B/tests/system/cached_talk
first=$((20000 + $$ % 20000)) second=$((first + 1)) other=$((first + 2)) metrics=$((first + 3)) third=$((first + 4))
served='' front='' peer='' apart=''

end_others() {
    for one in "$served" "$front" "$peer" "$apart"; do
        [ -z "$one" ] || kill "$one" 2> /dev/null
    done
}

# ready LOG: the front end has said so.
ready() {
    for _ in $(seq 600); do
        grep -q '^ready' "$dir/$1.log" && return
        sleep 0.05
    done
    return 1
}

# asks PORT TEXT: what comes to these commands; `quit` is the last.
asks() { printf '%b' "$2quit\r\n" | timeout 60 "$talk" "$1"; }

# answers TEXT WANTED: the first front end answers so.
answers() { [ "$(asks "$first" "$1" | tr -d '\r')" = "$(printf '%b' "$2")" ]; }

# capable PORT: memccapable finds nothing to say.
capable() {
    timeout 300 memccapable -h 127.0.0.1 -p "$1" -a > "$dir/capable$1.log" 2>&1 &&
        [ "$(grep -c '\[pass\]' "$dir/capable$1.log")" = 27 ]
}

commands=${COMMANDS:-3000}
start_sim --torus 2x1x1
"$tern" cached sim:0 --serve 4m --port "$first" --unix "$dir/socket" --connections 20 --metrics "$metrics" \
    > "$dir/served.log" 2>&1 &
served=$!
ready served
tap $? "a front end that serves a cache is ready"
"$tern" cached sim:1 --at 0 --port "$second" > "$dir/front.log" 2>&1 &
front=$!
ready front
tap $? "so is one at another node"

"$tern" cached sim:1 --serve 1m --pool apart --port "$third" > "$dir/apart.log" 2>&1 &
apart=$!
ready apart
tap $? "so is one with a cache of its own"

capable "$first" & one=$!
capable "$third"
two=$?
wait "$one" && [ $two = 0 ]
tap $? "memccapable passes at two caches at once"
capable "$second"
tap $? "and at the second front end of the first"

timeout 600 memcaslap -s "127.0.0.1:$first" -x "${LOAD:-2000}" -T 1 -c 8 -v 1 > "$dir/load.log" 2>&1 &&
    [ "$(sed -n 's/^\(get_misses\|verify_misses\|verify_failed\): //p' "$dir/load.log" | tr -d '\n')" = 000 ]
tap $? "memcaslap verifies each value of ${LOAD:-2000} operations"

answers 'set both 7 0 5\r\nhello\r\n' 'STORED' &&
    [ "$(asks "$second" 'get both\r\n' | tr -d '\r')" = "$(printf 'VALUE both 7 5\nhello\nEND')" ] &&
    [ "$(asks "$dir/socket" 'get both\r\n' | tr -d '\r')" = "$(printf 'VALUE both 7 5\nhello\nEND')" ]
tap $? "a value set at one is got at the other, and by the UNIX socket"

"$tern" cache set sim:1 --at 0 tool 'by the tool' > "$dir/tool.log" 2>&1 &&
    asks "$first" 'get tool\r\n' | grep -q '^by the tool' &&
    [ "$("$tern" cache get sim:1 --at 0 both)" = hello ] && "$tern" cache stat sim:0 | grep -q '^bytes  *4194304$' &&
    "$tern" cache delete sim:0 tool && ! "$tern" cache get sim:0 tool > "$dir/tool.log" 2>&1 &&
    grep -q 'cannot get tool' "$dir/tool.log"
tap $? "tern cache sets, gets, deletes and shows"

timeout 300 $python tests/system/cached/client.py "$first" "$second" "$dir/socket" > "$dir/python.log" 2>&1
tap $? "a client of Python finds what it expects"

head -c 100000 /dev/zero | tr '\0' x > "$dir/large"
{ printf 'set large 0 0 100000\r\n'; cat "$dir/large"; printf '\r\nquit\r\n'; } | timeout 60 "$talk" "$first" | grep -q STORED &&
    asks "$second" 'get large\r\n' | sed -n 2p | tr -d '\r\n' | cmp -s - "$dir/large"
tap $? "a value of 100 000 bytes is kept"

{ printf 'set a 0 0 600000\r\n'; head -c 600000 /dev/zero; printf '\r\nmn\r\nquit\r\n'; } | timeout 60 "$talk" "$first" |
    tr -d '\r' > "$dir/too_large"
[ "$(cat "$dir/too_large")" = "$(printf 'SERVER_ERROR object too large for cache\nMN')" ]
large=$?
answers "get $(head -c 251 /dev/zero | tr '\0' k)\r\n" 'CLIENT_ERROR bad command line format' &&
    answers 'set a 0 0 2\r\nabc\r\nmn\r\n' 'CLIENT_ERROR bad data chunk\nERROR\nMN' && [ $large = 0 ]
tap $? "a value, a key and data that are too long are refused"
printf '\200\000\000' | timeout 60 "$talk" "$first" | grep -q '^ERROR the binary protocol'
tap $? "the binary protocol is refused in words, and the connection ended"
{ printf 'set half 0 0 10\r\nabc'; head -c 3000 /dev/zero | tr '\0' x; printf '\r\nmn\r\nquit\r\n'; } |
    timeout 60 "$talk" "$first" | grep -q '^MN' && head -c 70000 /dev/zero | tr '\0' x | timeout 60 "$talk" "$first" |
    grep -q 'line too long'
tap $? "garbage and a line without an end have their answers"
timeout 60 "$talk" "$first" 30 > "$dir/held.log"
says=$(cat "$dir/held.log")
[ "$says" = 'ended 10' ] && answers 'mn\r\n' 'MN'
tap $? "connections beyond the limit are refused, and the others served"
asks "$first" 'stats\r\n' | grep -q '^STAT hits_by_pointer [1-9]' &&
    printf 'GET /metrics HTTP/1.0\r\n\r\n' | timeout 60 "$talk" "$metrics" | grep -q '^tern_cached_get_hits [1-9]'
tap $? "stats and metrics have figures"

memcached -u nobody -l 127.0.0.1 -p "$other" -U 0 > "$dir/peer.log" 2>&1 &
peer=$!
for _ in $(seq 100); do asks "$other" 'mn\r\n' 2> /dev/null | grep -q MN && break; sleep 0.05; done
asks "$first" 'flush_all\r\n' > /dev/null
timeout 600 "$B/tests/system/cached_same" "$other" "$first" $commands "${SEED:-1}" > "$dir/same.log"
tap $? "memcached answers the same to $commands random commands"

asks "$first" 'set kept 0 0 5\r\nstays\r\n' > /dev/null
kill -KILL "$served"
wait "$served" 2> /dev/null
served=
asks "$second" 'get kept\r\n' | grep -q '^stays' && asks "$second" 'set both 0 0 1\r\nx\r\nget both\r\n' | grep -q '^x'
tap $? "gets and sets go on when the process that serves the cache is killed"
kill "$front"
wait "$front"
tap $? "a front end ends well"
front=
stop_sim
tap $? "the simulator ends well"
echo "1..$number"
[ $failed = 0 ]

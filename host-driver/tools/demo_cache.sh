#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo_cache.sh [KEYS]
#
# memcached and `tern cached` side by side, with KEYS keys each. Then both servers are stopped by
# SIGSTOP. A client of memcached waits; a client of tern's other front end, on another node, gets
# keys and finds none where there are none, because the NIC of the stopped server serves it.
# TIER=soft or rtl. Needs memcached; $B/tests/system/cached_talk sends the commands.
#
# Exit status 0 only if each answer was right.
set -u
. "$(dirname "$0")/demo_lib.sh"
tier=${TIER:-rtl}
keys=${1:-}
[ -n "$keys" ] || { keys=200; [ "$tier" = rtl ] || keys=2000; }
talk=$B/tests/system/cached_talk
patience=${DEMO_PATIENCE_S:-5} # seconds for a client of a server that is stopped
port=$((20000 + $$ % 20000))

command -v memcached > /dev/null || fail "there is no memcached here"
case $keys in
*[!0-9]* | 0*) fail "KEYS=$keys is not a number from 1 on" ;;
esac

# lines COMMAND: the commands for all keys. Then `quit`.
sets() { awk -v n="$keys" 'BEGIN { for (i = 0; i < n; i++) { v = "value of " i; printf "set key-%d 0 0 %d\r\n%s\r\n", i, length(v), v }; printf "quit\r\n" }'; }
gets() { awk -v n="$keys" -v name="$1" 'BEGIN { for (i = 0; i < n; i++) printf "get %s-%d\r\n", name, i; printf "quit\r\n" }'; }

# ask PORT SECONDS: sends standard input; prints what came in that time.
ask() { timeout "$2" "$talk" "$1" 2> "$dir/ask.log" | tr -d '\r'; }

# right: counts the lines of standard input that are the value of the next key.
right() { awk '/^VALUE key-/ { key = substr($2, 5); getline; n += $0 == "value of " key } END { print n + 0 }'; }
ends() { grep -c '^END$'; }

say "starting a ring of 2 NICs, tier $tier"
start_sim 2x1x1 "$tier"
memcached -u nobody -l 127.0.0.1 -p "$port" -U 0 > "$dir/memcached.log" 2>&1 &
memcached=$!
"$bin/tern" cached sim:0 --serve 4m --port $((port + 1)) > "$dir/server.log" 2>&1 &
server=$!
processes="$memcached $server $sim"
trap 'kill -CONT $memcached $server 2> /dev/null; exit 130' INT TERM HUP
until grep -q '^ready' "$dir/server.log"; do
    kill -0 $server 2> /dev/null || { cat "$dir/server.log" >&2; fail "no server"; }
    sleep 0.1
done
"$bin/tern" cached sim:1 --at 0 --port $((port + 2)) > "$dir/front.log" 2>&1 &
front=$!
processes="$front $processes"
until grep -q '^ready' "$dir/front.log"; do
    kill -0 $front 2> /dev/null || { cat "$dir/front.log" >&2; fail "no front end"; }
    sleep 0.1
done

say "memcached, and tern cached: its server at node 0, a front end at node 1"
stored_m=$(sets | ask "$port" "$timeout_s" | grep -c '^STORED$')
stored_t=$(sets | ask $((port + 2)) "$timeout_s" | grep -c '^STORED$')
before_m=$(gets key | ask "$port" "$timeout_s" | right)
before_t=$(gets key | ask $((port + 2)) "$timeout_s" | right)

say "both servers are stopped by SIGSTOP"
kill -STOP $memcached $server
stopped_m=$(gets key | ask "$port" "$patience" | right)
stopped_t=$(gets key | ask $((port + 2)) "$timeout_s" | right)
none_m=$(gets none | ask "$port" "$patience" | ends)
none_t=$(gets none | ask $((port + 2)) "$timeout_s" | ends)
set_m=$(printf 'set late 0 0 1\r\nx\r\nquit\r\n' | ask "$port" "$patience" | grep -c '^STORED$')
set_t=$(printf 'set late 0 0 1\r\nx\r\nquit\r\n' | ask $((port + 2)) "$timeout_s" | grep -c '^STORED$')

say "both servers go on"
kill -CONT $memcached $server
after_m=$(gets key | ask "$port" "$timeout_s" | right)
after_t=$(gets key | ask $((port + 2)) "$timeout_s" | right)

row() { printf '  %-44s %12s %12s\n' "$1" "$2" "$3"; }
echo
row "of $keys keys each" memcached 'tern cached'
row 'set' "$stored_m" "$stored_t"
row 'got, and right' "$before_m" "$before_t"
row 'server stopped: got, and right' "$stopped_m" "$stopped_t"
row 'server stopped: keys that have no value' "$none_m" "$none_t"
row 'server stopped: one key set' "$set_m" "$set_t"
row 'server goes on: got, and right' "$after_m" "$after_t"
echo
for one in "$stored_m" "$stored_t" "$before_m" "$before_t" "$stopped_t" "$none_t" "$after_m" "$after_t"; do
    [ "$one" = "$keys" ] || fail "$one of $keys answers were right"
done
[ "$stopped_m" = 0 ] && [ "$none_m" = 0 ] && [ "$set_m" = 0 ] || fail "memcached answered while it was stopped"
[ "$set_t" = 1 ] || fail "a key could not be set while the server was stopped"
kill -TERM $front $server $memcached 2> /dev/null
wait $front
ended "front end" $? || fail "the front end failed"
processes=$sim
say "memcached's clients waited for $patience seconds each; tern's had all their answers from the NIC"

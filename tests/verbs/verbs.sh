# SPDX-License-Identifier: Apache-2.0
#
# Functions for the tests of verbs programs: a ring of two nodes, and both ends of a program on
# different ones. Sourced.

tier=${TIER:-soft}
TIER=$tier
. tests/system/demo/nics.sh
# Below the ports that Linux assigns to clients (32768 and above).
port=$((10000 + $$ * 37 % 20000))
server=

end_others() {
    [ -z "$server" ] || kill -KILL "$server" 2> /dev/null
}

# listening PORT: returns whether a socket listens there.
listening() {
    awk -v port=":$(printf '%04X' "$1")" \
        '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' /proc/net/tcp /proc/net/tcp6
}

# next_port: sets $port to the next one that no socket uses, in this test or in another that runs
# beside it.
next_port() {
    port=$((port + 1))
    while grep -qi "^ *[0-9]*: [0-9A-F]*:$(printf '%04X' $port) " /proc/net/tcp /proc/net/tcp6; do
        port=$((port + 1))
    done
}

# gid PROGRAM: prints its option for the GID.
gid() {
    case $1 in
    ib_*) echo "-F -x 1" ;;
    *) echo "-g 1" ;;
    esac
}

# start_server PROGRAM ARGUMENT...: starts it at node 0, in the background.
start_server() {
    timeout "$limit" "$tern" run "$@" > "$dir/server.log" 2>&1 &
    server=$!
}

# end_server: returns its exit status.
end_server() {
    wait "$server"
    served=$?
    server=
    return $served
}

limit=${LIMIT:-120}

# both PROGRAM ARGUMENT...: runs both ends, which connect by TCP; 0 if both succeed.
both() {
    program=$1
    shift
    next_port
    rm -f "$dir"/server.log "$dir"/client.log
    # shellcheck disable=SC2046 # several words
    start_server -- "$program" -d tern0 $(gid "$program") -p $port "$@"
    while ! listening $port && kill -0 $server 2> /dev/null; do
        sleep 0.05
    done
    # shellcheck disable=SC2046
    timeout "$limit" "$tern" run -- "$program" -d tern1 $(gid "$program") -p $port "$@" localhost > "$dir/client.log" 2>&1
    ended=$?
    end_server && [ $ended = 0 ]
}

# connected SERVER CLIENT: runs two command lines that connect by rdma_cm. A client that is too
# early tries again. The log has all tries.
connected() {
    rm -f "$dir"/server.log "$dir"/client.log
    # shellcheck disable=SC2086 # command lines
    start_server --node 0.0.0 -- $1
    for _ in $(seq 40); do
        sleep 0.25
        # shellcheck disable=SC2086
        timeout "$limit" "$tern" run --node 1.0.0 -- $2 >> "$dir/client.log" 2>&1
        ended=$?
        [ $ended != 0 ] && kill -0 $server 2> /dev/null || break
    done
    end_server && [ $ended = 0 ]
}

# runs PROGRAM ARGUMENT...: prints a test line for both ends of it, as often as TIMES says.
runs() {
    good=0
    for _ in $(seq "${TIMES:-1}"); do
        both "$@" || good=1
        [ $good = 0 ] || break
    done
    tap $good "$* runs between two nodes"
}

# runs_cm SERVER CLIENT: does the same for programs of rdma_cm.
runs_cm() {
    good=0
    for _ in $(seq "${TIMES:-1}"); do
        connected "$1" "$2" || good=1
        [ $good = 0 ] || break
    done
    tap $good "$1 and $2 find each other"
}

# part NAME ARGUMENT...: runs the program endures; its test lines become lines of this test.
part() {
    name=$1
    shift
    timeout "$limit" "$tern" run -- "$B/tests/verbs/endures" "$@" > "$dir/$name.log" 2>&1
    ended=$?
    while read -r line; do
        case $line in
        "ok "*) tap 0 "${line#ok * - }" ;;
        "not ok "*) tap 1 "${line#not ok * - }" ;;
        "# figures"*) echo "$line" ;;
        esac
    done < "$dir/$name.log"
    [ $ended = 0 ] || tap 1 "$name ends well"
}

done_testing() {
    echo "1..$number"
    exit $((failed != 0))
}

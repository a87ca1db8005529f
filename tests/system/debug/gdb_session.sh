#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs gdb on the firmware of one node of two, as a user does: a breakpoint in the put handler by
# its name, a put by a host process, and all commands of a usual session.
set -u

B=${B:-build}
tern=$B/bin/tern
fw=$B/fw/tern-fw.elf
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-gdb.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR

# tap STATUS NAME: one test line.
tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=$((failed + 1))
        sed 's/^/# gdb: /' "$dir/gdb.log" 2> /dev/null
        sed 's/^/# put: /' "$dir/put.log" 2> /dev/null
    fi
}

clean_up() {
    status=$?
    [ -z "$sim" ] || { kill -INT "$sim" && wait "$sim"; } 2> /dev/null
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start_sim ARGUMENT...: starts a ring of two nodes and waits for it.
start_sim() {
    mkdir "$TERN_SIM_DIR" && mkfifo "$dir/ready" || exit 1
    "$tern" sim --torus 2x1x1 --dir "$TERN_SIM_DIR" --firmware "$fw" --ready-fd 3 --gdb 0 "$@" \
        3> "$dir/ready" > "$dir/sim.log" 2>&1 &
    sim=$!
    read -r _ < "$dir/ready" || { cat "$dir/sim.log"; echo "Bail out! no simulator"; exit 1; }
}

# port NODE: the port that the simulator has printed for gdb.
port() {
    sed -n "s/^gdb: node $1 at localhost://p" "$dir/sim.log"
}

# mark NAME: prints a mark between answers.
mark() {
    printf 'echo \\n== %s\\n\n' "$1"
}

# put_from NODE NODE: a command that starts a put in the background; its log ends with its status.
put_from() {
    echo "{ $tern put --from sim:$1 --to sim:$2 --data hello; echo status \$?; } > $dir/put.log 2>&1 &"
}

# The put starts while node 0 is halted; it advances only as far as gdb lets the firmware run.
commands() {
    echo 'set pagination off'
    echo 'set confirm off'
    echo "target remote localhost:$(port 0)"
    mark attached
    echo 'print $pc < 0x8000'
    echo 'break fw_put'
    echo "shell $(put_from 0 1)"
    echo 'continue'
    mark where
    echo 'backtrace'
    mark values
    echo 'print (event >> 16 & 0xff) == TERN_OP_PUT'
    echo 'print fw == &state'
    echo 'print $a0 == (unsigned)fw'
    mark line
    echo 'next'
    mark step
    echo 'set $before = $minstret'
    echo 'stepi'
    echo 'print $minstret - $before'
    echo 'finish' # the step was into an inlined function
    mark finish
    echo 'finish'
    mark memory
    echo 'set $puts = &state.stat[TERN_STAT_fw_puts - TERN_STAT_fw_gets]'
    echo 'print *$puts'
    echo 'set *$puts = 1000'
    echo 'print *$puts'
    mark csr
    echo 'print/x $mhartid'
    echo 'monitor cycles'
    mark again
    echo 'delete'
    echo 'tbreak run_done'
    echo 'continue'
    mark operation
    echo 'backtrace'
    echo 'detach'
}

# The commands of docs/debugging.md, at node 1.
page() {
    echo 'set pagination off'
    echo 'set confirm off'
    sed -n 's/^    (gdb) //p' docs/debugging.md |
        awk -v port="$(port 1)" -v put="$(put_from 1 0)" '
            /^target remote/ { sub(/[0-9]+$/, port) }
            $0 == "continue" && !started++ { print "shell " put }
            { print }'
}

# after MARK: gdb's output after the mark, up to the next mark.
after() {
    awk -v mark="== $1" '/^== / { on = $0 == mark; next } on' "$dir/gdb.log"
}

shows() {
    after "$1" | grep -q -e "$2"
}

# put_ends: waits until the put has succeeded.
put_ends() {
    tries=600
    until grep -q '^status' "$dir/put.log" || [ $tries = 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    grep -q '^status 0$' "$dir/put.log" && grep -q '^1 put of 5 bytes' "$dir/put.log"
}

start_sim
commands > "$dir/commands"
timeout 300 gdb-multiarch -nx -batch -x "$dir/commands" "$fw" > "$dir/gdb.log" 2>&1
gdb_status=$?

[ $gdb_status = 0 ] && shows attached '^\$1 = 1' && shows attached '^Breakpoint 1 at 0x.*fw/op/'
tap $? "gdb attaches to the firmware of a node"

shows attached '^Breakpoint 1, fw_put (.*event=' &&
    shows where '^#0 .*fw_put (.*) at fw/op/put.c:' && shows where '^#. .* in main () at fw/boot/main.c:'
tap $? "a breakpoint in the put handler is met, with its callers"

shows values '^\$2 = 1$' && shows values '^\$3 = 1$' && shows values '^\$4 = 1$'
tap $? "variables and registers are shown"

shows line '^[1-9][0-9]*	' && shows step '^\$5 = 1$'
tap $? "it goes on by a line, and by one instruction"

shows finish '^\(fw_step\|main\) (.*) at fw/' # whichever the compiler left as a function
tap $? "finish runs to the caller"

shows memory '^\$6 = 1$' && shows memory '^\$7 = 1000$' && shows csr '^\$8 = 0x0$' &&
    shows csr '^node 0, cycle [0-9]*$'
tap $? "memory is changed, CSRs are shown"

shows again '^Temporary breakpoint 2, .*run_done (' && shows operation '^#[1-9] .*main () at'
tap $? "the end of the operation is met as well"

put_ends
tap $? "the put completes when gdb is gone"

"$tern" stat sim:0 > "$dir/stat.log" && grep -q '^fw_puts  *1000 ' "$dir/stat.log"
tap $? "the host sees what gdb wrote"

[ $failed != 0 ] ||
    echo "# evidence B3.5.2 breakpoint=fw_put frames=$(after where | grep -c '^#') put=$(
        sed -n 's/^status //p' "$dir/put.log") counter=1000"

page > "$dir/commands"
timeout 300 gdb-multiarch -nx -batch -x "$dir/commands" "$fw" > "$dir/gdb.log" 2>&1 &&
    grep -q '^Breakpoint 1, fw_put (' "$dir/gdb.log" && grep -q '^node 1, cycle' "$dir/gdb.log" &&
    grep -q '^Temporary breakpoint 2, .*run_done (' "$dir/gdb.log" && put_ends
tap $? "the session of docs/debugging.md works, at another node"

echo "1..$number"
[ $failed = 0 ]

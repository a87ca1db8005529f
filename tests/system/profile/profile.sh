#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The profiler on a ring of two: host processes put from one node to the other, and the tables and
# the flame graph of both account for every cycle. Then all errors of a trace, a firmware and an
# output.
set -u

B=${B:-build}
RVPREFIX=${RVPREFIX:-riscv64-unknown-elf-}
tern=$B/bin/tern
elf=$B/fw/tern-fw.elf
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-profile.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR

# tap STATUS NAME: prints a test line; a failure also shows the last output.
tap() {
    number=$((number + 1))
    [ "$1" = 0 ] && echo "ok $number - $2" && return
    echo "not ok $number - $2"
    failed=$((failed + 1))
    head -n 40 "$dir/out" "$dir/err" 2> /dev/null | sed 's/^/# /'
}

clean_up() {
    status=$?
    [ -z "$sim" ] || { kill -KILL "$sim" 2> /dev/null; wait "$sim" 2> /dev/null; }
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start_sim ARGUMENT...: starts a ring of two nodes and waits for it.
start_sim() {
    rm -rf "$TERN_SIM_DIR" "$dir/ready"
    mkdir "$TERN_SIM_DIR" && mkfifo "$dir/ready" || exit 1
    "$tern" sim --torus 2x1x1 --firmware "$elf" --ready-fd 3 "$@" 3> "$dir/ready" \
        > "$dir/sim.log" 2>&1 &
    sim=$!
    read -r _ < "$dir/ready" || { cat "$dir/sim.log"; echo "Bail out! no simulator"; exit 1; }
}

# stop_sim SIGNAL: ends the simulator; returns its status.
stop_sim() {
    kill "-$1" "$sim"
    wait "$sim" 2> /dev/null
    stopped=$?
    sim=
    return $stopped
}

# profile ARGUMENT...: runs the profiler, with its output in $dir/out and its errors in $dir/err.
profile() { "$tern" profile "$@" > "$dir/out" 2> "$dir/err"; }

# refuses NAME PATTERN ARGUMENT...: checks that the profiler prints that error, no table, and fails.
refusals=0
refuses() {
    name=$1 pattern=$2
    shift 2
    profile "$@"
    status=$?
    [ $status = 1 ] && [ ! -s "$dir/out" ] && grep -q "^tern profile: .*$pattern" "$dir/err"
    result=$?
    refusals=$((refusals + 1))
    tap $result "$name"
}

# share NAME: a figure of the summary.
share() { awk -v what="$1" '/^function|source line/ { exit } $3 == what { print $1 }' "$dir/out"; }
total() { sed -n 's/^node .*: \([0-9]*\) cycles, .*/\1/p' "$dir/out"; }
last() { sed -n 's/^node .* to \([0-9]*\): .*/\1/p' "$dir/out"; }
column() { awk -v name="$1" -v n="$2" '$1 == name && NF == 7 { print $n; exit }' "$dir/out"; }

# Adds up the rows of the table of functions.
table_sum() {
    awk '$1 == "function" { on = 1; next } $1 == "sum" { exit } on { n += $2 } END { print n + 0 }' \
        "$dir/out"
}

# Checks that the summary adds up to the whole, and the table to the busy cycles.
adds_up() {
    busy=$(share busy)
    asleep=$(share asleep) reset=$(share in) unfinished=$(share for)
    [ $((busy + ${asleep:-0} + ${reset:-0} + ${unfinished:-0})) = "$(total)" ] &&
        [ "$(column sum 2)" = "$busy" ] &&
        [ "$(table_sum)" = "$busy" ]
}

# --- without a host: every run is the same ------------------------------------
for run in 1 2; do
    "$tern" sim --torus 2x1x1 --firmware "$elf" --max-cycles 60000 \
        "--retire-trace=$dir/boot$run,node=1" \
        > "$dir/sim.log" 2>&1
done
cmp -s "$dir/boot1" "$dir/boot2"
tap $? "two runs alike write the same trace"
profile "$dir/boot1" --elf "$elf" --top 0 --svg "$dir/1.svg" --folded "$dir/1.folded" &&
    mv "$dir/out" "$dir/first" &&
    cp "$dir/boot1" "$dir/boot" && mv "$dir/boot" "$dir/boot1" &&
    profile "$dir/boot1" --elf "$elf" --top 0 --svg "$dir/2.svg" --folded "$dir/2.folded" &&
    cmp -s "$dir/first" "$dir/out" && cmp -s "$dir/1.svg" "$dir/2.svg" &&
        cmp -s "$dir/1.folded" "$dir/2.folded" &&
    grep -q '^node 1\.0\.0, cycles 0 to 60000: 60000 cycles, ' "$dir/out"
tap $? "two profiles of a trace are the same"

# ---- puts by host processes ------------------------------------------------------------------
puts=300
start_sim "--retire-trace=$dir/origin" "--retire-trace=$dir/target,node=1" \
    "--trace-events=$dir/events"
"$tern" put --from sim:0 --to sim:1 --bytes 64 --count $puts > "$dir/put" 2>&1
put_status=$?
"$tern" recv sim:1 > "$dir/recv" 2>&1 &
receiver=$!
for _ in $(seq 6000); do
    pointer=$(grep -oE '\b[0-9a-f]{32}\b' "$dir/recv") && break
    sleep 0.01
done
"$tern" put --from sim:0 --to "$pointer" --data "the last one" >> "$dir/put" 2>&1 || put_status=1
wait "$receiver" && grep -q 'the last one' "$dir/recv" || put_status=1
cat "$dir/put" > "$dir/out"
tap $put_status "puts are done while the cores are traced"
stop_sim INT
tap $? "the simulator ends well and completes its traces"

profile "$dir/origin" --svg "$dir/origin.svg" --folded "$dir/origin.folded" && adds_up
result=$?
cycles=$(total) handler=$(column fw_puts 2)
echo "# evidence B3.5.1 cycles=$cycles busy=$(share busy)"
tap $result "with no option the table fits a terminal and adds up to every cycle of the trace"
[ "$(awk '{ print length }' "$dir/out" | sort -n | tail -n 1)" -le 80 ]
tap $? "no line is wider than 80 columns"

profile "$dir/origin" --top 0
[ "${handler:-0}" -gt $puts ] && [ "$(column fw_put 7)" -ge 1 ] && [ "$(column fw_puts 7)" -ge 1 ]
result=$?
echo "# evidence B3.5.1 put_handler_cycles=$handler"
tap $result "the put handler is among the functions"
awk '/ fw\/op\/quick\.c:[0-9]+  *run_/ { found += $3 } END { exit found < 4 * '$puts' }' "$dir/out"
tap $? "the lines of what is inlined in the put handler are counted"
line=$(sed -n 's|.* fw/op/quick\.c:\([0-9]*\) .*|\1|p' "$dir/out" | head -n 1)
text=$(sed -n "${line}s/^ *//p" fw/op/quick.c | cut -c 1-50)
shown=$(grep -A 1 -m 1 ' fw/op/quick\.c:' "$dir/out" | sed -n '2s/^ *//p')
[ -n "$text" ] && [ "$text" = "$shown" ]
tap $? "source lines stand with their text"

for frame in main fw_step fw_puts fw_put run_one; do
    grep -q "<title>$frame: [0-9]* cycles" "$dir/origin.svg" || echo "no frame $frame"
done > "$dir/out"
grep -qE '^_start;main;fw_step;fw_puts;run_one[a-z0-9_;]* [0-9]+$' "$dir/origin.folded" ||
    echo "no path" >> "$dir/out"
frames=$(grep -c '<title>' "$dir/origin.svg")
echo "# evidence B3.5.1 frames=$frames"
[ ! -s "$dir/out" ]
tap $? "the flame graph has the put handler in it, and what is inlined there"
[ "$frames" = "$(grep -c '</g>$' "$dir/origin.svg")" ] &&
    [ "$(tail -n 1 "$dir/origin.svg")" = "</svg>" ]
tap $? "the flame graph is whole"
profile "$dir/origin"
[ "$(awk '{ n += $NF } END { print n }' "$dir/origin.folded")" = "$(share busy)" ]
tap $? "the folded paths add up to the busy cycles"

# The trace shows when the core sleeps; wfi takes a few cycles more than that.
profile "$dir/origin"
awk -v asleep="$(share asleep)" -v end="$cycles" '
    /"CORE_(SLEEP|WAKE)"/ && /"ph":"i"/ && /"pid":0,/ {
        match($0, /"ts":[0-9]+/)
        at = substr($0, RSTART + 5, RLENGTH - 5)
        if (/CORE_SLEEP/) { since = at; naps++ } else { slept += at - since; since = "" }
    }
    END {
        if (since != "") slept += end - since
        print "# evidence B3.5.1 asleep=" asleep " asleep_by_the_chip=" slept " naps=" naps
        exit !(naps > 10 && asleep >= slept && asleep <= slept + 16 * naps)
    }' "$dir/events"
tap $? "sleep is what the chip itself says of its core"

half=$((cycles / 2))
profile "$dir/origin" --to $half --top 0 && adds_up && before=$(total) busy_before=$(share busy) &&
    profile "$dir/origin" --from $half --top 0 && adds_up &&
        [ $((before + $(total))) = "$cycles" ] &&
    busy_after=$(share busy) && profile "$dir/origin" &&
    [ $((busy_before + busy_after)) = "$(share busy)" ] &&
    profile "$dir/origin" --from $((half - 50)) --to $((half + 1000)) && adds_up &&
        [ "$(total)" = 1050 ]
tap $? "windows add up to the whole"

profile "$dir/target" --top 0 && adds_up && grep -q '^node 1\.0\.0, ' "$dir/out" &&
    [ "$(last)" = "$cycles" ]
tap $? "the other node has a trace of its own, as long"

profile "$dir/origin" --lines --top 3 && ! grep -q '^function' "$dir/out" &&
    [ "$(grep -c '\.[chS]:[0-9]' "$dir/out")" = 3 ]
tap $? "source lines alone, as many as asked for"

mkdir -p "$dir/i/bin" "$dir/i/libexec/tern" "$dir/i/share/tern"
cp "$tern" "$dir/i/bin/" && cp "$B/bin/tern-profile" "$dir/i/libexec/tern/" &&
    cp "$elf" "$dir/i/share/tern/" &&
    "$dir/i/bin/tern" profile "$dir/origin" > "$dir/out" 2> "$dir/err" && adds_up
tap $? "the installed tool finds the installed firmware"

# ---- firmware --------------------------------------------------------------------------------
"${RVPREFIX}objcopy" --strip-debug "$elf" "$dir/plain.elf" && profile "$dir/origin" \
    --elf "$dir/plain.elf" --top 0 &&
    adds_up && [ "$(column fw_puts 2)" = "$handler" ] && grep -q '(no line)' "$dir/out"
tap $? "without debug information the functions are still there"
"$B/fw/mkimage" "$dir/plain.elf" "$dir/plain.img" > "$dir/out" 2>&1 &&
    cmp -s "$dir/plain.img" "$B/fw/tern-fw.img"
tap $? "debug information does not change the image"
"${RVPREFIX}strip" -o "$dir/stripped.elf" "$elf"
refuses "a stripped firmware is refused" 'it was stripped' "$dir/origin" --elf "$dir/stripped.elf"
refuses "another firmware is refused" 'not the firmware of the trace' "$dir/origin" \
    --elf "$B/fw/tern-fw-noput.elf"
refuses "a program for another machine is refused" 'not for a 32-bit RISC-V' "$dir/origin" \
    --elf /bin/sh
refuses "a file that is no program is refused" 'not an ELF file' "$dir/origin" --elf README.md
refuses "a missing firmware is named" 'no-such.elf: No such file' "$dir/origin" \
    --elf "$dir/no-such.elf"
head -c 20000 "$elf" > "$dir/short.elf"
refuses "a truncated firmware is refused" 'short.elf: ' "$dir/origin" --elf "$dir/short.elf"

# ---- traces ----------------------------------------------------------------------------------
refuses "a missing trace is named" 'no-such: No such file' "$dir/no-such"
refuses "a firmware is no trace" 'not a retire trace' "$elf"
head -c 700 "$dir/origin" > "$dir/short"
refuses "a truncated trace is refused" 'ends in the middle, after [0-9]* instructions' "$dir/short"
{ head -c 1000 "$dir/origin"; echo damage; tail -c +1008 "$dir/origin"; } > "$dir/damaged"
refuses "a damaged trace is refused" '\(damaged\|ends in the middle,\) after [0-9]* instructions' \
    "$dir/damaged"
refuses "a window outside the trace is refused" 'no cycle to count: it is from 0 to ' \
    "$dir/origin" \
    --from 4000000000
profile "$dir/boot1" --elf "$elf" --svg /dev/full
[ $? = 1 ] && grep -q '^tern profile: /dev/full: cannot be written: No space left' "$dir/err"
tap $? "a picture that cannot be written is reported"
"$tern" profile "$dir/boot1" --elf "$elf" > /dev/full 2> "$dir/err"
[ $? = 1 ] && grep -q '^tern profile: the tables cannot be written' "$dir/err"
tap $? "tables that cannot be written are reported"
echo "# evidence B3.5.1 refusals=$refusals"
profile "$dir/origin" --from 5 --to 5
[ $? = 2 ] && grep -q 'must be less than' "$dir/err"
tap $? "an empty window is refused"
profile
[ $? = 2 ] && grep -q 'Usage: tern profile' "$dir/err"
tap $? "without a trace the usage is shown"

# --- writing traces -----------------------------------------------------------
start_sim "--retire-trace=$dir/killed"
"$tern" put --from sim:0 --to sim:1 --count 200 > "$dir/put" 2>&1
stop_sim KILL
refuses "the trace of a simulator that was killed is refused" \
    'ends in the middle\|not a retire trace' "$dir/killed"

# sim_refuses NAME PATTERN ARGUMENT...: checks that the simulator fails with that message.
sim_refuses() {
    name=$1 pattern=$2
    shift 2
    ! "$tern" sim --torus 2x1x1 --firmware "$elf" --max-cycles 30000 "$@" \
        > "$dir/out" 2> "$dir/err" && grep -q "$pattern" "$dir/err"
    tap $? "$name"
}
sim_refuses "a full disk is reported" '/dev/full: No space left' --retire-trace=/dev/full
sim_refuses "a trace that cannot be made is reported" 'no-such/x: No such file' \
    "--retire-trace=$dir/no-such/x"
sim_refuses "the trace of a node that is not there is refused" 'no such node' \
    "--retire-trace=$dir/x,node=2"
sim_refuses "two traces of one node are refused" 'named twice' "--retire-trace=$dir/x" \
    "--retire-trace=$dir/y"
sim_refuses "a trace without a name is refused" 'wants FILE' --retire-trace=,node=1

echo "1..$number"
[ $failed = 0 ]

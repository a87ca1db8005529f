#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern dag between processes on a ring of two: graphs of make-like files and of WfFormat are checked, drawn and run, and
# leave what GNU make leaves; commands that fail, hang or are missing end the graph; bad files are refused with the line
# and the name.  On the tier TIER.
set -u
. tests/system/demo/nics.sh
lease=2000 wide=40
[ "$tier" = soft ] || lease=60000 wide=3
root=$(pwd)
case $tern in /*) ;; *) tern=$root/$tern ;; esac

end_others() {
    [ -z "${other:-}" ] || kill -KILL "$other" 2> /dev/null
}

# says LOG PATTERN: it has it.
says() { grep -q -- "$2" "$dir/$1.log"; }

# dag ARGUMENT...: in the folder $here; the exit status is that of the command.
dag() { (cd "$here" && "$tern" dag "$@" --lease $lease) > "$dir/dag.log" 2>&1; }

# refused NAME STATUS PATTERN: check of $dir/bad.
refused() {
    "$tern" dag check "$dir/bad" > "$dir/bad.log" 2>&1
    [ $? = 1 ] && says bad "$2"
    tap $? "$1"
}

figure() { sed -n "s/^$1=//p" "$dir/report"; }

here=$dir/tern
mkdir "$dir/tern" "$dir/make"

# A graph with a fan-out, a fan-in, and lines of two commands.
{
    printf 'all: sum\n\tcp sum all\n'
    printf 'sum:'
    for i in $(seq $wide); do printf ' part%d' "$i"; done
    printf '\n\tcat $^ > $@\n\techo end >> $@\n'
    for i in $(seq $wide); do printf 'part%d: seed\n\techo %d > $@\n\tcat $< >> $@\n' "$i" "$i"; done
    printf '# the first one\nseed:\n\tprintf "a seed\\n" > $@\n'
} > "$dir/make/Makefile"
cp "$dir/make/Makefile" "$dir/tern"

"$tern" dag check "$dir/make/Makefile" > "$dir/check.log" 2>&1 && says check "$((wide + 3)) nodes, $((2 * wide + 1)) edges"
tap $? "a make-like file is read: nodes and edges are counted"
"$tern" dag show "$dir/make/Makefile" > "$dir/show.dot" 2> "$dir/show.log" && grep -q '"seed" -> "part1"' "$dir/show.dot" &&
    [ "$(grep -c -- '->' "$dir/show.dot")" = $((2 * wide + 1)) ] && { ! command -v dot > /dev/null || dot -Tsvg "$dir/show.dot" > /dev/null; }
tap $? "it is drawn for graphviz"

start_sim --torus 2x1x1
dag run sim:0 Makefile --workers 2 --report "$dir/report" --trace "$dir/trace.json" && says dag "$((wide + 3)) done" &&
    [ "$(figure done)" = $((wide + 3)) ]
tap $? "two workers run the graph"
(cd "$dir/make" && make -s -j2 > /dev/null 2>&1) && diff -r "$dir/make" "$dir/tern" > "$dir/diff.log" 2>&1
tap $? "the files are those that GNU make leaves, byte for byte"
grep -q '^{"traceEvents":\[' "$dir/trace.json" && [ "$(grep -c '"ph":"X"' "$dir/trace.json")" = $((wide + 3)) ]
tap $? "the trace has each node once"
grep -q '"name":"part1"' "$dir/trace.json"
tap $? "the trace names the nodes"

# Another process, at the other node, joins; status shows the graph. Each of two nodes waits for the other one, so one
# worker cannot run both.
wait_for='i=0; while [ $$i -lt 1200 ] && [ ! -e'
printf 'a:\n\ttouch a.on; %s b.on ]; do sleep 0.05; i=$$((i + 1)); done; test -e b.on\n' "$wait_for" > "$dir/tern/slow"
printf 'b:\n\ttouch b.on; %s a.on ]; do sleep 0.05; i=$$((i + 1)); done; test -e a.on\n' "$wait_for" >> "$dir/tern/slow"
printf 'c: a b\n\ttrue\n' >> "$dir/tern/slow"
dag run sim:0 slow --trace "$dir/trace.svg" &
served=$!
tries=0
until (cd "$here" && "$tern" dag status sim:1 --at 0) > "$dir/status.log" 2>&1 && says status "^running: 3 nodes"; do
    tries=$((tries + 1))
    [ $tries -lt 120 ] || break
    sleep 0.5
done
says status "^running: 3 nodes"
tap $? "status shows a graph that runs"
"$tern" top sim:1 --once --interval 10 --dag 0 > "$dir/top.log" 2>&1 && grep -q '^graph at 0: \[[#.]*\] running: 3 nodes' "$dir/top.log"
tap $? "so does the live page of all NICs"
(cd "$here" && "$tern" dag run sim:1 --join 0) > "$dir/join.log" 2>&1
status=$?
wait $served
[ $? = 0 ] && [ $status = 0 ] && says join "3 done" && says dag "3 done" && ! says join " 0 here"
tap $? "a worker of another node takes its part"
grep -q '<rect' "$dir/trace.svg" && [ "$(grep -c '<rect' "$dir/trace.svg")" = 3 ]
tap $? "the timeline is a picture with each node"

# WfFormat.
cat > "$dir/tern/flow.json" << 'EOS'
{"name": "flow", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [
  {"name": "a", "id": "a1", "parents": [], "children": ["b1", "b2"]},
  {"name": "b", "id": "b1", "parents": ["a1"], "children": ["c1"]},
  {"name": "b", "id": "b2", "parents": ["a1"], "children": ["c1"]},
  {"name": "c", "id": "c1", "parents": ["b1", "b2"], "children": []}], "files": []},
  "execution": {"makespanInSeconds": 1, "executedAt": "", "tasks": []}}}
EOS
if [ "$tier" = soft ]; then
    dag run sim:0 flow.json --report "$dir/report" && [ "$(figure done)" = 4 ]
    tap $? "a graph of WfFormat is run"
fi
sed 's/"1.5"/"1.3"/; s/"specification": {"tasks"/"tasks"/; s/\], "files": \[\]},/],/; s/"id": "\(..\)"/"x": 0/; s/"name": "[abc]", "x": 0/"name": "@"/' "$dir/tern/flow.json" |
    awk '{ while (sub(/"@"/, "\"" substr("a1b1b2c1", 1 + 2 * n, 2) "\"")) n++; print }' > "$dir/tern/old.json"
"$tern" dag check "$dir/tern/old.json" > "$dir/check.log" 2>&1 && says check "4 nodes, 4 edges"
tap $? "and one of the form before identifiers"

# What fails ends the graph.
printf 'late: bad\n\ttouch late\nbad:\n\tfalse\nfine:\n\ttrue\n' > "$dir/tern/failing"
dag run sim:0 failing
[ $? = 1 ] && says dag "FAILED: bad" && [ ! -e "$dir/tern/late" ]
tap $? "a command that fails ends the graph, and is named"
if [ "$tier" = soft ]; then
    printf 'late: gone\n\ttouch late\ngone:\n\tno-such-command-here\n' > "$dir/tern/missing"
    dag run sim:0 missing
    [ $? = 1 ] && says dag "FAILED: gone" && [ ! -e "$dir/tern/late" ]
    tap $? "and so does a command that is not there"
    printf 'stuck:\n\tsleep 1000\n' > "$dir/tern/hanging"
    dag run sim:0 hanging --limit 300
    [ $? = 1 ] && says dag "FAILED: stuck"
    tap $? "and one that hangs beyond its limit"
    rm -f "$dir/tern/try"
    printf 'again:\n\techo x >> try; test $$(wc -l < try) = 3\n' > "$dir/tern/tries"
    dag run sim:0 tries --tries 3 && [ "$(grep -c x "$dir/tern/try")" = 3 ]
    tap $? "a command is tried as often as it may be"
fi
stop_sim
tap $? "the NICs end well"

# What is refused.
printf 'a: c\n\ttrue\nb: a\n\ttrue\nc: b\n\ttrue\nd: c\n\ttrue\n' > "$dir/bad"
refused "a cycle is refused, with its nodes" "cycle: \(a -> b -> c -> a\|b -> c -> a -> b\|c -> a -> b -> c\)$"
printf 'a:\n\ttrue\n\na: \n\ttrue\n' > "$dir/bad"
refused "two rules for a target are refused, with the line" "line 4: there are two rules for a"
printf 'a: no-such-file\n\ttrue\n' > "$dir/bad"
refused "an input that is neither target nor file is refused" "line 1: a needs no-such-file"
printf 'a:\n\ttrue\nwhat is this\n' > "$dir/bad"
refused "a line that is no rule is refused" "line 3: neither"
sed 's/"parents": \["a1"\]/"parents": ["zz"]/' "$dir/tern/flow.json" > "$dir/bad"
refused "an unknown parent is refused, with both names" "task b1: parent zz is unknown"
sed 's/"id": "b2"/"id": "b1"/' "$dir/tern/flow.json" > "$dir/bad"
refused "a task that is there twice is refused" "two tasks b1"
head -c 200 "$dir/tern/flow.json" > "$dir/bad"
refused "a truncated file is refused, with the line" "line 3: "
echo "1..$number"
[ $failed = 0 ]

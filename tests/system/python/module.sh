#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The module `tern` against simulated NICs: its own tests, and both examples.
set -u
. tests/system/demo/nics.sh
python=/usr/bin/python3
[ -x $python ] || python=python3
if [ ! -f "$B/python/tern.so" ]; then
    echo "1..1"
    echo "ok 1 - the module of Python # SKIP no headers of Python where it was built"
    exit 0
fi
PYTHONPATH=$(pwd)/$B/python
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

start_sim --torus 2x1x1
for part in module calls; do
    timeout 300 $python tests/system/python/$part.py "$tier" > "$dir/$part.out" 2>&1
    ended=$?
    awk -v n=$number '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) } !/^1\.\./' "$dir/$part.out" > "$dir/$part.lines"
    number=$((number + $(grep -c '^\(not \)*ok' "$dir/$part.lines")))
    cat "$dir/$part.lines"
    grep -q '^not ok' "$dir/$part.lines" && failed=$((failed + 1))
    [ $ended = 0 ] && grep -q '^1\.\.' "$dir/$part.out"
    tap $? "the tests of $part.py end"
done
timeout 120 $python examples/python/put.py sim:0 sim:1 "hello from afar" > "$dir/put.log" 2>&1 &&
    grep -qx 'the target holds "hello from afar"' "$dir/put.log"
tap $? "the example put.py writes a text into another node's memory"
timeout 120 $python examples/python/calls.py sim:0 sim:1 20 > "$dir/calls.log" 2>&1 &&
    grep -qx '20 calls: built 1, found 19; 20 executions: 20 words written' "$dir/calls.log"
tap $? "the example calls.py builds a call once, and executes a prepared one"
for file in examples/python/*.py; do
    grep -q "$file" tests/system/python/module.sh || echo "$file"
done > "$dir/untested.log"
[ ! -s "$dir/untested.log" ]
tap $? "every example in Python is tested"
stop_sim
tap $? "the simulator ends well"
echo "1..$number"
[ $failed = 0 ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The test suite of pyverbs, as the installed release of rdma-core has it. Each skip must be
# allowed, with a reason, in tests/verbs/pyverbs.def.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
suite=/usr/share/doc/rdma-core/tests
[ -d "$suite" ] || suite=/usr/share/doc/python3-pyverbs/tests

cp -r "$suite" "$dir/tests" && gunzip -qf "$dir"/tests/*.gz 2> /dev/null
rm -f "$dir"/tests/test_mlx5* "$dir"/tests/test_efa*
tern=$(pwd)/$tern
(cd "$dir" && timeout "$limit" "$tern" run --node 0.0.0 -- /usr/bin/python3 tests/run_tests.py -v --dev tern0 --gid 1 --port 1) \
    > "$dir/pyverbs.log" 2>&1
tap $? "no test of pyverbs fails"

ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$dir/pyverbs.log")
skipped=$(sed -n 's/^OK (skipped=\([0-9]*\)).*/\1/p' "$dir/pyverbs.log")
passed=$((${ran:-0} - ${skipped:-0}))
[ $passed -ge 86 ]
tap $? "86 tests of pyverbs or more pass"
echo "# figures ran=${ran:-0} passed=$passed skipped=${skipped:-0}"

# Each line of the list is a basic regular expression that matches a reason printed by pyverbs.
sed -n 's/^PYVERBS_SKIP("\(.*\)", *"[^"]*")$/\1/p' tests/verbs/pyverbs.def > "$dir/allowed"
sed -n "s/.*\.\.\. skipped ['\"]\(.*\)['\"]\$/\1/p" "$dir/pyverbs.log" | grep -v -f "$dir/allowed" > "$dir/others.log"
! [ -s "$dir/others.log" ] && [ -s "$dir/allowed" ]
tap $? "pyverbs skips what is allowed, and nothing else"
done_testing

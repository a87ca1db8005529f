#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests/verbs/differences.c between two nodes of the soft tier, and checks that each row of the
# table of docs/verbs.md names a test that exists.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
timeout "$limit" "$tern" run -- "$B/tests/verbs/differences" > "$dir/differences.tap"
ended=$?
sed '/^1\.\./d' "$dir/differences.tap"
number=$(grep -c '^ok\|^not ok' "$dir/differences.tap")
[ $ended = 0 ] && grep -q '^1\.\.' "$dir/differences.tap"
tap $? "the program ends well"

# A row ends with the programs and their lines, as `program`: line; `program`: line.
awk -F '|' '/^## Differences/ { on = 1; next } /^## / { on = 0 }
    on && NF > 4 && $2 !~ /^ what |^---/ { print $(NF - 1) }' docs/verbs.md > "$dir/rows"
rows=0 without=
while read -r row; do
    rows=$((rows + 1))
    echo "$row" | tr ';' '\n' > "$dir/row"
    while read -r one; do
        program=$(echo "$one" | sed -n 's/^`\([a-z_]*\)`: .*/\1/p')
        line=$(echo "$one" | sed 's/^[^:]*: //')
        sources=$(ls "tests/verbs/$program.sh" "tests/verbs/$program".[cd]* tests/verbs/endures.c tests/verbs/states.c 2> /dev/null)
        # shellcheck disable=SC2086 # several files
        [ -n "$program" ] && [ -e "tests/verbs/$program.sh" ] && grep -qF -e "$line" $sources || without="$without [$one]"
    done < "$dir/row"
done < "$dir/rows"
[ $rows -ge 20 ] && [ -z "$without" ]
tap $? "each row of the table in docs/verbs.md names a test:${without:- none is missing}"
echo "# figures rows=$rows"
done_testing

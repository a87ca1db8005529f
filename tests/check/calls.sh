#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that tests with each host in a process of its own make every call of the public headers;
# calls.def lists those tests.
set -u
. tests/check/lib.sh

# Declarations begin at the left margin; the name is the word before the first parenthesis.
code_of '^host-driver/include/tern/.*\.h$' | sed 's/^[^:]*:[0-9]*://' |
    sed -n 's/^[a-z][a-z0-9_ *]*[ *]\(tern_[a-z0-9_]*\)(.*/\1/p' | grep -v '_fn$' | sort -u > "$work/calls"

sed -n 's/^PROCESSES(\(.*\))$/\1/p' tests/check/calls.def > "$work/tests"
while read -r source; do
    [ -f "$source" ] || { echo "$source is no file" >> "$work/lost"; continue; }
    grep -q 'child_start\|workers_start\|fork()' "$source" "$(dirname "$source")/chaos.c" 2> "$work/ignored" ||
        echo "$source starts no process" >> "$work/lost"
done < "$work/tests"
touch "$work/lost"
empty "$work/lost" "the tests with hosts of their own are there"

pattern=$(sed 's/.*/^&$/' "$work/tests" | paste -s -d '|' | sed 's/\./\\./g')
code_of "$pattern" | sed 's/^[^:]*:[0-9]*://' | grep -o 'tern_[a-z0-9_]*(' | tr -d '(' | sort -u > "$work/made"

# The inline function NAME() of a header calls NAME_sized().
grep -xF -f "$work/made" "$work/calls" | sed 's/$/_sized/' >> "$work/made"
sed -n 's/^static inline [a-z0-9_ *]*[ *]\(tern_[a-z0-9_]*\)(.*/\1/p' host-driver/include/tern/*.h |
    grep -xF -f "$work/made" | sed 's/$/_sized/' >> "$work/made"
sort -u -o "$work/made" "$work/made"

comm -23 "$work/calls" "$work/made" > "$work/found"
empty "$work/found" "every public call is made by hosts that are processes of their own"

calls=$(grep -c . "$work/calls")
made=$(comm -12 "$work/calls" "$work/made" | grep -c .)
echo "# evidence K3 calls=$calls made=$made"
[ "$calls" -ge 40 ]
verdict $? "the calls were found in the headers"
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every file names its licence, and that no file has a forbidden word.
set -u
. tests/check/lib.sh

# Patches and the licence itself cannot have the line.
files . | grep -vE '^LICENSE$|\.patch$' | while IFS= read -r file; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file"
done > "$work/bare"
empty "$work/bare" "every file names its licence"

# words.def itself has the words, and some files have a reason for one.
sed -n 's/^WORD("\(.*\)", *"\(.*\)").*/\1\t\2/p' tests/check/words.def |
    while IFS="$(printf '\t')" read -r word excepted; do
        files . | grep -vxE "tests/check/words\.def|LICENSE|${excepted:-none}" |
            xargs -r grep -nIiE -- "$word" /dev/null
    done > "$work/words"
empty "$work/words" "no word in the tree is out of place"

# Python is for users and tests of its module alone.
files '\.(py|rb|js|ts|rs|go)$' | grep -vE '^(examples|tests/system|tests/bench/calls)/((python|cached)/)?[a-z_]*\.py$' > "$work/languages"
empty "$work/languages" "no file is in another language"
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that documents, public headers and the head comments of files follow the wording of
# CONTRIBUTING: none matches a pattern of style.def. Also checks that no word is in the glossary
# twice.
set -u
. tests/check/lib.sh

# The rules as "expression<TAB>advice", and the allowances as "file<TAB>number".
sed -n 's/^STYLE("\(.*\)", "\(.*\)")$/\1	\2/p' tests/check/style.def > "$work/rules"
sed -n 's/^STYLE_LEFT("\(.*\)", *\([0-9]*\))$/\1	\2/p' tests/check/style.def > "$work/left"

{
    files '\.md$' | xargs awk -f tests/tools/prose.awk
    files '^host-driver/include/.*\.h$' | xargs awk -v all=1 -f tests/tools/prose.awk
    files '\.(c|h|sv|sh|mk|awk|bash|def|cpp|v)$|Makefile$' | grep -v '^host-driver/include/\|^tests/check/style.def' |
        xargs awk -f tests/tools/prose.awk
} > "$work/prose"

awk -F '\t' '
    FILENAME ~ /rules$/ { rule[++n] = $1; advice[n] = $2; next }
    {
        s = tolower(". " $2 " ")
        gsub(/[,)("]/, " ", s)
        for (i = 1; i <= n; i++)
            if (s ~ rule[i]) { print $1 "\t" $2 "\t" advice[i]; break }
    }' "$work/rules" "$work/prose" > "$work/bad"

# By file; more places than allowed are a complaint, with the sentences.
awk -F '\t' '
    FILENAME ~ /left$/ { left[$1] = $2; next }
    { file = $1; sub(/:.*/, "", file); count[file]++; lines[file] = lines[file] $1 ": " substr($2, 1, 150) "\n      write: " $3 "\n" }
    END { for (file in count) if (count[file] > left[file] + 0) printf "%s has %d, %d are left to it:\n%s", file, count[file], left[file], lines[file] }
    ' "$work/left" "$work/bad" > "$work/found"
empty "$work/found" "documents, public headers and head comments have no sentence that style.def refuses"
echo "# sentences=$(grep -c . "$work/prose") refused=$(grep -c . "$work/bad")"
[ "${WORDS_COUNT:-}" = "" ] || awk -F : '{ n[$1]++ } END { for (f in n) printf "STYLE_LEFT(\"%s\", %d)\n", f, n[f] }' "$work/bad" | sort

[ "$(grep -c . "$work/prose")" -gt 3000 ]
verdict $? "the sentences are found at all"

sed -n '/^| word /d; /^|---/d; s/^| \([^|]*\) |.*/\1/p' docs/glossary.md | tr ',' '\n' | sed 's/^ *//; s/ *$//' | sort | uniq -d > "$work/found"
empty "$work/found" "the glossary has each word once"
finish

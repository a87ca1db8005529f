#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks the documents for newcomers: they exist, have the required contents, and their links and
# file names are valid.
set -u
. tests/check/lib.sh

# has FILE EXPRESSION...: prints each expression that does not occur in the file.
has() {
    file=$1
    shift
    for want in "$@"; do
        grep -qiE -- "$want" "$file" 2>/dev/null || echo "$file: nothing like: $want"
    done
}

has README.md '^# ' '^ *make demo' '^ *make test' '^## .*tour' '^## .*folders' > "$work/found"
# The map names every top-level folder.
files / | sed 's|/.*||' | sort -u | grep -v '^\.' | while IFS= read -r folder; do
    grep -qE "^\| *\`$folder/" README.md 2>/dev/null || echo "README.md: no folder $folder/"
done >> "$work/found"
empty "$work/found" "README gives the commands, the tour and the folders"
echo "# evidence A9.1 lines=$(grep -c . README.md 2>/dev/null)"

has docs/architecture.md '^#+ .*life of (one|a) put' doorbell descriptor firmware deposit \
    completion > "$work/found"
empty "$work/found" "the architecture follows one put through its life"
echo "# evidence A9.2 lines=$(grep -c . docs/architecture.md 2>/dev/null)"

has CONTRIBUTING.md 'make test' 'make check' 'saboteur' 'commit' 'SPDX' > "$work/found"
empty "$work/found" "CONTRIBUTING says how to change the tree"
echo "# evidence A9.3 lines=$(grep -c . CONTRIBUTING.md 2>/dev/null)"

# Links to files, from the folder of the document or from the root.
files '\.md$' | while IFS= read -r document; do
    grep -oE '\]\([^)#: ]+' "$document" | sed 's/^](//' | while IFS= read -r target; do
        [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
    done
done > "$work/found"
empty "$work/found" "every link in a document leads somewhere"

# A file or folder in backquotes with a slash exists, or is a build product.
files '\.md$' | while IFS= read -r document; do
    grep -oE '`[a-zA-Z0-9_.-]+(/[a-zA-Z0-9_.-]+)+/?`' "$document" | tr -d '`' |
        grep -E '^(hw-model|fw|linker|host-driver|sim|tests|docs|examples)/' |
        while IFS= read -r target; do
            [ -e "$target" ] || echo "$document: $target"
        done
done > "$work/found"
empty "$work/found" "every path in a document exists"

# `make help` explains each goal that is not a file.
make --no-print-directory help > "$work/help" 2>&1
cat Makefile build.mk $(files '\.mk$') |
    sed -n 's/^\.PHONY: *//p' | tr ' ' '\n' | grep . | sort -u | while IFS= read -r goal; do
        grep -qE "^  $goal +[^ ]" "$work/help" || echo "$goal"
    done > "$work/found"
empty "$work/found" "make help lists every target"
finish

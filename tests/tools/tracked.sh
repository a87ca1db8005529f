#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the files of the tree, one per line: tracked by git, or new and not ignored, but nothing
# generated. Also works for a user who does not own the checkout, and without git in an unpacked
# archive.
if [ -e .git ] && command -v git >/dev/null 2>&1; then
    git -c safe.directory='*' ls-files --cached --others --exclude-standard
else
    find . -path ./build -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./||'
fi | sort | while IFS= read -r file; do
    [ -f "$file" ] && printf '%s\n' "$file"
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the files that the last commit changed, and those changed or new since then; for a merge,
# the files it brought. Prints "unknown" where git cannot tell, as in an archive or a clone of one
# commit. SINCE names another commit to compare with.
git() { command git -c safe.directory='*' "$@"; }
if changed=$(git diff --name-only "${SINCE:-HEAD^}" -- 2> /dev/null); then
    printf '%s\n' "$changed"
    git ls-files --others --exclude-standard
else
    echo unknown
fi

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the files that the last commit changed, and those that are changed or new since; for a merge
# what it brought.  Prints "unknown" where git cannot say, as in an archive or a clone of one commit.
# SINCE names another commit to compare with.
git() { command git -c safe.directory='*' "$@"; }
if changed=$(git diff --name-only "${SINCE:-HEAD^}" -- 2> /dev/null); then
    printf '%s\n' "$changed"
    git ls-files --others --exclude-standard
else
    echo unknown
fi

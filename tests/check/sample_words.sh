#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: sample_words.sh SEED [COUNT [PATTERN]]
#
# Lists 100 comments and sentences, drawn by SEED, for a person to judge: does a stranger
# understand each at first reading?  It draws from all comments of source files and from all
# sentences of documents, of files whose path matches PATTERN.  A comment that follows program
# text is listed after that text and a bar.  The same seed and tree give the same list on every
# machine.
set -eu
seed=${1:?usage: sample_words.sh SEED [COUNT [PATTERN]]}
count=${2:-100}
pattern=${3:-.}

sh tests/tools/tracked.sh | grep -E '\.(md|c|h|sv|sh|mk|awk|def|bash|cpp)$|Makefile$' |
    grep -E "$pattern" | xargs awk -v all=1 -v whole=1 -f tests/tools/prose.awk |
    awk -v seed="$seed" -v count="$count" '
        { line[NR] = $0 }
        # Park and Miller; all products stay below 2^53.
        function draw(n) { x = x * 16807 % 2147483647; return x % n + 1 }
        END {
            x = seed % 2147483646 + 1
            for (i = 0; i < 10; i++) draw(2)
            for (i = 1; i <= count && i <= NR; i++) {
                do k = draw(NR); while (k in taken)
                taken[k] = 1
                print i ". " line[k]
            }
        }'

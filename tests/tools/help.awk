# SPDX-License-Identifier: Apache-2.0
#
# Prints the goals of the makefiles, `target: ... ## text`, by group and at most 100 columns wide.
# Goals without a group come last.
BEGIN {
    group("Build", "all fw sim sim-traced driver verbs abi install clean help")
    group("Run", "demo demo-verbs demo-cache tour gdb core-run")
    group("Test", "quick test test-all test-unit test-rtl test-system test-build test-scripts units-ran san-programs " \
          "test-verbs test-verbs-cost test-verbs-connections test-verbs-trixie check check-all conformance conformance-commit")
    group("Test the tests", "sabotage mutants mutants-random clean-room clean-room-verbs")
    group("Test for longer", "chaos posts-killed pauses patterns weak-hash eviction deaths cache-histories torn-reads cached-same cached-load cache-outage cache-maps hostile fuzz fuzz-libfuzzer soak-torus soak-faults soak-failures soak-tree " \
          "lockstep-long core-coverage")
    group("Figures", "bench bench-core bench-heaps bench-caches dag-metg dag-peers depth-long")
    group("Proofs, netlists, clock rate", "proofs models formal formal-mutants formal-torus gate " \
          "core-gate lint-node synth-core synth-node synth-node-sim synth-node-ports fmax")
    group("Boards", "bitstream flash flash-firmware load flash-test board-sim board-test")
}

function group(title, names, i, n, part) {
    titles[++groups] = title
    n = split(names, part, " ")
    for (i = 1; i <= n; i++) {
        names_of[groups, i] = part[i]
        has_group[part[i]] = 1
    }
    count[groups] = n
}

# wrapped NAME, TEXT: wraps the text from column 23 on.
function wrapped(name, text, i, n, word, line) {
    line = sprintf("  %-19s", name)
    n = split(text, word, " ")
    for (i = 1; i <= n; i++) {
        if (length(line) + 1 + length(word[i]) > 100) {
            print line
            line = sprintf("  %19s", "")
        }
        line = line " " word[i]
    }
    print line
}

/^[a-z][a-zA-Z0-9_-]*:.*## / {
    target = $0
    sub(/:.*/, "", target)
    sub(/.*## /, "")
    if (target in text) {
        text[target] = text[target] "; " $0
    } else {
        order[++targets] = target
        text[target] = $0
    }
}

END {
    for (g = 1; g <= groups; g++) {
        print (g > 1 ? "\n" : "") titles[g]
        for (i = 1; i <= count[g]; i++)
            if (names_of[g, i] in text) wrapped(names_of[g, i], text[names_of[g, i]])
    }
    for (i = 1; i <= targets; i++) {
        if (order[i] in has_group) continue
        if (!others++) print "\nOthers"
        wrapped(order[i], text[order[i]])
    }
}

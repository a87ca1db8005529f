# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v commit=ID -v one_in=N -f left_out.awk AREAS CHANGED PROGRAMS
#
# Prints the programs that need not run, one per line: no file of their area is in CHANGED, and
# COMMIT does not draw them. It draws one in N, different ones with each commit; N = 0 draws none.
# AREAS is tests/areas.def. A line of PROGRAMS is a program, as tests.mk lists it, and its sources;
# a `+` before it makes its area `twin`, a `-` means that another goal runs it. `unknown` in CHANGED
# means all files.

# regular TEXT: converts a pattern of areas.def to an expression
function regular(text) {
    gsub(/[.+?(){}|^$\[\]\\]/, "[&]", text)
    gsub(/\*/, ".*", text)
    return "^" text "$"
}

# expanded WORDS, SOURCES: returns the files that the words name
function expanded(words, sources,    n, word, i, all) {
    n = split(words, word, " ")
    for (i = 1; i <= n; i++)
        all = all " " (word[i] == "sources" ? sources : word[i] in area ? expanded(area[word[i]], sources) : word[i])
    return all
}

# touched WORDS, SOURCES: tells whether one of the files has changed
function touched(words, sources,    n, word, i, j, want) {
    n = split(expanded(words, sources), word, " ")
    for (i = 1; i <= n; i++) {
        if (word[i] in changed)
            return 1
        if (word[i] !~ /\*/)
            continue
        want = regular(word[i])
        for (j in changed)
            if (j ~ want)
                return 1
    }
    return 0
}

# drawn PROGRAM: decides by a hash of the commit and the name
function drawn(program,    text, i, hash) {
    if (!one_in)
        return 0
    text = commit program
    hash = 5381
    for (i = 1; i <= length(text); i++)
        hash = (hash * 33 + index(letters, substr(text, i, 1))) % 16777213
    return hash % one_in == 0
}

BEGIN { letters = "0123456789abcdefghijklmnopqrstuvwxyz_/.-ABCDEFGHIJKLMNOPQRSTUVWXYZ" }

FILENAME == ARGV[1] && /^(AREA|OF)\(/ {
    if ($0 ~ /^AREA/) {
        name = $0
        gsub(/^AREA\(|,.*/, "", name)
        split($0, quoted, "\"")
        area[name] = quoted[2]
    } else {
        split($0, quoted, "\"")
        row[++rows] = regular(quoted[2])
        words[rows] = quoted[4]
    }
}

FILENAME == ARGV[2] {
    unknown = unknown || $0 == "unknown"
    changed[$0] = 1
}

FILENAME == ARGV[3] {
    program = $1
    sub(/^[^ ]+/, "")
    own = ""
    if (program ~ /^[+-]/) {
        own = program ~ /^[+]/ ? "twin" : "elsewhere"
        program = substr(program, 2)
    } else {
        short = program
        sub(/^build\//, "", short)
        for (i = 1; i <= rows && own == ""; i++)
            if (short ~ row[i])
                own = words[i]
    }
    if (own != "" && (own == "elsewhere" || !unknown) && !touched(own, $0) && !drawn(program))
        print program
}

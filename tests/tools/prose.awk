# SPDX-License-Identifier: Apache-2.0
#
# usage: awk [-v all=1] [-v whole=1] -f prose.awk FILE...
#
# Prints the sentences of files, one a line, as "file:line<TAB>sentence".  Of a Markdown document
# it reads the text without code; of a source file the head comment or, with all=1, every comment.
# With whole=1 it prints each paragraph of a comment as one line, and leaves out tables of
# documents.  It leaves out usage lines, indented examples and comments that tools obey.

# Adds a line of text.  Remembers at which character of `text` each line of the file begins.
function add(s) {
    if (s ~ /^(usage: |SPDX-|clang-format |shellcheck |verilator |NOLINT)/)
        return
    if (text == "")
        lines = 0
    starts[lines] = length(text)
    numbers[lines++] = FNR
    gsub(/[ \t]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    text = text s " "
}

# Returns the line of the file that holds character `at` of `text`.
function line_of(at,    i) {
    for (i = lines - 1; i > 0 && starts[i] > at; i--)
        ;
    return numbers[i]
}

# Prints one sentence or paragraph, which begins at character `at` of `text`.
function put(s, at,    code) {
    if (trailing && whole) {
        gsub(/^[ \t]+|[ \t]+$/, "", context)
        code = context " | "
    }
    # `code` has no words
    gsub(/`[^`]*`/, "CODE", s)
    gsub(/^[-= ]+|[-= ]+$/, "", s)
    if (s ~ /[a-z] +[a-z]/)
        printf "%s:%d\t%s\n", file, line_of(at), code s
}

# Ends a paragraph.
function flush(    rest, at) {
    if (whole && !markdown) {
        put(text, 0)
        text = ""
    }
    at = 0
    rest = text
    while (match(rest, /[.?!][)"]? [A-Z`]|\n/)) {
        put(substr(rest, 1, RSTART + (RLENGTH > 1 ? RLENGTH - 3 : -1)), at)
        at += RSTART + RLENGTH - 2
        if (substr(rest, RSTART, 1) == "\n")
            at++
        rest = substr(text, at + 1)
    }
    put(rest, at)
    text = ""
    trailing = 0
}

# Takes the comment `s`, without its delimiters; it begins at column `col`, after the program text
# `code` or at the start of its line.
function take(s, col, code) {
    if (text != "" && (code != "" || (trailing && col != trailing) || is_row(s)))
        flush()
    if (s ~ /^ *[-=]* *$/ || s ~ /^ *(---|===)/)
        flush()
    if (s !~ /^   / && s !~ /^ *[-=]* *$/) {
        add(s)
        if (code != "") {
            trailing = col
            context = code
        }
    }
    if (s ~ /^ *(---|===)/)
        flush()
}

# Tells whether it is a row of a list, "NAME meaning".
function is_row(s) { return s ~ /^[A-Za-z$_][^ ]*[^ .?!:]( [A-Z_]+)*   *[^ ]/ }

# Reads a line of C or SystemVerilog: all comments in it.
function read_c(s,    line, before, col, code, end, what, c) {
    line = s
    col = 1
    code = 0
    if (in_comment) {
        end = index(s, "*/")
        c = end ? substr(s, 1, end - 1) : s
        sub(/^ *\*? ?/, "", c)
        take(c, trailing, "")
        if (!end)
            return
        in_comment = 0
        col += end + 1
        s = substr(s, end + 2)
        if (s ~ /[^ \t]/)
            flush()
        else
            return
    }
    while (match(s, /\/\*|\/\/|"|'"'/)) {
        what = substr(s, RSTART, RLENGTH)
        if (substr(s, 1, RSTART - 1) ~ /[^ \t]/)
            code = 1
        col += RSTART - 1
        before = substr(line, 1, col - 1)
        s = substr(s, RSTART)
        if (what ~ /"/) {
            code = 1
            end = what == "\"" ? (match(s, /^"([^"\\]|\\.)*"/) ? RLENGTH : length(s)) : 3
            s = substr(s, end + 1)
            col += end
        } else if (what == "//") {
            sub(/^\/\/ ?/, "", s)
            take(s, col, code ? before : "")
            return
        } else {
            if (text != "")
                flush()
            end = index(substr(s, 3), "*/")
            c = end ? substr(s, 3, end - 1) : substr(s, 3)
            sub(/^[* ]*/, "", c)
            if (c !~ /^ *$/)
                take(c, col, code ? before : "")
            if (!end) {
                in_comment = 1
                return
            }
            s = substr(s, end + 4)
            col += end + 3
        }
    }
    if (s ~ /[^ \t]/)
        code = 1
    if (code && text != "" && !trailing || s ~ /^[ \t]*$/ && col == 1)
        flush()
    else if (code && col == 1)
        flush()
    has_code = code
}

# Reads a line of a script or makefile.
function read_script(s,    col) {
    has_code = 0
    if (match(s, /^[ \t]*#( |$)/)) {
        col = RLENGTH
        sub(/^[ \t]*# ?/, "", s)
        take(s, col, "")
        return
    }
    if (text != "")
        flush()
    if (s ~ /[^ \t]/)
        has_code = 1
    if (match(s, /^[^"'`#]*[ \t]# /)) {
        take(substr(s, RLENGTH + 1), RLENGTH, substr(s, 1, RLENGTH - 2))
        flush()
    }
}

FNR == 1 {
    if (text != "")
        flush()
    file = FILENAME
    fence = in_comment = done = has_code = trailing = 0
    markdown = file ~ /\.md$/
    script = file ~ /\.(sh|mk|awk|bash|supp)$|Makefile$/
}

# ---- Markdown
markdown && /^```/ { fence = !fence; next }
markdown && (fence || /^    / || /^<!--/ || /^\|[-:| ]*$/ || (whole && /^\|/)) { flush(); next }
markdown && /^ *$/ { flush(); next }
markdown && /^[|#*-]/ {
    flush()
    s = $0
    gsub(/\|/, "\n", s)
    gsub(/^[#*-]+ */, "", s)
    add(s)
    if (/^\|/ || /^#/)
        flush()
    next
}
markdown { add($0); next }

# ---- sources
done { next }
/^#!/ { next }
script { read_script($0) }
!script { read_c($0) }
has_code && !all { done = 1 }
END { flush() }

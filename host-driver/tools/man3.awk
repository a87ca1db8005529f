# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v dir=FOLDER -v version=TEXT -f man3.awk HEADER...
#
# Makes man pages of section 3 from the public headers: one for each function, from the comment before its declaration,
# and one for each header, from the comment at its top.  A comment belongs to all declarations up to the next empty line.

function escape(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.']/)
        s = "\\&" s
    return s
}

# Formats the text of a comment, without its stars; keeps the indentation of indented lines.
function body(text, file,    n, lines, i, s, code) {
    n = split(text, lines, "\n")
    code = 0
    for (i = 1; i <= n; i++) {
        s = lines[i]
        if (s ~ /^   +[^ ]/ && !code) { print ".PP\n.nf\n.ft CW" > file; code = 1 }
        if (s !~ /^   +[^ ]/ && code) { print ".ft\n.fi" > file; code = 0 }
        if (s == "")
            print ".PP" > file
        else
            print escape(s) > file
    }
    if (code)
        print ".ft\n.fi" > file
}

# Returns the first sentence in one line, for NAME and apropos.
function summary(text,    s) {
    s = text
    gsub(/\n */, " ", s)
    sub(/^ +/, "", s)
    if (match(s, /[.:] /))
        s = substr(s, 1, RSTART - 1)
    sub(/\.$/, "", s)
    return substr(s, 1, 1) ~ /[A-Z]/ && substr(s, 2, 1) ~ /[a-z ]/ ? tolower(substr(s, 1, 1)) substr(s, 2) : s
}

function head(name, text, file) {
    print ".\\\" SPDX-License-Identifier: Apache-2.0" > file
    printf ".TH %s 3 \"\" \"%s\" \"libtern\"\n", toupper(name), version > file
    printf ".SH NAME\n%s \\- %s\n", name, escape(summary(text)) > file
}

function page(name, text, prototype,    file) {
    file = dir "/" name ".3"
    if (text == "")
        text = "See tern" (header == "tern" ? "" : "_" header) "(3)."
    if (first == "")
        first = name
    head(name, name == first ? text : "goes with " first "(3)", file)
    printf ".SH SYNOPSIS\n.nf\n.B #include <tern/%s.h>\n.PP\n.ft B\n%s\n.ft\n.fi\n.SH DESCRIPTION\n", header, escape(prototype) > file
    body(text, file)
    print ".SH RETURN VALUE\nFunctions that return int return 0, or a count, on success, and a negated TERN_ST_* code otherwise; tern_strerror(3) has its text." > file
    printf ".SH SEE ALSO\n.BR tern (1), \\ tern (3)%s\n", header == "tern" ? "" : ", \\ tern_" header " (3)" > file
    close(file)
    names = names " " name
}

# Writes the page of a header, after all of it was read.
function overview(    file, n, list, i) {
    if (header == "")
        return
    file = dir "/" (header == "tern" ? "tern" : "tern_" header) ".3"
    head(header == "tern" ? "tern" : "tern_" header, top, file)
    printf ".SH SYNOPSIS\n.B #include <tern/%s.h>\n.SH DESCRIPTION\n", header > file
    body(top, file)
    print ".SH FUNCTIONS" > file
    n = split(names, list, " ")
    for (i = 1; i <= n; i++)
        printf ".BR %s (3)%s\n", list[i], i < n ? "," : "" > file
    close(file)
}

FNR == 1 {
    overview()
    header = FILENAME
    sub(/.*\//, "", header)
    sub(/\.h$/, "", header)
    names = top = comment = declaration = first = ""
    in_comment = in_struct = 0
}

in_comment {
    line = $0
    if (line ~ /\*\//) { sub(/ *\*\/.*/, "", line); in_comment = 0 }
    sub(/^ ?\* ?/, "", line)
    comment = comment (comment == "" ? "" : "\n") line
    if (!in_comment) {
        sub(/\n+$/, "", comment)
        if (top == "" && comment !~ /^SPDX/)
            { top = comment; comment = "" }
    }
    next
}
/^\/\*/ {
    line = $0
    comment = ""
    if (line ~ /\*\/ *$/) {
        sub(/^\/\* */, "", line)
        sub(/ *\*\/ *$/, "", line)
        if (line ~ /^SPDX/ || line ~ /^----/)
            next
        comment = line
        if (top == "") { top = comment; comment = "" }
    } else {
        in_comment = 1
        sub(/^\/\* */, "", line)
        comment = line
    }
    next
}
/^(struct|enum) [a-z_]+ \{/ { in_struct = 1; comment = ""; next }
in_struct { if ($0 ~ /^\}/) in_struct = 0; next }
/^#/ || /^extern/ || /^\}/ { next }
/^$/ { if (declaration == "") comment = first = ""; next }
{
    declaration = declaration (declaration == "" ? "" : "\n") $0
    # a function with its body: the prototype ends at the brace
    if ($0 ~ /^\{/ && declaration ~ /^static inline/) {
        sub(/\n\{.*/, ";", declaration)
        sub(/^static inline /, "", declaration)
        in_struct = 1
    } else if ($0 !~ /;/) {
        next
    }
    if (match(declaration, /tern_[a-z0-9_]+\(/) && declaration !~ /^(typedef|static)/)
        page(substr(declaration, RSTART, RLENGTH - 1), comment, declaration)
    declaration = ""
}
END { overview() }

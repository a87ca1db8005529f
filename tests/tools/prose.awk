# SPDX-License-Identifier: Apache-2.0
#
# usage: awk [-v all=1] -f prose.awk FILE...
#
# Prints the sentences of files, one a line, as "file:line<TAB>sentence": of a Markdown document its text without code, of
# a source file its head comment, or, with all=1, all comments of it.

function flush(    n, parts, i, s) {
    gsub(/[ \t]+/, " ", text)
    # `code` has no words
    gsub(/`[^`]*`/, "CODE", text)
    gsub(/\. ([A-Z])/, ".\n&", text)
    gsub(/\n\. /, "\n", text)
    gsub(/\?  ?/, "?\n", text)
    n = split(text, parts, "\n")
    for (i = 1; i <= n; i++) {
        s = parts[i]
        sub(/^ +/, "", s)
        if (s ~ /[a-z] +[a-z]/)
            printf "%s:%d\t%s\n", FILENAME, line, s
    }
    text = ""
}
function add(s) {
    if (text == "")
        line = FNR
    text = text " " s
}

FNR == 1 { if (text != "") flush(); fence = in_comment = done = started = 0; markdown = FILENAME ~ /\.md$/ }

# ---- Markdown
markdown && /^```/ { fence = !fence; next }
markdown && (fence || /^    / || /^<!--/ || /^\|[-| ]*\|$/) { if (text != "") flush(); next }
markdown && /^ *$/ { if (text != "") flush(); next }
markdown && /^[|#*-]/ { if (text != "") flush(); s = $0; gsub(/\|/, "\n", s); gsub(/^[#*-]+ */, "", s); add(s); if (/^\|/ || /^#/) flush(); next }
markdown { add($0); next }

# ---- sources
done { next }
/SPDX-License/ { if ($0 ~ /^\/\* / && $0 !~ /\*\//) in_comment = 1; next }
/^#!/ { next }
{
    s = $0
    if (s ~ /^ *#( |$)/ && FILENAME ~ /\.(sh|mk|awk|def|bash)$|Makefile$/) { sub(/^ *# ?/, "", s); is = 1 }
    else if (s ~ /^ *\/\/( |$)/) { sub(/^ *\/\/ ?/, "", s); is = 1 }
    else if (in_comment) { is = 1; if (s ~ /\*\//) in_comment = 0; sub(/\*\/.*/, "", s); sub(/^ *\*? ?/, "", s) }
    else if (s ~ /^ *\/\*/) { is = 1; if (s !~ /\*\//) in_comment = 1; sub(/^ *\/\*[* ]*/, "", s); sub(/\*\/.*/, "", s) }
    else is = 0
    if (is && s ~ /^ *[-=]* *$/) { if (text != "") flush(); if (s ~ /---/) ; next }
    if (is) { started = 1; if (s !~ /^   /) add(s); next }
    if (text != "") flush()
    if (!all && started) done = 1
    if (!all && s ~ /[^ ]/) done = 1
}
END { if (text != "") flush() }

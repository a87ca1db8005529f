# SPDX-License-Identifier: Apache-2.0
#
# Prints "target  text" for every `target: ... ## text` line of a makefile.
/^[a-z][a-zA-Z0-9_-]*:.*## / {
    target = $0
    sub(/:.*/, "", target)
    text = $0
    sub(/.*## /, "", text)
    printf "  %-18s %s\n", target, text
}

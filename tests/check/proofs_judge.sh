#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the judge of proofs, with a stub in place of cbmc. It proves nothing.
set -u
. tests/check/lib.sh

mkdir "$work/bin"
cat > "$work/cbmc" <<'E2'
#!/bin/sh
here=$(dirname "$0")
case "$*" in
*--stop-on-fail*) cat "$here/mutant"; exit "$(cat "$here/mutant_ends")" ;;
esac
cat "$here/answer"
exit "$(cat "$here/ends")"
E2
chmod +x "$work/cbmc"

good='[f.assertion.1] line 9 it holds: SUCCESS'
mark='[f.assertion.2] line 9 reached: the end: FAILURE'
found='Violated property:
  file a.c function f line 3 thread 0
  it holds'

# judge PATTERN NAME ENDS ANSWER MUTANT_ENDS MUTANT
judge() {
    echo "$3" > "$work/ends"
    echo "$4" > "$work/answer"
    echo "$5" > "$work/mutant_ends"
    echo "$6" > "$work/mutant"
    B=$work/build CBMC=$work/cbmc sh tests/proofs/proofs.sh ring > "$work/said" 2>&1
    grep -qE -- "$1" "$work/said"
    verdict $? "proofs $2" "$work/said"
}
judge '^ok 1 - proof of ring holds$' "takes what holds" 10 "$good
$mark" 10 "$found"
judge '^ok 2 - proof of ring refuses ' "takes a mutant that is found" 10 "$good
$mark" 10 "$found"
judge '^not ok 1 ' "sees an assertion that fails" 10 "${good%SUCCESS}FAILURE
$mark" 10 "$found"
judge '^not ok 1 ' "sees an end that nothing reaches" 10 "$good
${mark%FAILURE}SUCCESS" 10 "$found"
judge '^not ok 1 ' "sees a proof without an end to reach" 0 "$good" 10 "$found"
judge '^not ok 1 ' "sees a proof of nothing" 10 "$mark" 10 "$found"
judge '^not ok 1 ' "sees a program that does not end well" 6 "$good
$mark" 10 "$found"
judge '^not ok 2 ' "sees a mutant that nobody finds" 10 "$good
$mark" 0 ""
judge '^not ok 2 ' "does not take a bound that is too small for a fault" 10 "$good
$mark" 10 'Violated property:
  file a.c function f line 3 thread 0
  unwinding assertion loop 0'

B=$work/build sh tests/proofs/proofs.sh -j ring > "$work/said" 2>&1
[ $? = 1 ] && [ "$(tail -n 1 "$work/said")" = 'proofs: FAIL' ]
verdict $? "proofs fail where nothing was proved" "$work/said"

# ---- without cbmc ----
printf '#!/bin/sh\necho 1000\n' > "$work/bin/id"
chmod +x "$work/bin/id"
none() {
    PATH=$work/bin:$PATH B=$work/build PROOFS_ROOT=$work/none CBMC=no-such-program \
        sh tests/proofs/proofs.sh "$@" > "$work/said" 2>&1
}
none ring
[ $? != 0 ] && grep -q 'needs root' "$work/said"
verdict $? "proofs asked for without cbmc and rights say what to do" "$work/said"
none && grep -q '^ok 1 - proofs # SKIP .*needs root' "$work/said"
verdict $? "proofs of make check without cbmc and rights are a skip" "$work/said"
finish

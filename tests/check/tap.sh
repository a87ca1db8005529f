# SPDX-License-Identifier: Apache-2.0
#
# Output of a check: sourced by the scripts of this folder.
#
#   verdict STATUS NAME [FILE]   one test; FILE says what is wrong, if anything
#   finish                       the plan; exits non-zero when one has failed

tap_number=0
tap_failed=0

verdict() {
    tap_number=$((tap_number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_number - $2"
        return
    fi
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_number - $2"
    [ -z "${3:-}" ] || sed 's/^/#   /' "$3"
}

# empty FILE NAME: a test that passes if the list of complaints is empty.
empty() {
    if [ -s "$1" ]; then
        verdict 1 "$2" "$1"
    else
        verdict 0 "$2"
    fi
}

finish() {
    echo "1..$tap_number"
    [ $tap_failed = 0 ]
    exit
}

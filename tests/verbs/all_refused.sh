#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The long list of tests/verbs/all_programs.sh where the system refuses process_vm_readv() and
# process_vm_writev() to all.
if [ -z "${TERN_REFUSED:-}" ]; then
    TERN_REFUSED=1
    export TERN_REFUSED
    exec "${B:-build}/tests/verbs/refuse" sh "$0"
fi
. tests/verbs/all_programs.sh

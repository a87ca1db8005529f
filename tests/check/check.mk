# SPDX-License-Identifier: Apache-2.0
#
# Checks of the tree's text.

TESTS_check += tests/check/runner.sh tests/check/licence.sh tests/check/rtl_subset.sh \
    tests/check/constants.sh tests/check/opcodes.sh tests/check/floors.sh tests/check/floor_calls.sh \
    tests/check/headers.sh tests/check/static.sh tests/check/docs.sh tests/check/saboteurs.sh tests/check/space.sh \
    tests/check/words.sh tests/check/columns.sh tests/check/sabotage.sh tests/check/waiting.sh tests/check/mutants.sh

TESTS_check += tests/check/judges.sh
tests/check/judges.sh: $(B)/tests/conformance/example $(B)/tests/bench/example

# A check of the firmware images.
TESTS_check += tests/check/room.sh
tests/check/room.sh: $(FW_ELF) $(FW_LEAN_ELF)

# Checks of the library's objects.
TESTS_check += tests/check/driver_calls.sh tests/check/exports.sh
tests/check/driver_calls.sh: $(B)/lib/libtern.a
tests/check/exports.sh: $(B)/lib/libtern.so $(B)/lib/include/tern_abi.h

# SPDX-License-Identifier: Apache-2.0
#
# What must hold of the tree as text.

TESTS_check += tests/check/runner.sh

# SPDX-License-Identifier: Apache-2.0
#
# Removes CONTRIBUTING.
rm CONTRIBUTING.md

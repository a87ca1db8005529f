# SPDX-License-Identifier: Apache-2.0
#
# Takes CONTRIBUTING away.
rm CONTRIBUTING.md

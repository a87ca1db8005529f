# SPDX-License-Identifier: Apache-2.0
#
# Removes the tour from the README.
grep -q 'tour' README.md
sed -i '/tour/d' README.md

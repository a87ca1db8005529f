# SPDX-License-Identifier: Apache-2.0
#
# Takes the tour out of the README.
grep -q 'tour' README.md
sed -i '/tour/d' README.md

# SPDX-License-Identifier: Apache-2.0
#
# Takes the life of a put out of the architecture.
grep -q 'life of one put' docs/architecture.md
sed -i '/life of one put/d' docs/architecture.md

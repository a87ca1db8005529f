# SPDX-License-Identifier: Apache-2.0
#
# Removes the life of a put from the architecture.
grep -q 'life of one put' docs/architecture.md
sed -i '/life of one put/d' docs/architecture.md

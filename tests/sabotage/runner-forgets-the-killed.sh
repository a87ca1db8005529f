# SPDX-License-Identifier: Apache-2.0
#
# A program whose judge was killed counts for nothing.
sh tests/sabotage/change.sh tests/run.sh <<'END'
f + total - NR
f + 0
END

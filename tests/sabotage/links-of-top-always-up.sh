# SPDX-License-Identifier: Apache-2.0
#
# tern top shows every link as up.
sh tests/sabotage/change.sh host-driver/tools/top_row.c <<'END'
if (!(info->links_up >> port & 1) && used < bytes)
if (!(info->links_up >> port & 1) && used > bytes)
END

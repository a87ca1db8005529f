# SPDX-License-Identifier: Apache-2.0
#
# What cannot be made an image becomes a blank flash.
sh tests/sabotage/change.sh sim/firmware.c <<'EOF'
snprintf(error, error_bytes, "firmware refused: %s", reason);
return blank(words, word_count);
EOF

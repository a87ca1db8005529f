# SPDX-License-Identifier: Apache-2.0
#
# What a member answers is not looked at.
sh tests/sabotage/change.sh host-driver/core/group/group.c <<'END'
status_of_answer(answers[i].status);
status_of_answer(TERN_ST_OK);
END

# SPDX-License-Identifier: Apache-2.0
#
# The linearizability checker: a library for tests, and a program for histories in text files.

LINEAR_INC := -Itests/tools/linear
LINEAR_LIB := $(B)/tests/tools/liblinear.a
LINEAR     := $(B)/tests/tools/linear
LINEAR_SRC := $(addprefix tests/tools/linear/,explain.c history.c linear.c memo.c search.c spec.c text.c word.c)
$(eval $(call c_archive,$(LINEAR_LIB),$(LINEAR_SRC),$(LINEAR_INC)))
$(eval $(call c_program,$(LINEAR),tests/tools/linear/main.c,$(LINEAR_INC),$(LINEAR_LIB)))

LINEAR_T     := $(B)/tests/unit/linear $(B)/tests/unit/linear_random
LINEAR_T_INC := $(LINEAR_INC) -Itests/unit/linear
LINEAR_T_LIB := $(LINEAR_LIB) $(CMOCKA_LIBS)
$(eval $(call c_program,$(B)/tests/unit/linear,$(addprefix tests/unit/linear/,linear.c judged.c memory.c),\
    $(LINEAR_T_INC),$(LINEAR_T_LIB)))
$(eval $(call c_program,$(B)/tests/unit/linear_random,\
    $(addprefix tests/unit/linear/,linear_random.c judged.c memory.c brute.c),$(LINEAR_T_INC),$(LINEAR_T_LIB)))
$(B)/tests/unit/linear: | $(LINEAR)
TESTS_unit += $(LINEAR_T)

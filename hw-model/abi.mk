# SPDX-License-Identifier: Apache-2.0
# The contract: abigen and the faces it prints (committed; `make check` compares them with a fresh print).

ABIGEN := $(B)/abi/abigen
$(eval $(call c_program,$(ABIGEN),hw-model/abi/abigen.c,-Ihw-model/abi,))

abi: $(ABIGEN) ## prints the generated faces of the contract anew
	$(Q)$(ABIGEN) sv | sh hw-model/abi/named.sh > hw-model/rtl/abi/tern_abi_pkg.sv
	$(Q)$(ABIGEN) ld > linker/memmap.ld
	$(Q)$(ABIGEN) md > docs/abi.md

$(B)/check/abi_current: hw-model/abi/compare.sh hw-model/abi/named.sh $(ABIGEN)
	$(call say,LN,$@) mkdir -p $(@D) && ln -sf $(CURDIR)/$< $@
TESTS_check += $(B)/check/abi_current
tests/check/constants.sh: $(ABIGEN)

.PHONY: abi

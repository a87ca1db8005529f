# SPDX-License-Identifier: Apache-2.0
# The contract: abigen and its output files (committed; `make check` compares them with fresh
# output).

ABIGEN := $(B)/abi/abigen
$(eval $(call c_program,$(ABIGEN),hw-model/abi/abigen.c,-Ihw-model/abi,))

# abi_face,COMMAND,FILE: a file that would not change keeps its time stamp.
abi_face = $(Q)$(ABIGEN) $(1) > $(B)/abi/face && { cmp -s $(B)/abi/face $(2) || cp $(B)/abi/face $(2); }

abi: $(ABIGEN) ## prints the generated faces of the contract anew
	$(call abi_face,sv | sh hw-model/abi/named.sh,hw-model/rtl/abi/tern_abi_pkg.sv)
	$(call abi_face,ld,linker/full/memmap.ld)
	$(call abi_face,ld-lean,linker/lean/memmap.ld)
	$(call abi_face,md,docs/abi.md)

$(B)/check/abi_current: hw-model/abi/compare.sh hw-model/abi/named.sh $(ABIGEN)
	$(call say,LN,$@) mkdir -p $(@D) && ln -sf $(ROOT)/$< $@
TESTS_check += $(B)/check/abi_current
tests/check/constants.sh: $(ABIGEN)

.PHONY: abi

# SPDX-License-Identifier: Apache-2.0
# The contract: abigen and the faces it prints (committed; `make check` compares them with a fresh print).

ABI_TABLES := $(wildcard hw-model/abi/*.def)
ABIGEN := build/abi/abigen

$(ABIGEN): hw-model/abi/abigen.c hw-model/abi/tern_abi.h hw-model/abi/tables.h $(ABI_TABLES)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  CC    $<')
	$(if $(V),,@)$(CC) -std=c11 -O1 -Wall -Wextra -Werror -o $@ $<

.PHONY: abi
abi: $(ABIGEN) ## print the generated faces of the contract anew
	$(ABIGEN) sv > hw-model/rtl/abi/tern_abi_pkg.sv
	$(ABIGEN) ld > linker/memmap.ld
	$(ABIGEN) md > docs/abi.md

build/check/abi-current: hw-model/abi/compare.sh $(ABIGEN)
	@mkdir -p $(@D)
	@ln -sf $(CURDIR)/$< $@
TESTS_check += build/check/abi-current

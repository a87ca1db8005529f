# SPDX-License-Identifier: Apache-2.0
#
# Models of protocols, searched by spin.

MODELS_SH := tests/models/models.sh
TESTS_check += $(MODELS_SH)

models: ## searches the states of the models of slabs, fences, records and graphs, and of each with one rule less [half a minute]
	$(Q)B=$(B) sh $(MODELS_SH) all

.PHONY: models

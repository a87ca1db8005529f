# SPDX-License-Identifier: Apache-2.0

dag-peers: $(TERN_BIN) $(B)/fw/tern-fw.elf ## empty tasks by `tern dag`, GNU make and Dask on this machine: TASKS=10000
	@B=$(B) sh tests/bench/dag/peers.sh

.PHONY: dag-peers

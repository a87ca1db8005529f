# SPDX-License-Identifier: Apache-2.0
#
# A segment may reach one byte past the instruction memory.
grep -q 'p->p_filesz, PAYLOAD_MAX))' fw/tools/elf_image.c
sed -i 's/p->p_filesz, PAYLOAD_MAX))/p->p_filesz - 1, PAYLOAD_MAX))/' fw/tools/elf_image.c

# SPDX-License-Identifier: Apache-2.0
#
# The sender does not look at the size of the buffer.
file=host-driver/tools/send_file.c
grep -q "t->out.payload.bytes > t->buffer_bytes" $file
sed -i "s/t->out.payload.bytes > t->buffer_bytes/t->out.payload.bytes > UINT64_MAX - 1/" $file

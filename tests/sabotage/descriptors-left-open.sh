# SPDX-License-Identifier: Apache-2.0
#
# File descriptors that came with a message nobody wanted them for stay open.
sh tests/sabotage/change.sh sim/host/client.c <<'END'
    close_all(frame->fds, &frame->fd_count);
    frame->fd_count = 0;
END

# SPDX-License-Identifier: Apache-2.0
#
# A copy overflow: a vfio-user message's body takes as many bytes as came.
sh tests/sabotage/change.sh sim/host/client.c <<'END'
        n = n < count ? n : count;
        n = n < count ? n : count; /* a header */
END
sh tests/sabotage/change.sh sim/host/client.c <<'END'
        size_t n = client->incoming->body_bytes - client->body_have;
        size_t n = count;
END

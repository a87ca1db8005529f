/* SPDX-License-Identifier: Apache-2.0 */
/* See ether.h. */
#include "ether.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int open_path(const char *path, uint8_t host[TERN_PACKET_ADDRESS])
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd;

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    tern_packet_board(host);
    host[TERN_PACKET_ADDRESS - 1] ^= 1; /* no board has it */
    return fd;
}

static bool bind_to(int fd, const char *name, uint8_t host[TERN_PACKET_ADDRESS])
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(TERN_HLINK_ETHER_TYPE)};
    struct ifreq request = {0};

    if (strlen(name) >= sizeof request.ifr_name) {
        errno = ENODEV;
        return false;
    }
    strcpy(request.ifr_name, name);
    if (ioctl(fd, SIOCGIFINDEX, &request) != 0)
        return false;
    address.sll_ifindex = request.ifr_ifindex;
    if (ioctl(fd, SIOCGIFHWADDR, &request) != 0)
        return false;
    memcpy(host, request.ifr_hwaddr.sa_data, TERN_PACKET_ADDRESS);
    return bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

int tern_ether_open(const char *name, uint8_t host[TERN_PACKET_ADDRESS])
{
    int fd;

    if (strchr(name, '/') != NULL)
        return open_path(name, host);
    /* Without a protocol it receives nothing until it is bound. */
    fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (bind_to(fd, name, host))
        return fd;
    close(fd);
    return -1;
}

bool tern_ether_lives(int error)
{
    return error == EAGAIN || error == EINTR || error == ENOBUFS || error == ENETDOWN;
}

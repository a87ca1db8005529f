/* SPDX-License-Identifier: Apache-2.0 */
/* See serial.h. */
#include "serial.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static speed_t speed_of(unsigned baud)
{
    static const struct {
        unsigned baud;
        speed_t speed;
    } speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},
                  {500000, B500000},   {921600, B921600},   {1000000, B1000000},
                  {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}};

    for (unsigned i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    return B0;
}

static int set_up(int fd, speed_t speed)
{
    struct termios mode;

    if (speed == B0) {
        errno = EINVAL;
        return -1;
    }
    if (tcgetattr(fd, &mode) != 0)
        return -1;
    cfmakeraw(&mode);
    mode.c_cflag |= CLOCAL | CREAD;
    mode.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    if (cfsetspeed(&mode, speed) != 0 || tcsetattr(fd, TCSANOW, &mode) != 0)
        return -1;
    return ioctl(fd, TIOCEXCL);
}

int tern_serial_open(const char *path, unsigned baud)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (set_up(fd, speed_of(baud)) == 0)
        return fd;
    close(fd);
    return -1;
}

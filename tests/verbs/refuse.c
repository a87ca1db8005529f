/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program that may not call process_vm_readv() and process_vm_writev(), nor may its
 * children: EPERM, as in a container whose seccomp profile refuses them.
 *
 *   refuse PROGRAM ARGUMENT...
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { REFUSED_TOO_LITTLE = 3 };

static int refuse(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* The calls are really refused, even for the memory of this process. */
static int is_refused(void)
{
    char from = 1, to = 0;
    struct iovec here = {.iov_base = &to, .iov_len = 1}, there = {.iov_base = &from, .iov_len = 1};

    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0 && errno == EPERM &&
           process_vm_writev(getpid(), &there, 1, &here, 1, 0) < 0 && errno == EPERM;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (refuse() != 0) {
        perror("refuse");
        return REFUSED_TOO_LITTLE;
    }
    if (!is_refused()) {
        fprintf(stderr, "refuse: process_vm_readv() still works\n");
        return REFUSED_TOO_LITTLE;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}

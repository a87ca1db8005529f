/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, queries and closes a NIC. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "device.h"

enum { QUEUE_NUMBERS = 1 << 16 };

static int connect_path(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd;

    if (strlen(path) >= sizeof(address.sun_path))
        return -TERN_ST_BAD_ARGUMENT;
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -TERN_ST_SYSTEM;
    if (connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
        int error = errno;

        close(fd);
        errno = error;
        return error == EACCES || error == EPERM ? -TERN_ST_SYSTEM : -TERN_ST_NO_DEVICE;
    }
    return fd;
}

/* Checks that the device is a tern NIC with our version of the contract. */
static int check_contract(struct tern_device *device)
{
    uint32_t magic = 0, version = 0;
    int status = tern_reg_read(device, TERN_REG_MAGIC, &magic);

    if (!status)
        status = tern_reg_read(device, TERN_REG_VERSION, &version);
    if (status)
        return status;
    if (magic != TERN_ABI_MAGIC)
        return -TERN_ST_NO_DEVICE;
    return version >> 16 == TERN_ABI_VERSION >> 16 ? 0 : -TERN_ST_ABI_MISMATCH;
}

/* Waits for the firmware, which may still be booting. */
static int await_firmware(struct tern_device *device)
{
    int64_t end = tern_now_ms() + tern_patience_ms();

    do {
        uint32_t word = 0;
        int status = tern_reg_read(device, TERN_REG_STATUS, &word);

        if (status)
            return status;
        switch (word & 0xff) {
        case TERN_FWSTATE_READY:
            return tern_reg_read(device, TERN_REG_INCARNATION, &device->incarnation);
        case TERN_FWSTATE_NOIMAGE:
        case TERN_FWSTATE_BADIMAGE:
            return -TERN_ST_BAD_FIRMWARE;
        case TERN_FWSTATE_FAILED:
            return -TERN_ST_INTERNAL;
        default:
            break;
        }
    } while (tern_now_ms() < end);
    return -TERN_ST_TIMEOUT;
}

static void info_from_identify(struct tern_info *info, const uint32_t *id)
{
    info->abi_version = id[TERN_ID_ABI_VERSION];
    info->fw_version = id[TERN_ID_FW_VERSION];
    info->fw_bytes = id[TERN_ID_FW_BYTES];
    info->node = (uint16_t)id[TERN_ID_NODE];
    info->dims = (uint16_t)id[TERN_ID_DIMS];
    info->incarnation = (uint8_t)id[TERN_ID_INCARNATION];
    info->functions = id[TERN_ID_FUNCTIONS];
    info->queues = id[TERN_ID_QUEUES];
    info->regions = id[TERN_ID_REGIONS];
    info->counters = id[TERN_ID_COUNTERS];
    info->operations = id[TERN_ID_OPERATIONS];
    info->max_payload = id[TERN_ID_MAX_PAYLOAD];
    info->put_bytes_max = id[TERN_ID_PUT_BYTES_MAX];
    info->clock_hz = id[TERN_ID_CLOCK_HZ];
    info->host_latency = id[TERN_ID_HOST_LATENCY];
    info->op_timeout = id[TERN_ID_OP_TIMEOUT];
    info->first_queue = (uint16_t)id[TERN_ID_FIRST_QUEUE];
    info->modelled = id[TERN_ID_MODELLED] != 0;
    info->features = id[TERN_ID_FEATURES];
}

static int identify(struct tern_device *device)
{
    uint32_t words[DESC_WORDS] = {0}, id[TERN_ID_WORDS] = {0};
    uint32_t config = 0, function = 0;
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_IDENTIFY);
    status = tern_admin(device, words, id, sizeof(id), NULL);
    if (!status)
        status = tern_reg_read(device, TERN_REG_CONFIG, &config);
    if (!status)
        status = tern_reg_read(device, TERN_REG_FUNCTION, &function);
    info_from_identify(&device->info, id);
    device->info.link_data_bits = (uint8_t)config;
    device->info.ports = (uint8_t)(config >> 8);
    device->info.function = (uint16_t)function;
    return status;
}

static int start(struct tern_device *device, int fd, tern_progress_fn *progress, void *arg)
{
    struct tern_transport_host host = {
        .access = tern_memory_access,
        .lost = tern_events_wake_all,
        .progress = progress,
        .arg = device,
        .progress_arg = arg,
    };
    int status = tern_transport_open(fd, &host, &device->transport);

    if (!status)
        status = check_contract(device);
    if (!status)
        status = await_firmware(device);
    if (!status)
        status = tern_admin_start(device);
    return status ? status : identify(device);
}

int tern_open_fd(int fd, tern_progress_fn *progress, void *arg, struct tern_device **out)
{
    struct tern_device *device = calloc(1, sizeof(*device));
    int status;

    if (!device) {
        close(fd);
        return -TERN_ST_NO_MEMORY;
    }
    device->ends = calloc(QUEUE_NUMBERS, sizeof(struct tern_end *));
    if (!device->ends) {
        free(device);
        close(fd);
        return -TERN_ST_NO_MEMORY;
    }
    device->admin_event_fd = -1;
    pthread_mutex_init(&device->lock, NULL);
    pthread_mutex_init(&device->admin_lock, NULL);
    pthread_mutex_init(&device->watch_lock, NULL);
    tern_events_init(device);
    status = start(device, fd, progress, arg);
    if (status) {
        tern_close(device);
        return status;
    }
    tern_fork_watch(device);
    *out = device;
    return 0;
}

int tern_open(const char *uri, struct tern_device **device)
{
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
    int status = tern_uri_path(uri, path, sizeof(path));
    int fd;

    if (status)
        return status;
    fd = connect_path(path);
    return fd < 0 ? fd : tern_open_fd(fd, NULL, NULL, device);
}

/*
 * Closes the device.  When the connection ends, the NIC resets the function, so no commands are
 * needed to delete its objects.  The transport closes first: after that the NIC no longer accesses
 * the memory that the rest of the call frees.
 */
void tern_close(struct tern_device *device)
{
    if (!device)
        return;
    tern_fork_forget(device);
    tern_transport_close(device->transport);
    device->transport = NULL;
    if (device->free_queues)
        device->free_queues(device);
    tern_regions_free_all(device);
    tern_segments_free_all(device);
    tern_admin_stop(device);
    pthread_mutex_destroy(&device->event_lock);
    pthread_mutex_destroy(&device->watch_lock);
    pthread_mutex_destroy(&device->admin_lock);
    pthread_mutex_destroy(&device->lock);
    free(device->ends);
    free(device);
}

int tern_device_fd(const struct tern_device *device)
{
    return tern_transport_fd(device->transport);
}

void tern_serve(struct tern_device *device)
{
    tern_transport_serve(device->transport);
}

int tern_query_sized(struct tern_device *device, void *out, size_t size)
{
    struct tern_info info = device->info;
    size_t both = size < sizeof(info) ? size : sizeof(info);
    uint32_t word = 0;
    int status = tern_reg_read(device, TERN_REG_STATUS, &word);

    info.links_up = (uint8_t)(word >> 8);
    memcpy(out, &info, both);
    memset((uint8_t *)out + both, 0, size - both);
    return status;
}

int tern_reset(struct tern_device *device)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_RESET);
    status = tern_admin(device, words, NULL, 0, NULL);
    if (!status && device->reset_queues)
        device->reset_queues(device);
    if (!status)
        tern_events_wake_all(device);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the firmware: major 31:16, minor 15:8, patch 7:0. */
#ifndef FW_PROTO_VERSION_H
#define FW_PROTO_VERSION_H

#define FW_VERSION_WORD 0x00010000u

#endif

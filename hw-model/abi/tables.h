/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Includes every table once, with the row macros that the includer defined; the others expand to
 * nothing. May be included many times; undefines all row macros at its end.
 */
#ifndef CONST
#define CONST(name, value, text)
#endif
#ifndef STATE
#define STATE(name, value, text)
#endif
#ifndef REG
#define REG(name, offset, access, reset, text)
#endif
#ifndef MEM
#define MEM(name, base, bytes, lean, text)
#endif
#ifndef MMIO_REG
#define MMIO_REG(name, offset, access, text)
#endif
#ifndef MMIO_WIN
#define MMIO_WIN(name, offset, stride, count, text)
#endif
#ifndef STATUS
#define STATUS(name, value, text)
#endif
#ifndef OP
#define OP(name, value, text)
#endif
#ifndef PKT
#define PKT(name, value, text)
#endif
#ifndef ADMIN
#define ADMIN(name, value, text)
#endif
#ifndef EVENT
#define EVENT(name, value, text)
#endif
#ifndef STAT
#define STAT(name, index, text)
#endif
#ifndef TRACE
#define TRACE(name, lane, text)
#endif
#ifndef LOGMSG
#define LOGMSG(name, number, args, text)
#endif
#ifndef IDWORD
#define IDWORD(name, index, text)
#endif
#ifndef FEATURE
#define FEATURE(name, bit, text)
#endif
#ifndef FIELD
#define FIELD(layout, name, word, lsb, width, text)
#endif

#include "admin.def"
#include "bar.def"
#include "const.def"
#include "cqe.def"
#include "desc.def"
#include "event.def"
#include "feature.def"
#include "fwstate.def"
#include "identify.def"
#include "log.def"
#include "memmap.def"
#include "mmio.def"
#include "opcode.def"
#include "pkt.def"
#include "pkttype.def"
#include "stat.def"
#include "status.def"
#include "trace.def"

#undef CONST
#undef STATE
#undef REG
#undef MEM
#undef MMIO_REG
#undef MMIO_WIN
#undef STATUS
#undef OP
#undef PKT
#undef ADMIN
#undef EVENT
#undef STAT
#undef TRACE
#undef LOGMSG
#undef IDWORD
#undef FIELD
#undef FEATURE

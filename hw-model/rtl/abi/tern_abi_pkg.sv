// SPDX-License-Identifier: Apache-2.0
// Generated from hw-model/abi/*.def by abigen: do not edit.

`default_nettype none

/* verilator lint_off UNUSEDPARAM */
package tern_abi_pkg;

  localparam int unsigned ABI_MAGIC = 32'h4e524554;  // reads 'TERN' as little-endian bytes
  localparam int unsigned ABI_VERSION = 32'h10000;  // contract version: major 31:16 (must match), minor 15:0
  localparam int unsigned PCI_VENDOR = 32'h7e52;  // PCI vendor id shown to a vfio-user client (unassigned value)
  localparam int unsigned PCI_DEVICE = 32'h7e01;  // PCI device id shown to a vfio-user client
  localparam int unsigned DESC_BYTES = 32'h40;  // bytes of a descriptor, in a ring and in a doorbell window
  localparam int unsigned DESC_VERSION = 32'h1;  // version field of a descriptor
  localparam int unsigned INLINE_BYTES_MAX = 32'h20;  // largest payload inside a descriptor, bytes
  localparam int unsigned INLINE_OFFSET = 32'h20;  // byte offset of the inline payload in a descriptor
  localparam int unsigned CQE_BYTES = 32'h20;  // bytes of a completion
  localparam int unsigned PUT_BYTES_MAX = 32'h1000000;  // largest put of one descriptor, bytes
  localparam int unsigned RING_LOG2_MAX = 32'hf;  // largest log2 of the entries of a descriptor ring
  localparam int unsigned CQ_LOG2_MAX = 32'h12;  // largest log2 of the entries of a completion queue
  localparam int unsigned RING_ALIGN = 32'h40;  // alignment of every ring base, bytes
  localparam int unsigned RQ_ENTRY_LOG2_MIN = 32'h5;  // smallest log2 of the bytes of a reception entry
  localparam int unsigned RQ_ENTRY_LOG2_MAX = 32'hc;  // largest log2 of the bytes of a reception entry
  localparam int unsigned BAR_BYTES = 32'h20000;  // bytes of BAR 0 of one function
  localparam int unsigned BAR_FN_REGS = 32'h100;  // BAR offset of the function's register words
  localparam int unsigned BAR_FN_WORDS = 32'h20;  // function register words, 32 bits each
  localparam int unsigned BAR_DB = 32'h1000;  // BAR offset of doorbell window 0
  localparam int unsigned BAR_DB_STRIDE = 32'h80;  // bytes from one doorbell window to the next
  localparam int unsigned DB_INDEX = 32'h40;  // offset of the index doorbell inside a window; below it the inline descriptor
  localparam int unsigned QUEUE_ANY = 32'hffff;  // let the firmware choose the queue number
  localparam int unsigned COUNTER_NONE = 32'hffff;  // no byte counter
  localparam int unsigned VECTOR_NONE = 32'hffff;  // no interrupt
  localparam int unsigned KEY_NONE = 32'h0;  // a key that is never valid: region index 0 is not used
  localparam int unsigned QTYPE_NONE = 32'h0;  // queue number not in use
  localparam int unsigned QTYPE_SQ = 32'h1;  // descriptor ring (injection FIFO)
  localparam int unsigned QTYPE_RQ = 32'h2;  // reception FIFO
  localparam int unsigned QTYPE_CQ = 32'h3;  // completion queue
  localparam int unsigned RIGHT_LOCAL_READ = 32'h1;  // the NIC may read the region for its owner
  localparam int unsigned RIGHT_LOCAL_WRITE = 32'h2;  // the NIC may write the region for its owner
  localparam int unsigned RIGHT_REMOTE_READ = 32'h4;  // packets may read the region
  localparam int unsigned RIGHT_REMOTE_WRITE = 32'h8;  // packets may write the region
  localparam int unsigned RIGHT_REMOTE_ATOMIC = 32'h10;  // packets may do atomic operations on the region
  localparam int unsigned PKT_VERSION = 32'h1;  // version field of a packet header
  localparam int unsigned PKT_HEADER_BYTES = 32'h20;  // bytes of a packet header
  localparam int unsigned PKT_TRAILER_BYTES = 32'h8;  // bytes of a packet trailer
  localparam int unsigned PKT_TYPE_FW_FIRST = 32'h10;  // packet types from here to PKT_TYPE_FW_LAST go to the firmware
  localparam int unsigned PKT_TYPE_FW_LAST = 32'h3f;  // last packet type that goes to the firmware
  localparam int unsigned VN_REQUEST = 32'h0;  // virtual network 0: requests, sunk by firmware
  localparam int unsigned VN_DATA = 32'h1;  // virtual network 1: data and responses, sunk by hardware
  localparam int unsigned VN_ACK = 32'h2;  // virtual network 2: ack and nak, header only, sunk by hardware
  localparam int unsigned PFLAG_LAST = 32'h1;  // last packet of its message
  localparam int unsigned PFLAG_ACK_REQ = 32'h2;  // the target answers every packet of this message with ACK
  localparam int unsigned PFLAG_DEPOSIT = 32'h4;  // deposit bit: store and forward
  localparam int unsigned PFLAG_OFFSET = 32'h8;  // the address counts from the start of the region
  localparam int unsigned PFLAG_IMM = 32'h10;  // the last packet carries immediate data
  localparam int unsigned PFLAG_SOLICITED = 32'h20;  // the receiver asked for an interrupt on such a message
  localparam int unsigned DFLAG_SIGNAL = 32'h1;  // write a completion when the operation ends
  localparam int unsigned DFLAG_INLINE = 32'h2;  // the payload stands in the descriptor
  localparam int unsigned DFLAG_UNACKED = 32'h4;  // SENT level: done when the last packet left; no ack is asked for
  localparam int unsigned DFLAG_FENCE = 32'h8;  // start after all earlier operations of the queue have ended
  localparam int unsigned DFLAG_SOLICITED = 32'h10;  // ask for an interrupt at the receiver
  localparam int unsigned DFLAG_OFFSET = 32'h20;  // the remote address counts from the start of the region
  localparam int unsigned DFLAG_DEPOSIT = 32'h40;  // deposit bit for every packet
  localparam int unsigned DFLAG_IMM = 32'h80;  // the immediate field is valid
  localparam int unsigned LINK_KIND_DATA = 32'h0;  // wire beat inside a packet
  localparam int unsigned LINK_KIND_SOP = 32'h1;  // first wire beat of a packet
  localparam int unsigned LINK_KIND_EOP = 32'h2;  // last wire beat of a packet
  localparam int unsigned LINK_KIND_CTL = 32'h3;  // link control word (credits, keep-alive)
  localparam int unsigned FW_MAGIC = 32'h57465254;  // first word of a firmware image, 'TRFW' as little-endian bytes
  localparam int unsigned FW_HEADER_BYTES = 32'h10;  // bytes of the header of a firmware image
  localparam int unsigned HOST_READ_MAX = 32'h100;  // largest host read request, bytes; never crosses 4096
  localparam int unsigned OP_NONE = 32'hff;  // no operation entry
  localparam int unsigned DBG_NONE = 32'h0;  // debug port: no command
  localparam int unsigned DBG_HALT = 32'h1;  // debug port: stop; from now on ebreak stops too instead of trapping
  localparam int unsigned DBG_GO = 32'h2;  // debug port: run
  localparam int unsigned DBG_DETACH = 32'h3;  // debug port: run, and let ebreak trap again
  localparam int unsigned DBG_STEP = 32'h4;  // debug port: run one instruction, without interrupts
  localparam int unsigned DBG_INJECT = 32'h5;  // debug port: run the first word of the instruction memory, without traps
  localparam int unsigned DBG_PEEK = 32'h6;  // debug port: stand at the first word of the instruction memory and show it
  localparam int unsigned DBG_WRITE = 32'h7;  // debug port: write a word of the instruction memory
  localparam int unsigned DBG_HALTED = 32'h1;  // debug port, state: stands before the instruction shown
  localparam int unsigned DBG_HIT = 32'h2;  // debug port, state: halted by an ebreak
  localparam int unsigned DBG_FAULT = 32'h4;  // debug port, state: the injected instruction met an exception
  localparam int unsigned DBG_IN_RESET = 32'h8;  // debug port, state: the core is in reset
  localparam int unsigned FWSTATE_RESET = 32'h0;  // soft core in reset
  localparam int unsigned FWSTATE_LOADING = 32'h1;  // image is read from flash
  localparam int unsigned FWSTATE_NOIMAGE = 32'h2;  // flash is blank: first word is not FW_MAGIC
  localparam int unsigned FWSTATE_BADIMAGE = 32'h3;  // image too long, or its CRC-32C does not match
  localparam int unsigned FWSTATE_BOOT = 32'h4;  // firmware runs its self-test
  localparam int unsigned FWSTATE_READY = 32'h5;  // firmware serves queues
  localparam int unsigned FWSTATE_FAILED = 32'h6;  // self-test or trap: error code in STATUS 31:16
  localparam int unsigned FNSTATE_OFF = 32'h0;  // function not enabled
  localparam int unsigned FNSTATE_READY = 32'h1;  // admin queue is served
  localparam int unsigned FNSTATE_RESETTING = 32'h2;  // queues and regions are being taken down
  localparam int unsigned FNSTATE_ERROR = 32'h3;  // enabling failed: status code in FN_STATUS 15:8

  localparam logic [31:0] MEM_ITCM_BASE = 32'h0;  // instructions and constants; loads take the fetch port for a cycle; stores fault
  localparam int unsigned MEM_ITCM_BYTES = 32'h8000;
  localparam logic [31:0] MEM_DTCM_BASE = 32'h10000000;  // data and stack
  localparam int unsigned MEM_DTCM_BYTES = 32'h4000;
  localparam logic [31:0] MEM_MMIO_BASE = 32'h20000000;  // registers of the NIC, word access only
  localparam int unsigned MEM_MMIO_BYTES = 32'h10000;

  localparam logic [16:0] REG_MAGIC = 17'h0;  // ABI_MAGIC
  localparam logic [16:0] REG_VERSION = 17'h4;  // ABI_VERSION of the chip
  localparam logic [16:0] REG_CONFIG = 17'h8;  // link data width in bits 7:0, ports 15:8, MaxPayload/8 31:16
  localparam logic [16:0] REG_LIMITS = 17'hc;  // queues 15:0, functions 31:16
  localparam logic [16:0] REG_NODE = 17'h10;  // own coordinates: x 4:0, y 9:5, z 14:10
  localparam logic [16:0] REG_DIMS = 17'h14;  // sides of the torus minus one: x 4:0, y 9:5, z 14:10
  localparam logic [16:0] REG_STATUS = 17'h18;  // FWSTATE_* in 7:0, link-up bits 15:8, FW error code 31:16
  localparam logic [16:0] REG_INCARNATION = 17'h1c;  // incarnation of the node, 8 bits, 1 after power-on
  localparam logic [16:0] REG_CYCLE_LO = 17'h20;  // clock cycles since power-on, low word; reading latches the high word
  localparam logic [16:0] REG_CYCLE_HI = 17'h24;  // high word latched by the read of CYCLE_LO
  localparam logic [16:0] REG_INSTRET_LO = 17'h28;  // instructions retired by the soft core, low word; latches the high word
  localparam logic [16:0] REG_INSTRET_HI = 17'h2c;  // high word latched by the read of INSTRET_LO
  localparam logic [16:0] REG_BUSY_LO = 17'h30;  // cycles in which the soft core was not asleep, low word; latches the high word
  localparam logic [16:0] REG_BUSY_HI = 17'h34;  // high word latched by the read of BUSY_LO
  localparam logic [16:0] REG_FUNCTION = 17'h38;  // number of this function
  localparam logic [16:0] REG_REGIONS = 17'h3c;  // entries of the region table 15:0, byte counters 31:16
  localparam logic [16:0] REG_CLOCK_HZ = 17'h40;  // clock frequency in Hz, 0 = simulated
  localparam logic [16:0] REG_FW_VERSION = 17'h44;  // version word of the running firmware
  localparam logic [16:0] REG_CORE_CTRL = 17'h50;  // bit 0 holds the soft core in reset; clearing it boots the firmware anew
  localparam logic [16:0] REG_LOG_POP = 17'h54;  // takes the oldest word of the firmware log; 0 = empty
  localparam logic [16:0] REG_DROPS = 17'h58;  // packets dropped by this node since power-on, all reasons
  localparam logic [16:0] REG_FN_CTRL = 17'h100;  // write 1: enable the function with the admin queue below; 2: reset the function
  localparam logic [16:0] REG_FN_STATUS = 17'h104;  // written by the firmware: FNSTATE_* 7:0, status code of the last FN_CTRL 15:8, resets done 31:16
  localparam logic [16:0] REG_AQ_BASE_LO = 17'h108;  // address of the admin memory: ring, then its completion queue; RING_ALIGN aligned
  localparam logic [16:0] REG_AQ_BASE_HI = 17'h10c;  // high word of the address
  localparam logic [16:0] REG_AQ_SIZE = 17'h110;  // log2 entries of the admin ring 7:0, of its completion queue 15:8, interrupt vector 31:16
  localparam logic [16:0] REG_FN_ERROR = 17'h114;  // written by the firmware: last status raised without a descriptor 7:0, queue 23:8, count 31:24
  localparam logic [16:0] REG_ABI_WANTED = 17'h118;  // ABI_VERSION the host was built for; checked when the function is enabled
  localparam logic [16:0] REG_AQ_QUEUE = 17'h11c;  // written by the firmware: admin ring queue number 15:0, its completion queue 31:16

  localparam logic [15:0] MMIO_EV_POP = 16'h0;  // takes the next event; 0 = none.  Order: OP, HWR, RX, LINK, BAR, DBERR, CTR, DESC
  localparam logic [15:0] MMIO_EV_MASK = 16'h4;  // bit n = 1 lets event type n through; reset: all ones
  localparam logic [15:0] MMIO_EV_PENDING = 16'h8;  // bit n: an event of type n waits, masked or not.  External interrupt = any pending and unmasked
  localparam logic [15:0] MMIO_MTIME_LO = 16'h10;  // cycles since power-on
  localparam logic [15:0] MMIO_MTIME_HI = 16'h14;  // high word
  localparam logic [15:0] MMIO_MTIMECMP_LO = 16'h18;  // timer interrupt while MTIME >= MTIMECMP
  localparam logic [15:0] MMIO_MTIMECMP_HI = 16'h1c;  // high word; reset: all ones in both words
  localparam logic [15:0] MMIO_WDOG = 16'h20;  // cycles until the watchdog resets the core; counts down; 0 = off (reset value)
  localparam logic [15:0] MMIO_RESET_CAUSE = 16'h24;  // 0 power-on, 1 host (CORE_CTRL), 2 watchdog
  localparam logic [15:0] MMIO_CONFIG = 16'h28;  // as BAR CONFIG
  localparam logic [15:0] MMIO_LIMITS = 16'h2c;  // as BAR LIMITS
  localparam logic [15:0] MMIO_NODE = 16'h30;  // as BAR NODE
  localparam logic [15:0] MMIO_DIMS = 16'h34;  // as BAR DIMS
  localparam logic [15:0] MMIO_INCARNATION = 16'h38;  // as BAR INCARNATION; hardware adds 1 at every core reset, skipping 0
  localparam logic [15:0] MMIO_FW_STATUS = 16'h3c;  // shown in BAR STATUS: FWSTATE_* 7:0, error code 31:16
  localparam logic [15:0] MMIO_FW_VERSION = 16'h40;  // shown in BAR FW_VERSION
  localparam logic [15:0] MMIO_LOG_PUSH = 16'h44;  // appends a word to the log FIFO (drops the word when full)
  localparam logic [15:0] MMIO_LOG_POP = 16'h48;  // takes the oldest log word; 0 = empty
  localparam logic [15:0] MMIO_REGIONS = 16'h4c;  // as BAR REGIONS
  localparam logic [15:0] MMIO_SIZES = 16'h50;  // descriptor slots 7:0, of them firmware's own (the highest) 15:8, receive slots 23:16, operations 31:24
  localparam logic [15:0] MMIO_CLOCK_HZ = 16'h54;  // as BAR CLOCK_HZ
  localparam logic [15:0] MMIO_HOST_LATENCY = 16'h58;  // cycles of a host read round trip, strap
  localparam logic [15:0] MMIO_CONSOLE = 16'h5c;  // a character for the bench console (low byte); ignored on a board
  localparam logic [15:0] MMIO_TX_SPACE = 16'h80;  // transmit commands that fit now
  localparam logic [15:0] MMIO_TX_CMD = 16'h84;  // push: starts a message, see TXC fields
  localparam logic [15:0] MMIO_OP_ALLOC = 16'h88;  // takes a free operation entry; bit 31 set = none
  localparam logic [15:0] MMIO_OP_FREE = 16'h8c;  // gives an entry back after its OP event
  localparam logic [15:0] MMIO_OP_KILL = 16'h90;  // ends operation 7:0 with status 15:8 once transmission stopped; late acks are ignored
  localparam logic [15:0] MMIO_OP_BUSY0 = 16'h94;  // bit n: entry n is allocated (entries 31:0)
  localparam logic [15:0] MMIO_OP_BUSY1 = 16'h98;  // entries 63:32
  localparam logic [15:0] MMIO_OP_PROGRESS0 = 16'h9c;  // bit n: entry n sent a packet or took an ack since the last read; reading clears
  localparam logic [15:0] MMIO_OP_PROGRESS1 = 16'ha0;  // entries 63:32
  localparam logic [15:0] MMIO_SLOT_FREE = 16'ha4;  // gives descriptor slot 5:0 back to the prefetcher
  localparam logic [15:0] MMIO_RX_FREE = 16'hb0;  // gives receive slot 5:0 back
  localparam logic [15:0] MMIO_RX_ACK = 16'hb4;  // push: sends ACK for the packet in receive slot 5:0 with status 15:8 to its source
  localparam logic [15:0] MMIO_ACK_SPACE = 16'hb8;  // acks that fit now
  localparam logic [15:0] MMIO_HW_ADDR_LO = 16'hc0;  // region address of the next host write
  localparam logic [15:0] MMIO_HW_ADDR_HI = 16'hc4;  // high word
  localparam logic [15:0] MMIO_HW_KEY = 16'hc8;  // key of the region written to; for an interrupt: vector
  localparam logic [15:0] MMIO_HW_FN = 16'hcc;  // function that must own the region; for an interrupt: its function
  localparam logic [15:0] MMIO_HW_GO = 16'hd0;  // push: see HWG fields; takes a copy of the registers above and of HW_DATA
  localparam logic [15:0] MMIO_HW_SPACE = 16'hd4;  // host writes that fit now
  localparam logic [15:0] MMIO_RG_SEL = 16'h100;  // region index the window shows
  localparam logic [15:0] MMIO_Q_SEL = 16'h140;  // queue number the registers below show
  localparam logic [15:0] MMIO_Q_BASE_LO = 16'h144;  // ring base
  localparam logic [15:0] MMIO_Q_BASE_HI = 16'h148;  // high word
  localparam logic [15:0] MMIO_Q_KEY = 16'h14c;  // key of the region that holds the ring
  localparam logic [15:0] MMIO_Q_CFG = 16'h150;  // log2 entries 7:0, function 15:8, QTYPE_* 17:16, stop 24 (no prefetch while set); writing QTYPE_NONE removes the queue
  localparam logic [15:0] MMIO_Q_HEAD = 16'h154;  // descriptors fetched so far, free-running 24 bits; write before Q_CFG to start
  localparam logic [15:0] MMIO_Q_DB = 16'h158;  // last doorbell index, free-running 24 bits
  localparam logic [15:0] MMIO_CTR_SEL = 16'h180;  // byte counter the register below shows
  localparam logic [15:0] MMIO_CTR_VALUE = 16'h184;  // bytes left; a deposit subtracts its bytes, stops at 0, and reaching 0 raises CTR
  localparam logic [15:0] MMIO_HW_DATA = 16'he0;  // up to 32 bytes of immediate data
  localparam int unsigned MMIO_HW_DATA_STRIDE = 4;
  localparam int unsigned MMIO_HW_DATA_COUNT = 8;
  localparam logic [15:0] MMIO_RG_WORD = 16'h120;  // words of the selected region; word 7 written last makes the entry valid or not
  localparam int unsigned MMIO_RG_WORD_STRIDE = 4;
  localparam int unsigned MMIO_RG_WORD_COUNT = 8;
  localparam logic [15:0] MMIO_LINK = 16'h200;  // word 0: bit 0 up, bit 1 force down (RW); word 1: packets dropped because down; word 2: CRC errors; word 3: packets received
  localparam int unsigned MMIO_LINK_STRIDE = 16;
  localparam int unsigned MMIO_LINK_COUNT = 6;
  localparam logic [15:0] MMIO_STAT = 16'h400;  // hardware statistics, stat.def order, 32 bits, wrap
  localparam int unsigned MMIO_STAT_STRIDE = 4;
  localparam int unsigned MMIO_STAT_COUNT = 64;
  localparam logic [15:0] MMIO_SLOT = 16'h1000;  // descriptor slots, words of the descriptor
  localparam int unsigned MMIO_SLOT_STRIDE = 64;
  localparam int unsigned MMIO_SLOT_COUNT = 64;
  localparam logic [15:0] MMIO_FN = 16'h2000;  // function register words, as BAR from BAR_FN_REGS
  localparam int unsigned MMIO_FN_STRIDE = 128;
  localparam int unsigned MMIO_FN_COUNT = 64;
  localparam logic [15:0] MMIO_RXSLOT = 16'h8000;  // receive slots: header at 0, payload at 32; read only
  localparam int unsigned MMIO_RXSLOT_STRIDE = 2048;
  localparam int unsigned MMIO_RXSLOT_COUNT = 16;

  localparam logic [7:0] PTYPE_PUT = 8'h1;  // direct put: deposited by hardware, VN_DATA
  localparam logic [7:0] PTYPE_ACK = 8'h2;  // answer to one packet: status 0 = done, else why not; VN_ACK, header only
  localparam logic [7:0] PTYPE_SEND = 8'h10;  // memory-FIFO message, one packet, VN_REQUEST, to the firmware

  localparam logic [7:0] ST_OK = 8'h0;  // success
  localparam logic [7:0] ST_BAD_OPCODE = 8'h1;  // unknown opcode
  localparam logic [7:0] ST_BAD_VERSION = 8'h2;  // descriptor version not understood
  localparam logic [7:0] ST_BAD_INDEX = 8'h3;  // descriptor index does not match its place in the ring
  localparam logic [7:0] ST_BAD_LENGTH = 8'h4;  // length is zero where it must not be, or too long
  localparam logic [7:0] ST_BAD_KEY = 8'h5;  // key does not name a registered region
  localparam logic [7:0] ST_BAD_RANGE = 8'h6;  // address range is not inside the region
  localparam logic [7:0] ST_BAD_RIGHTS = 8'h7;  // region does not allow this access
  localparam logic [7:0] ST_NOT_OWNER = 8'h8;  // object belongs to another function
  localparam logic [7:0] ST_HOST_FAULT = 8'h9;  // host memory could not be read or written
  localparam logic [7:0] ST_BAD_NODE = 8'ha;  // destination is outside the torus
  localparam logic [7:0] ST_LINK_DOWN = 8'hb;  // a link on the way is down
  localparam logic [7:0] ST_TIMEOUT = 8'hc;  // no answer from the peer in time
  localparam logic [7:0] ST_RNR = 8'hd;  // receiver not ready: reception FIFO full after all retries
  localparam logic [7:0] ST_BAD_QUEUE = 8'he;  // queue does not exist
  localparam logic [7:0] ST_QUEUE_BUSY = 8'hf;  // queue number is taken, or the object is in use
  localparam logic [7:0] ST_NO_RESOURCE = 8'h10;  // table is full
  localparam logic [7:0] ST_BAD_ALIGN = 8'h11;  // ring is not aligned
  localparam logic [7:0] ST_BAD_SIZE = 8'h12;  // size out of range
  localparam logic [7:0] ST_BAD_TYPE = 8'h13;  // queue has another type
  localparam logic [7:0] ST_STALE_NODE = 8'h14;  // target was restarted since the key was given out
  localparam logic [7:0] ST_FLUSHED = 8'h15;  // taken down with its queue or function
  localparam logic [7:0] ST_BAD_COUNTER = 8'h16;  // byte counter does not exist or belongs to another function
  localparam logic [7:0] ST_DENIED = 8'h17;  // only function 0 may do this
  localparam logic [7:0] ST_ABI_MISMATCH = 8'h18;  // host and firmware were built for different contracts
  localparam logic [7:0] ST_MSG_TOO_LONG = 8'h19;  // message does not fit the reception entry
  localparam logic [7:0] ST_BAD_DOORBELL = 8'h1a;  // doorbell index leaves the ring
  localparam logic [7:0] ST_INTERNAL = 8'h1b;  // firmware met a state it should not be in
  localparam logic [7:0] ST_BAD_ARGUMENT = 8'h40;  // argument out of range
  localparam logic [7:0] ST_NO_DEVICE = 8'h41;  // no NIC answers at this address
  localparam logic [7:0] ST_DISCONNECTED = 8'h42;  // connection to the NIC was lost
  localparam logic [7:0] ST_NO_MEMORY = 8'h43;  // out of memory
  localparam logic [7:0] ST_AGAIN = 8'h44;  // queue is full, try again
  localparam logic [7:0] ST_SYSTEM = 8'h45;  // system call failed, see errno
  localparam logic [7:0] ST_PROTOCOL = 8'h46;  // peer broke the attach protocol
  localparam logic [7:0] ST_BAD_FIRMWARE = 8'h47;  // firmware image is damaged or too large
  localparam logic [7:0] ST_WAIT_EXPIRED = 8'h48;  // nothing happened in the time given

  localparam logic [3:0] EV_NONE = 4'h0;  // no event
  localparam logic [3:0] EV_DESC = 4'h1;  // a descriptor waits in a slot
  localparam logic [3:0] EV_RX = 4'h2;  // a packet for the firmware waits in a receive slot
  localparam logic [3:0] EV_OP = 4'h3;  // an operation ended
  localparam logic [3:0] EV_BAR = 4'h4;  // host wrote FN_CTRL
  localparam logic [3:0] EV_DBERR = 4'h5;  // doorbell of a queue that does not exist, belongs to another function, or leaves the ring
  localparam logic [3:0] EV_LINK = 4'h6;  // a link went up or down
  localparam logic [3:0] EV_CTR = 4'h7;  // a byte counter reached zero
  localparam logic [3:0] EV_HWR = 4'h8;  // a host write of the firmware ended with notify, or failed

  localparam int unsigned STAT_TX_PACKETS = 0;  // packets handed to the router by the transmit unit
  localparam int unsigned STAT_TX_BYTES = 1;  // payload bytes of those packets
  localparam int unsigned STAT_RX_PACKETS = 2;  // good packets that arrived at this node
  localparam int unsigned STAT_RX_PUT_PACKETS = 3;  // direct-put packets deposited
  localparam int unsigned STAT_RX_PUT_BYTES = 4;  // payload bytes deposited
  localparam int unsigned STAT_RX_FW_PACKETS = 5;  // packets handed to the firmware
  localparam int unsigned STAT_RX_ACKS = 6;  // acks that arrived with status OK
  localparam int unsigned STAT_RX_NAKS = 7;  // acks that arrived with another status
  localparam int unsigned STAT_TX_ACKS = 8;  // acks sent with status OK
  localparam int unsigned STAT_TX_NAKS = 9;  // acks sent with another status
  localparam int unsigned STAT_RX_BAD_CRC = 10;  // packets dropped at this node: end-to-end CRC or stomp
  localparam int unsigned STAT_RX_BAD_TYPE = 11;  // packets dropped at this node: unknown type or version
  localparam int unsigned STAT_RX_BAD_LENGTH = 12;  // packets dropped at this node: length field and size disagree, or too long
  localparam int unsigned STAT_RX_BAD_DST = 13;  // packets dropped at this node: destination is another node
  localparam int unsigned STAT_RX_REFUSED = 14;  // direct-put packets refused by key, range, rights or incarnation
  localparam int unsigned STAT_RX_STALE_ACKS = 15;  // acks of operations that had ended
  localparam int unsigned STAT_HOST_READS = 16;  // host read requests
  localparam int unsigned STAT_HOST_READ_BYTES = 17;  // bytes asked for in host reads
  localparam int unsigned STAT_HOST_WRITES = 18;  // host write bursts
  localparam int unsigned STAT_HOST_WRITE_BYTES = 19;  // bytes of host writes
  localparam int unsigned STAT_HOST_FAULTS = 20;  // host reads and writes that failed
  localparam int unsigned STAT_DOORBELLS = 21;  // doorbells accepted
  localparam int unsigned STAT_INLINE_DESCS = 22;  // descriptors taken from a doorbell window without a host read
  localparam int unsigned STAT_FETCHED_DESCS = 23;  // descriptors fetched from rings
  localparam int unsigned STAT_BAD_DOORBELLS = 24;  // doorbells refused
  localparam int unsigned STAT_KEY_CHECKS = 25;  // region checks
  localparam int unsigned STAT_KEY_REFUSALS = 26;  // region checks refused
  localparam int unsigned STAT_INTERRUPTS = 27;  // interrupts raised
  localparam int unsigned STAT_LINK_BAD_HEADER = 28;  // packets dropped at a link: header CRC, version, length, destination or virtual network
  localparam int unsigned STAT_LINK_BAD_CRC = 29;  // packets stomped at a link: link CRC or framing
  localparam int unsigned STAT_LINK_FORWARDED = 30;  // packets forwarded from link to link
  localparam int unsigned STAT_LINK_DOWN_DROPS = 31;  // packets discarded because their output link was down
  localparam int unsigned STAT_LINK_DOWNS = 32;  // times a link went down
  localparam int unsigned STAT_LINK_SENT = 33;  // packets sent on links, all ports
  localparam int unsigned STAT_CORE_RESETS = 34;  // resets of the soft core
  localparam int unsigned STAT_FW_DESCS = 48;  // descriptors handled
  localparam int unsigned STAT_FW_PUTS = 49;  // puts started
  localparam int unsigned STAT_FW_SENDS = 50;  // messages started
  localparam int unsigned STAT_FW_RECVS = 51;  // messages delivered
  localparam int unsigned STAT_FW_COMPLETIONS = 52;  // completions written
  localparam int unsigned STAT_FW_ERRORS = 53;  // operations ended with an error
  localparam int unsigned STAT_FW_RNR_SENT = 54;  // messages answered receiver-not-ready
  localparam int unsigned STAT_FW_RNR_RETRIES = 55;  // messages sent again after receiver-not-ready
  localparam int unsigned STAT_FW_TIMEOUTS = 56;  // operations timed out
  localparam int unsigned STAT_FW_ADMIN = 57;  // admin commands handled
  localparam int unsigned STAT_FW_EVENTS = 58;  // events handled
  localparam int unsigned STAT_FW_CQ_STALLS = 59;  // times a queue was stopped for want of completion places

  localparam int unsigned TRACE_DB_FIRST = 0;  // first beat of a doorbell write at the host port; id = queue
  localparam int unsigned TRACE_DESC_READY = 1;  // descriptor event offered to the firmware; id = slot
  localparam int unsigned TRACE_FW_POP = 2;  // firmware took an event; id = low 16 bits of the event
  localparam int unsigned TRACE_TX_CMD = 3;  // firmware started a message; id = operation entry
  localparam int unsigned TRACE_RD_REQ = 4;  // host read request accepted; id = tag
  localparam int unsigned TRACE_RD_LAST = 5;  // last beat of a host read; id = tag
  localparam int unsigned TRACE_TX_SOP = 6;  // first beat of a packet into the router; id = operation id of the packet
  localparam int unsigned TRACE_LINK_OUT = 7;  // first beat of a packet on a link; id = port 15:12, operation entry 11:0
  localparam int unsigned TRACE_LINK_IN = 8;  // first beat of a packet from a link; id = port 15:12, operation entry 11:0
  localparam int unsigned TRACE_RX_GOOD = 9;  // good tail of a packet at this node; id = operation id
  localparam int unsigned TRACE_DEP_FIRST = 10;  // first beat of a deposit at the host port; id = operation id
  localparam int unsigned TRACE_DEP_LAST = 11;  // last beat of a deposit at the host port; id = operation id
  localparam int unsigned TRACE_ACK_IN = 12;  // ack arrived; id = operation id
  localparam int unsigned TRACE_OP_DONE = 13;  // operation ended; id = entry
  localparam int unsigned TRACE_HWR_FIRST = 14;  // first beat of a host write of the firmware; id = tag
  localparam int unsigned TRACE_IRQ = 15;  // interrupt at the host port; id = function 7:0, vector 15:8
  localparam int unsigned TRACE_FW_WRITE = 16;  // firmware wrote CONSOLE; id = the byte
  localparam int unsigned TRACE_CORE_SLEEP = 17;  // the core fell asleep; id = 0
  localparam int unsigned TRACE_CORE_WAKE = 18;  // the core woke up; id = 0
  localparam int unsigned TRACE_LANES = 19;

  // Layout fields: first bit in the little-endian bit string, and width.
  localparam int unsigned CQE_STATUS_LSB = 0;  // status code
  localparam int unsigned CQE_STATUS_W = 8;
  localparam int unsigned CQE_OPCODE_LSB = 8;  // opcode of the descriptor; OP_RECV for an arrived message
  localparam int unsigned CQE_OPCODE_W = 8;
  localparam int unsigned CQE_FLAGS_LSB = 16;  // DFLAG_IMM and DFLAG_SOLICITED as they came
  localparam int unsigned CQE_FLAGS_W = 8;
  localparam int unsigned CQE_INDEX_LSB = 32;  // index of the descriptor, or of the reception entry
  localparam int unsigned CQE_INDEX_W = 16;
  localparam int unsigned CQE_QUEUE_LSB = 48;  // queue the entry belongs to
  localparam int unsigned CQE_QUEUE_W = 16;
  localparam int unsigned CQE_LENGTH_LSB = 64;  // bytes moved; for admin commands the 32-bit result (queue number, key)
  localparam int unsigned CQE_LENGTH_W = 32;
  localparam int unsigned CQE_IMM_LSB = 96;  // immediate data
  localparam int unsigned CQE_IMM_W = 32;
  localparam int unsigned CQE_VALUE_LSB = 128;  // 64-bit result of an admin command or operation
  localparam int unsigned CQE_VALUE_W = 64;
  localparam int unsigned CQE_NODE_LSB = 192;  // source of a message; for an error the node it concerns
  localparam int unsigned CQE_NODE_W = 16;
  localparam int unsigned CQE_LINK_LSB = 208;  // for LINK_DOWN the port (0 X+, 1 X-) plus 1, else 0
  localparam int unsigned CQE_LINK_W = 8;
  localparam int unsigned CQE_FAULT_LSB = 216;  // which side refused: 0 none, 1 origin, 2 target, 3 network
  localparam int unsigned CQE_FAULT_W = 8;
  localparam int unsigned CQE_LAP_LSB = 224;  // entry's free-running number
  localparam int unsigned CQE_LAP_W = 31;
  localparam int unsigned CQE_PHASE_LSB = 255;  // 1 on the first lap of the ring, then flips on every lap
  localparam int unsigned CQE_PHASE_W = 1;
  localparam int unsigned DESC_OPCODE_LSB = 0;  // what to do; the hardware hands it to the firmware unread
  localparam int unsigned DESC_OPCODE_W = 8;
  localparam int unsigned DESC_FLAGS_LSB = 8;  // DFLAG_* bits
  localparam int unsigned DESC_FLAGS_W = 8;
  localparam int unsigned DESC_VERSION_LSB = 16;  // DESC_VERSION
  localparam int unsigned DESC_VERSION_W = 4;
  localparam int unsigned DESC_INLINE_LEN_LSB = 20;  // payload bytes in the descriptor, 0 to 32, with DFLAG_INLINE
  localparam int unsigned DESC_INLINE_LEN_W = 6;
  localparam int unsigned DESC_INDEX_LSB = 32;  // ring index of this descriptor, free-running: a stale entry is refused
  localparam int unsigned DESC_INDEX_W = 16;
  localparam int unsigned DESC_DST_QUEUE_LSB = 48;  // reception FIFO at the target, for messages
  localparam int unsigned DESC_DST_QUEUE_W = 16;
  localparam int unsigned DESC_DST_NODE_LSB = 64;  // target: x 4:0, y 9:5, z 14:10
  localparam int unsigned DESC_DST_NODE_W = 16;
  localparam int unsigned DESC_INCARNATION_LSB = 80;  // incarnation of the target the key belongs to, 0 = any
  localparam int unsigned DESC_INCARNATION_W = 8;
  localparam int unsigned DESC_LENGTH_LSB = 96;  // payload bytes
  localparam int unsigned DESC_LENGTH_W = 32;
  localparam int unsigned DESC_REMOTE_ADDR_LSB = 128;  // address at the target, in the region's address space
  localparam int unsigned DESC_REMOTE_ADDR_W = 64;
  localparam int unsigned DESC_REMOTE_KEY_LSB = 192;  // key of the target's region
  localparam int unsigned DESC_REMOTE_KEY_W = 32;
  localparam int unsigned DESC_IMM_LSB = 224;  // immediate data, delivered in the receiver's completion
  localparam int unsigned DESC_IMM_W = 32;
  localparam int unsigned DESC_LOCAL_ADDR_LSB = 256;  // address of the payload in the sender's memory
  localparam int unsigned DESC_LOCAL_ADDR_W = 64;
  localparam int unsigned DESC_LOCAL_KEY_LSB = 320;  // key of the sender's region
  localparam int unsigned DESC_LOCAL_KEY_W = 32;
  localparam int unsigned DESC_COUNTER_LSB = 352;  // byte counter at the origin, or COUNTER_NONE
  localparam int unsigned DESC_COUNTER_W = 16;
  localparam int unsigned ADM_ID_LSB = 64;  // queue or counter number
  localparam int unsigned ADM_ID_W = 16;
  localparam int unsigned ADM_LENGTH_LSB = 96;  // bytes the answer may take, or counter value
  localparam int unsigned ADM_LENGTH_W = 32;
  localparam int unsigned ADM_ADDR_LSB = 128;  // ring base, region base, or where the answer goes
  localparam int unsigned ADM_ADDR_W = 64;
  localparam int unsigned ADM_KEY_LSB = 192;  // key of the region that holds addr, or the key to release
  localparam int unsigned ADM_KEY_W = 32;
  localparam int unsigned ADM_QTYPE_LSB = 224;  // QTYPE_*
  localparam int unsigned ADM_QTYPE_W = 8;
  localparam int unsigned ADM_LOG2_ENTRIES_LSB = 232;  // log2 of the queue's entries
  localparam int unsigned ADM_LOG2_ENTRIES_W = 8;
  localparam int unsigned ADM_LOG2_BYTES_LSB = 240;  // log2 of the bytes of a reception entry
  localparam int unsigned ADM_LOG2_BYTES_W = 8;
  localparam int unsigned ADM_RIGHTS_LSB = 224;  // RIGHT_* bits of a region
  localparam int unsigned ADM_RIGHTS_W = 8;
  localparam int unsigned ADM_SIZE_LSB = 256;  // bytes of a region
  localparam int unsigned ADM_SIZE_W = 64;
  localparam int unsigned ADM_CQ_LSB = 320;  // completion queue of the new queue
  localparam int unsigned ADM_CQ_W = 16;
  localparam int unsigned ADM_VECTOR_LSB = 336;  // interrupt vector of a completion queue, or VECTOR_NONE
  localparam int unsigned ADM_VECTOR_W = 16;
  localparam int unsigned ADM_COUNTER_LSB = 352;  // byte counter of a region, or COUNTER_NONE
  localparam int unsigned ADM_COUNTER_W = 16;
  localparam int unsigned EV_TYPE_LSB = 28;  // event type
  localparam int unsigned EV_TYPE_W = 4;
  localparam int unsigned EV_OPCODE_LSB = 0;  // DESC: opcode as written by the host
  localparam int unsigned EV_OPCODE_W = 8;
  localparam int unsigned EV_SLOT_LSB = 8;  // DESC: descriptor slot
  localparam int unsigned EV_SLOT_W = 6;
  localparam int unsigned EV_QUEUE_LSB = 14;  // DESC, DBERR: queue number
  localparam int unsigned EV_QUEUE_W = 10;
  localparam int unsigned EV_ERR_LSB = 24;  // DESC: 0 good, else status BAD_VERSION, BAD_INDEX or HOST_FAULT; DBERR: 0 no such queue or not owner, 1 leaves the ring
  localparam int unsigned EV_ERR_W = 4;
  localparam int unsigned EV_RXSLOT_LSB = 0;  // RX: receive slot
  localparam int unsigned EV_RXSLOT_W = 6;
  localparam int unsigned EV_PKTTYPE_LSB = 8;  // RX: packet type
  localparam int unsigned EV_PKTTYPE_W = 8;
  localparam int unsigned EV_OP_LSB = 0;  // OP: operation entry
  localparam int unsigned EV_OP_W = 8;
  localparam int unsigned EV_OPSTATUS_LSB = 8;  // OP: status code, of the first packet that failed
  localparam int unsigned EV_OPSTATUS_W = 8;
  localparam int unsigned EV_FN_LSB = 0;  // BAR, DBERR: function
  localparam int unsigned EV_FN_W = 8;
  localparam int unsigned EV_VALUE_LSB = 8;  // BAR: low byte written to FN_CTRL
  localparam int unsigned EV_VALUE_W = 8;
  localparam int unsigned EV_PORT_LSB = 0;  // LINK: port
  localparam int unsigned EV_PORT_W = 4;
  localparam int unsigned EV_UP_LSB = 4;  // LINK: 1 up, 0 down
  localparam int unsigned EV_UP_W = 1;
  localparam int unsigned EV_COUNTER_LSB = 0;  // CTR: counter
  localparam int unsigned EV_COUNTER_W = 16;
  localparam int unsigned EV_TAG_LSB = 0;  // HWR: tag of the command
  localparam int unsigned EV_TAG_W = 8;
  localparam int unsigned EV_HWSTATUS_LSB = 8;  // HWR: status code
  localparam int unsigned EV_HWSTATUS_W = 8;
  localparam int unsigned TXC_SLOT_LSB = 0;  // descriptor slot that names addresses, keys, length, destination
  localparam int unsigned TXC_SLOT_W = 6;
  localparam int unsigned TXC_VN_LSB = 6;  // virtual network
  localparam int unsigned TXC_VN_W = 2;
  localparam int unsigned TXC_TYPE_LSB = 8;  // packet type
  localparam int unsigned TXC_TYPE_W = 8;
  localparam int unsigned TXC_OP_LSB = 16;  // operation entry, or OP_NONE
  localparam int unsigned TXC_OP_W = 8;
  localparam int unsigned TXC_INL_LSB = 24;  // payload stands in the slot (inline_len bytes), else it is read from local_addr under local_key
  localparam int unsigned TXC_INL_W = 1;
  localparam int unsigned TXC_ACK_LSB = 25;  // ask for acks; the operation ends when all packets are acked
  localparam int unsigned TXC_ACK_W = 1;
  localparam int unsigned TXC_NOTIFY_LSB = 26;  // raise OP on success too; without it only failures raise OP and success frees the entry
  localparam int unsigned TXC_NOTIFY_W = 1;
  localparam int unsigned TXC_MSG_LSB = 27;  // addr field of the packet = imm, dst_queue and queue of the descriptor, not remote_addr
  localparam int unsigned TXC_MSG_W = 1;
  localparam int unsigned TXC_FREE_SLOT_LSB = 28;  // give the slot back to the prefetcher when transmission has read it
  localparam int unsigned TXC_FREE_SLOT_W = 1;
  localparam int unsigned HWG_BYTES_LSB = 0;  // bytes to write, 1 to MaxPayload; from HW_DATA at most 32
  localparam int unsigned HWG_BYTES_W = 11;
  localparam int unsigned HWG_RXSLOT_LSB = 11;  // kind 1: receive slot whose payload is written
  localparam int unsigned HWG_RXSLOT_W = 5;
  localparam int unsigned HWG_KIND_LSB = 16;  // 0 HW_DATA, 1 receive slot, 2 interrupt
  localparam int unsigned HWG_KIND_W = 2;
  localparam int unsigned HWG_FREE_SLOT_LSB = 18;  // kind 1: give the receive slot back when read
  localparam int unsigned HWG_FREE_SLOT_W = 1;
  localparam int unsigned HWG_NOTIFY_LSB = 19;  // raise HWR on success too; a failure always raises it
  localparam int unsigned HWG_NOTIFY_W = 1;
  localparam int unsigned HWG_TAG_LSB = 20;  // comes back in HWR
  localparam int unsigned HWG_TAG_W = 8;
  localparam int unsigned RGN_BASE_LSB = 0;  // host address of the first byte
  localparam int unsigned RGN_BASE_W = 64;
  localparam int unsigned RGN_LENGTH_LSB = 64;  // bytes
  localparam int unsigned RGN_LENGTH_W = 48;
  localparam int unsigned RGN_TAG_LSB = 112;  // upper half of the key
  localparam int unsigned RGN_TAG_W = 16;
  localparam int unsigned RGN_IOVA_LSB = 128;  // region address of the first byte (what remote_addr counts in)
  localparam int unsigned RGN_IOVA_W = 64;
  localparam int unsigned RGN_COUNTER_LSB = 192;  // byte counter of deposits, or COUNTER_NONE
  localparam int unsigned RGN_COUNTER_W = 16;
  localparam int unsigned RGN_FN_LSB = 208;  // owner
  localparam int unsigned RGN_FN_W = 8;
  localparam int unsigned RGN_RIGHTS_LSB = 224;  // RIGHT_* bits
  localparam int unsigned RGN_RIGHTS_W = 8;
  localparam int unsigned RGN_VALID_LSB = 255;  // entry is in use
  localparam int unsigned RGN_VALID_W = 1;
  localparam int unsigned PKT_TYPE_LSB = 0;  // packet type
  localparam int unsigned PKT_TYPE_W = 8;
  localparam int unsigned PKT_FLAGS_LSB = 8;  // PFLAG_* bits
  localparam int unsigned PKT_FLAGS_W = 8;
  localparam int unsigned PKT_INCARNATION_LSB = 16;  // incarnation of the target it is meant for, 0 = any
  localparam int unsigned PKT_INCARNATION_W = 8;
  localparam int unsigned PKT_VERSION_LSB = 24;  // PKT_VERSION
  localparam int unsigned PKT_VERSION_W = 4;
  localparam int unsigned PKT_VN_LSB = 28;  // virtual network
  localparam int unsigned PKT_VN_W = 2;
  localparam int unsigned PKT_DST_LSB = 32;  // destination: x 4:0, y 9:5, z 14:10
  localparam int unsigned PKT_DST_W = 16;
  localparam int unsigned PKT_SRC_LSB = 48;  // origin of the packet
  localparam int unsigned PKT_SRC_W = 16;
  localparam int unsigned PKT_LENGTH_LSB = 64;  // payload bytes without padding
  localparam int unsigned PKT_LENGTH_W = 11;
  localparam int unsigned PKT_OPID_LSB = 80;  // operation at the origin: entry 7:0, generation 15:8
  localparam int unsigned PKT_OPID_W = 16;
  localparam int unsigned PKT_KEY_LSB = 96;  // key of the target region; ACK: status code in 7:0
  localparam int unsigned PKT_KEY_W = 32;
  localparam int unsigned PKT_ADDR_LSB = 128;  // address in the target region; messages: immediate data 31:0, reception FIFO 47:32, sender's queue 63:48
  localparam int unsigned PKT_ADDR_W = 64;
  localparam int unsigned PKT_BOX_LSB = 192;  // extents of a box broadcast in the negative directions: x 4:0, y 9:5, z 14:10
  localparam int unsigned PKT_BOX_W = 15;
  localparam int unsigned PKT_COUNTER_LSB = 208;  // byte counter at the target, or COUNTER_NONE
  localparam int unsigned PKT_COUNTER_W = 16;
  localparam int unsigned PKT_LINK_SEQ_LSB = 224;  // link sequence number, per hop
  localparam int unsigned PKT_LINK_SEQ_W = 9;
  localparam int unsigned PKT_DATELINE_LSB = 233;  // the packet has crossed the dateline of this ring
  localparam int unsigned PKT_DATELINE_W = 1;
  localparam int unsigned PKT_HOPS_LSB = 234;  // links travelled
  localparam int unsigned PKT_HOPS_W = 6;
  localparam int unsigned PKT_HCRC_LSB = 240;  // header CRC-16, per hop
  localparam int unsigned PKT_HCRC_W = 16;
  localparam int unsigned TRL_E2E_CRC_LSB = 0;  // end-to-end CRC-32C
  localparam int unsigned TRL_E2E_CRC_W = 32;
  localparam int unsigned TRL_LINK_CRC_LSB = 32;  // link CRC-32C, per hop
  localparam int unsigned TRL_LINK_CRC_W = 32;
  localparam int unsigned CTL_FREED_LSB = 0;  // 8-byte buffer words freed since link start, plus the buffer size, modulo 2^14
  localparam int unsigned CTL_FREED_W = 14;
  localparam int unsigned CTL_VN_LSB = 14;  // virtual network the count is for
  localparam int unsigned CTL_VN_W = 2;
  localparam int unsigned CTL_HEARD_LSB = 16;  // the sender of this word receives its peer
  localparam int unsigned CTL_HEARD_W = 1;
  localparam int unsigned CTL_SENT_LSB = 17;  // 8-byte words sent so far on that network, modulo 2^7, counted when a header is complete: the receiver credits back what it misses
  localparam int unsigned CTL_SENT_W = 7;
  localparam int unsigned CTL_CRC_LSB = 24;  // CRC-8 (polynomial 0x07, initial 0xff) over bits 23:0, most significant bit first
  localparam int unsigned CTL_CRC_W = 8;
  localparam int unsigned RPTR_ADDR_LSB = 0;  // address inside the region
  localparam int unsigned RPTR_ADDR_W = 64;
  localparam int unsigned RPTR_KEY_LSB = 64;  // region index 15:0, random tag 31:16
  localparam int unsigned RPTR_KEY_W = 32;
  localparam int unsigned RPTR_NODE_LSB = 96;  // node that owns the region
  localparam int unsigned RPTR_NODE_W = 16;
  localparam int unsigned RPTR_INCARNATION_LSB = 112;  // incarnation of that node
  localparam int unsigned RPTR_INCARNATION_W = 8;
  localparam int unsigned RPTR_FLAGS_LSB = 120;  // rights the pointer was given with
  localparam int unsigned RPTR_FLAGS_W = 8;

  // CRC of one more data word; start with all ones.  CRC-32C is inverted at the end, the others are not.
  function automatic logic [31:0] crc32c_64(input logic [31:0] crc, input logic [63:0] data);
    crc32c_64[0] = ^(crc & 32'h386f2c25) ^ ^(data & 64'h1f91caf6386f2c25);
    crc32c_64[1] = ^(crc & 32'h70de584b) ^ ^(data & 64'h3f2395ec70de584b);
    crc32c_64[2] = ^(crc & 32'he1bcb097) ^ ^(data & 64'h7e472bd8e1bcb097);
    crc32c_64[3] = ^(crc & 32'hc379612e) ^ ^(data & 64'hfc8e57b1c379612e);
    crc32c_64[4] = ^(crc & 32'hbe9dee78) ^ ^(data & 64'he68d6595be9dee78);
    crc32c_64[5] = ^(crc & 32'h4554f0d5) ^ ^(data & 64'hd28b01dd4554f0d5);
    crc32c_64[6] = ^(crc & 32'hb2c6cd8e) ^ ^(data & 64'hba87c94cb2c6cd8e);
    crc32c_64[7] = ^(crc & 32'h5de2b738) ^ ^(data & 64'h6a9e586f5de2b738);
    crc32c_64[8] = ^(crc & 32'hbbc56e71) ^ ^(data & 64'hd53cb0debbc56e71);
    crc32c_64[9] = ^(crc & 32'h4fe5f0c6) ^ ^(data & 64'hb5e8ab4b4fe5f0c6);
    crc32c_64[10] = ^(crc & 32'ha7a4cda9) ^ ^(data & 64'h74409c60a7a4cda9);
    crc32c_64[11] = ^(crc & 32'h4f499b53) ^ ^(data & 64'he88138c14f499b53);
    crc32c_64[12] = ^(crc & 32'ha6fc1a83) ^ ^(data & 64'hce93bb74a6fc1a83);
    crc32c_64[13] = ^(crc & 32'h75971923) ^ ^(data & 64'h82b6bc1f75971923);
    crc32c_64[14] = ^(crc & 32'hd3411e63) ^ ^(data & 64'h1afcb2c8d3411e63);
    crc32c_64[15] = ^(crc & 32'ha6823cc6) ^ ^(data & 64'h35f96591a6823cc6);
    crc32c_64[16] = ^(crc & 32'h4d04798c) ^ ^(data & 64'h6bf2cb234d04798c);
    crc32c_64[17] = ^(crc & 32'h9a08f318) ^ ^(data & 64'hd7e596469a08f318);
    crc32c_64[18] = ^(crc & 32'hc7eca15) ^ ^(data & 64'hb05ae67b0c7eca15);
    crc32c_64[19] = ^(crc & 32'h2092b80f) ^ ^(data & 64'h7f2406002092b80f);
    crc32c_64[20] = ^(crc & 32'h4125701f) ^ ^(data & 64'hfe480c004125701f);
    crc32c_64[21] = ^(crc & 32'hba25cc1b) ^ ^(data & 64'he301d2f6ba25cc1b);
    crc32c_64[22] = ^(crc & 32'h4c24b412) ^ ^(data & 64'hd9926f1b4c24b412);
    crc32c_64[23] = ^(crc & 32'ha0264400) ^ ^(data & 64'hacb514c0a0264400);
    crc32c_64[24] = ^(crc & 32'h7823a425) ^ ^(data & 64'h46fbe3777823a425);
    crc32c_64[25] = ^(crc & 32'hf047484a) ^ ^(data & 64'h8df7c6eef047484a);
    crc32c_64[26] = ^(crc & 32'hd8e1bcb0) ^ ^(data & 64'h47e472bd8e1bcb0);
    crc32c_64[27] = ^(crc & 32'hb1c37961) ^ ^(data & 64'h8fc8e57b1c37961);
    crc32c_64[28] = ^(crc & 32'h6386f2c2) ^ ^(data & 64'h11f91caf6386f2c2);
    crc32c_64[29] = ^(crc & 32'hc70de584) ^ ^(data & 64'h23f2395ec70de584);
    crc32c_64[30] = ^(crc & 32'h8e1bcb09) ^ ^(data & 64'h47e472bd8e1bcb09);
    crc32c_64[31] = ^(crc & 32'h1c379612) ^ ^(data & 64'h8fc8e57b1c379612);
  endfunction

  function automatic logic [31:0] crc32c_32(input logic [31:0] crc, input logic [31:0] data);
    crc32c_32[0] = ^(crc & 32'h1f91caf6) ^ ^(data & 32'h1f91caf6);
    crc32c_32[1] = ^(crc & 32'h3f2395ec) ^ ^(data & 32'h3f2395ec);
    crc32c_32[2] = ^(crc & 32'h7e472bd8) ^ ^(data & 32'h7e472bd8);
    crc32c_32[3] = ^(crc & 32'hfc8e57b1) ^ ^(data & 32'hfc8e57b1);
    crc32c_32[4] = ^(crc & 32'he68d6595) ^ ^(data & 32'he68d6595);
    crc32c_32[5] = ^(crc & 32'hd28b01dd) ^ ^(data & 32'hd28b01dd);
    crc32c_32[6] = ^(crc & 32'hba87c94c) ^ ^(data & 32'hba87c94c);
    crc32c_32[7] = ^(crc & 32'h6a9e586f) ^ ^(data & 32'h6a9e586f);
    crc32c_32[8] = ^(crc & 32'hd53cb0de) ^ ^(data & 32'hd53cb0de);
    crc32c_32[9] = ^(crc & 32'hb5e8ab4b) ^ ^(data & 32'hb5e8ab4b);
    crc32c_32[10] = ^(crc & 32'h74409c60) ^ ^(data & 32'h74409c60);
    crc32c_32[11] = ^(crc & 32'he88138c1) ^ ^(data & 32'he88138c1);
    crc32c_32[12] = ^(crc & 32'hce93bb74) ^ ^(data & 32'hce93bb74);
    crc32c_32[13] = ^(crc & 32'h82b6bc1f) ^ ^(data & 32'h82b6bc1f);
    crc32c_32[14] = ^(crc & 32'h1afcb2c8) ^ ^(data & 32'h1afcb2c8);
    crc32c_32[15] = ^(crc & 32'h35f96591) ^ ^(data & 32'h35f96591);
    crc32c_32[16] = ^(crc & 32'h6bf2cb23) ^ ^(data & 32'h6bf2cb23);
    crc32c_32[17] = ^(crc & 32'hd7e59646) ^ ^(data & 32'hd7e59646);
    crc32c_32[18] = ^(crc & 32'hb05ae67b) ^ ^(data & 32'hb05ae67b);
    crc32c_32[19] = ^(crc & 32'h7f240600) ^ ^(data & 32'h7f240600);
    crc32c_32[20] = ^(crc & 32'hfe480c00) ^ ^(data & 32'hfe480c00);
    crc32c_32[21] = ^(crc & 32'he301d2f6) ^ ^(data & 32'he301d2f6);
    crc32c_32[22] = ^(crc & 32'hd9926f1b) ^ ^(data & 32'hd9926f1b);
    crc32c_32[23] = ^(crc & 32'hacb514c0) ^ ^(data & 32'hacb514c0);
    crc32c_32[24] = ^(crc & 32'h46fbe377) ^ ^(data & 32'h46fbe377);
    crc32c_32[25] = ^(crc & 32'h8df7c6ee) ^ ^(data & 32'h8df7c6ee);
    crc32c_32[26] = ^(crc & 32'h47e472b) ^ ^(data & 32'h47e472b);
    crc32c_32[27] = ^(crc & 32'h8fc8e57) ^ ^(data & 32'h8fc8e57);
    crc32c_32[28] = ^(crc & 32'h11f91caf) ^ ^(data & 32'h11f91caf);
    crc32c_32[29] = ^(crc & 32'h23f2395e) ^ ^(data & 32'h23f2395e);
    crc32c_32[30] = ^(crc & 32'h47e472bd) ^ ^(data & 32'h47e472bd);
    crc32c_32[31] = ^(crc & 32'h8fc8e57b) ^ ^(data & 32'h8fc8e57b);
  endfunction

  function automatic logic [15:0] crc16_64(input logic [15:0] crc, input logic [63:0] data);
    crc16_64[0] = ^(crc & 16'h859b) ^ ^(data & 64'h1119581c0b049b85);
    crc16_64[1] = ^(crc & 16'hb36) ^ ^(data & 64'h2232b0381608360b);
    crc16_64[2] = ^(crc & 16'h166c) ^ ^(data & 64'h446460712c106c16);
    crc16_64[3] = ^(crc & 16'h2cd8) ^ ^(data & 64'h88c8c0e25820d82c);
    crc16_64[4] = ^(crc & 16'h59b0) ^ ^(data & 64'h109181c5b140b059);
    crc16_64[5] = ^(crc & 16'h36fb) ^ ^(data & 64'h313b5b976885fb36);
    crc16_64[6] = ^(crc & 16'h6df7) ^ ^(data & 64'h6276b62ed10af76d);
    crc16_64[7] = ^(crc & 16'hdbee) ^ ^(data & 64'hc4ec6c5da215eedb);
    crc16_64[8] = ^(crc & 16'hb7dc) ^ ^(data & 64'h88d9d9ba442bdcb7);
    crc16_64[9] = ^(crc & 16'h6fb8) ^ ^(data & 64'h10b3b3758956b86f);
    crc16_64[10] = ^(crc & 16'hdf70) ^ ^(data & 64'h206667eb12ad70df);
    crc16_64[11] = ^(crc & 16'hbee1) ^ ^(data & 64'h40ccced6255ae1be);
    crc16_64[12] = ^(crc & 16'hf859) ^ ^(data & 64'h9181c5b140b059f8);
    crc16_64[13] = ^(crc & 16'hf0b3) ^ ^(data & 64'h22038b638160b3f0);
    crc16_64[14] = ^(crc & 16'he166) ^ ^(data & 64'h440616c702c166e1);
    crc16_64[15] = ^(crc & 16'hc2cd) ^ ^(data & 64'h880c2c8e0582cdc2);
  endfunction

  function automatic logic [15:0] crc16_48(input logic [15:0] crc, input logic [47:0] data);
    crc16_48[0] = ^(crc & 16'h40b) ^ ^(data & 48'h1119581c0b04);
    crc16_48[1] = ^(crc & 16'h816) ^ ^(data & 48'h2232b0381608);
    crc16_48[2] = ^(crc & 16'h102c) ^ ^(data & 48'h446460712c10);
    crc16_48[3] = ^(crc & 16'h2058) ^ ^(data & 48'h88c8c0e25820);
    crc16_48[4] = ^(crc & 16'h40b1) ^ ^(data & 48'h109181c5b140);
    crc16_48[5] = ^(crc & 16'h8568) ^ ^(data & 48'h313b5b976885);
    crc16_48[6] = ^(crc & 16'had1) ^ ^(data & 48'h6276b62ed10a);
    crc16_48[7] = ^(crc & 16'h15a2) ^ ^(data & 48'hc4ec6c5da215);
    crc16_48[8] = ^(crc & 16'h2b44) ^ ^(data & 48'h88d9d9ba442b);
    crc16_48[9] = ^(crc & 16'h5689) ^ ^(data & 48'h10b3b3758956);
    crc16_48[10] = ^(crc & 16'had12) ^ ^(data & 48'h206667eb12ad);
    crc16_48[11] = ^(crc & 16'h5a25) ^ ^(data & 48'h40ccced6255a);
    crc16_48[12] = ^(crc & 16'hb040) ^ ^(data & 48'h9181c5b140b0);
    crc16_48[13] = ^(crc & 16'h6081) ^ ^(data & 48'h22038b638160);
    crc16_48[14] = ^(crc & 16'hc102) ^ ^(data & 48'h440616c702c1);
    crc16_48[15] = ^(crc & 16'h8205) ^ ^(data & 48'h880c2c8e0582);
  endfunction

  function automatic logic [15:0] crc16_32(input logic [15:0] crc, input logic [31:0] data);
    crc16_32[0] = ^(crc & 16'h1c58) ^ ^(data & 32'h1119581c);
    crc16_32[1] = ^(crc & 16'h38b0) ^ ^(data & 32'h2232b038);
    crc16_32[2] = ^(crc & 16'h7160) ^ ^(data & 32'h44646071);
    crc16_32[3] = ^(crc & 16'he2c0) ^ ^(data & 32'h88c8c0e2);
    crc16_32[4] = ^(crc & 16'hc581) ^ ^(data & 32'h109181c5);
    crc16_32[5] = ^(crc & 16'h975b) ^ ^(data & 32'h313b5b97);
    crc16_32[6] = ^(crc & 16'h2eb6) ^ ^(data & 32'h6276b62e);
    crc16_32[7] = ^(crc & 16'h5d6c) ^ ^(data & 32'hc4ec6c5d);
    crc16_32[8] = ^(crc & 16'hbad9) ^ ^(data & 32'h88d9d9ba);
    crc16_32[9] = ^(crc & 16'h75b3) ^ ^(data & 32'h10b3b375);
    crc16_32[10] = ^(crc & 16'heb67) ^ ^(data & 32'h206667eb);
    crc16_32[11] = ^(crc & 16'hd6ce) ^ ^(data & 32'h40ccced6);
    crc16_32[12] = ^(crc & 16'hb1c5) ^ ^(data & 32'h9181c5b1);
    crc16_32[13] = ^(crc & 16'h638b) ^ ^(data & 32'h22038b63);
    crc16_32[14] = ^(crc & 16'hc716) ^ ^(data & 32'h440616c7);
    crc16_32[15] = ^(crc & 16'h8e2c) ^ ^(data & 32'h880c2c8e);
  endfunction

  function automatic logic [15:0] crc16_16(input logic [15:0] crc, input logic [15:0] data);
    crc16_16[0] = ^(crc & 16'h1911) ^ ^(data & 16'h1119);
    crc16_16[1] = ^(crc & 16'h3222) ^ ^(data & 16'h2232);
    crc16_16[2] = ^(crc & 16'h6444) ^ ^(data & 16'h4464);
    crc16_16[3] = ^(crc & 16'hc888) ^ ^(data & 16'h88c8);
    crc16_16[4] = ^(crc & 16'h9110) ^ ^(data & 16'h1091);
    crc16_16[5] = ^(crc & 16'h3b31) ^ ^(data & 16'h313b);
    crc16_16[6] = ^(crc & 16'h7662) ^ ^(data & 16'h6276);
    crc16_16[7] = ^(crc & 16'hecc4) ^ ^(data & 16'hc4ec);
    crc16_16[8] = ^(crc & 16'hd988) ^ ^(data & 16'h88d9);
    crc16_16[9] = ^(crc & 16'hb310) ^ ^(data & 16'h10b3);
    crc16_16[10] = ^(crc & 16'h6620) ^ ^(data & 16'h2066);
    crc16_16[11] = ^(crc & 16'hcc40) ^ ^(data & 16'h40cc);
    crc16_16[12] = ^(crc & 16'h8191) ^ ^(data & 16'h9181);
    crc16_16[13] = ^(crc & 16'h322) ^ ^(data & 16'h2203);
    crc16_16[14] = ^(crc & 16'h644) ^ ^(data & 16'h4406);
    crc16_16[15] = ^(crc & 16'hc88) ^ ^(data & 16'h880c);
  endfunction

  function automatic logic [7:0] crc8_24(input logic [7:0] crc, input logic [23:0] data);
    crc8_24[0] = ^(crc & 8'had) ^ ^(data & 24'had51c1);
    crc8_24[1] = ^(crc & 8'hf7) ^ ^(data & 24'hf7f243);
    crc8_24[2] = ^(crc & 8'h42) ^ ^(data & 24'h42b547);
    crc8_24[3] = ^(crc & 8'h85) ^ ^(data & 24'h856a8e);
    crc8_24[4] = ^(crc & 8'ha) ^ ^(data & 24'had51c);
    crc8_24[5] = ^(crc & 8'h15) ^ ^(data & 24'h15aa38);
    crc8_24[6] = ^(crc & 8'h2b) ^ ^(data & 24'h2b5470);
    crc8_24[7] = ^(crc & 8'h56) ^ ^(data & 24'h56a8e0);
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */

`default_nettype wire

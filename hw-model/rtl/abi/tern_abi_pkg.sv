// SPDX-License-Identifier: Apache-2.0
// Generated from hw-model/abi/*.def by abigen: do not edit.

`default_nettype none

/* verilator lint_off UNUSEDPARAM */
package tern_abi_pkg;

  localparam int unsigned ABI_MAGIC = 32'h4e524554;  // reads 'TERN' as little-endian bytes
  localparam int unsigned ABI_VERSION = 32'h10000;  // contract version: major 31:16 (must match), minor 15:0
  localparam int unsigned DESC_VERSION = 32'h1;  // version field of a descriptor
  localparam int unsigned INLINE_BYTES_MAX = 32'h20;  // largest payload inside a descriptor, bytes
  localparam int unsigned INLINE_OFFSET = 32'h20;  // byte offset of the inline payload in a descriptor
  localparam int unsigned CQE_BYTES = 32'h20;  // bytes of a completion
  localparam int unsigned PUT_BYTES_MAX = 32'h1000000;  // largest put of one descriptor, bytes
  localparam int unsigned CQ_LOG2_MAX = 32'h12;  // largest log2 of the entries of a completion queue
  localparam int unsigned BAR_FN_REGS = 32'h100;  // BAR offset of the function's register words
  localparam int unsigned BAR_DB = 32'h1000;  // BAR offset of doorbell window 0
  localparam int unsigned BAR_DB_STRIDE = 32'h80;  // bytes from one doorbell window to the next
  localparam int unsigned DB_INDEX = 32'h40;  // offset of the index doorbell inside a window; below it the inline descriptor
  localparam int unsigned ATOMIC_BYTES = 32'h8;  // bytes that an atomic operation reads and changes; its address in host memory is a multiple
  localparam int unsigned ATO_BYTES = 32'h20;  // operands of an atomic operation, inline
  localparam int unsigned NODE_BYTES = 32'h20;  // size of a node that lookups read; nodes and buckets begin at multiples of it
  localparam int unsigned READ_BYTES = 32'h10;  // inline bytes of a read that name the place for its bytes
  localparam int unsigned COUNTER_NONE = 32'hffff;  // no byte counter
  localparam int unsigned PKT_UNNUMBERED = 32'hffff;  // the packet's place in its message is not told
  localparam int unsigned TREE_GROUPS = 32'h4;  // groups of the tree network at a node
  localparam int unsigned TREE_SLOTS = 32'h4;  // contributions of a node to a group that may be under way
  localparam int unsigned TREE_LONG_SLOTS = 32'h20;  // contributions from host memory, a packet each, of a node to a group that may be under way
  localparam int unsigned TREE_TICK = 32'h3d8;  // cycles in which the patience of groups is counted
  localparam int unsigned TREE_SUM = 32'h0;  // operation of the tree: sum modulo 2^32 or 2^64
  localparam int unsigned TREE_MIN = 32'h1;  // operation of the tree: minimum
  localparam int unsigned TREE_MAX = 32'h2;  // operation of the tree: maximum
  localparam int unsigned TREE_AND = 32'h3;  // operation of the tree: bits set in all
  localparam int unsigned TREE_OR = 32'h4;  // operation of the tree: bits set in any
  localparam int unsigned TREE_XOR = 32'h5;  // operation of the tree: bits set in an odd number
  localparam int unsigned TREE_DATA = 32'h40;  // tree: packet type of a contribution going up and of a result going down
  localparam int unsigned TREE_FREED = 32'h41;  // tree: packet type that returns credit
  localparam int unsigned TREE_FAILED = 32'h42;  // tree: packet type that says why a group failed
  localparam int unsigned TREE_OK = 32'h0;  // tree: the operation ended well
  localparam int unsigned TREE_TIMEOUT = 32'h1;  // tree: the rank, or all below it, did not contribute in time
  localparam int unsigned TREE_LINK_DOWN = 32'h2;  // tree: the link to the rank went down
  localparam int unsigned TREE_MISMATCH = 32'h3;  // tree: operation, type, length or number of the rank differ from the others'
  localparam int unsigned TREE_MALFORMED = 32'h4;  // tree: sizes in the contribution of the rank contradict each other
  localparam int unsigned TREE_OVERRUN = 32'h5;  // tree: a contribution of the rank without credit
  localparam int unsigned TREE_DAMAGED = 32'h6;  // tree: parity error in the buffer of the rank
  localparam int unsigned TREE_NO_GROUP = 32'h7;  // tree: the rank has no such group, or not in this epoch
  localparam int unsigned QTYPE_NONE = 32'h0;  // queue number not in use
  localparam int unsigned QTYPE_SQ = 32'h1;  // descriptor ring (injection FIFO)
  localparam int unsigned RIGHT_LOCAL_READ = 32'h1;  // the NIC may read the region for its owner
  localparam int unsigned RIGHT_LOCAL_WRITE = 32'h2;  // the NIC may write the region for its owner
  localparam int unsigned RIGHT_REMOTE_READ = 32'h4;  // packets may read the region
  localparam int unsigned RIGHT_REMOTE_WRITE = 32'h8;  // packets may write the region
  localparam int unsigned RIGHT_REMOTE_ATOMIC = 32'h10;  // packets may do atomic operations on the region
  localparam int unsigned PKT_VERSION = 32'h1;  // version field of a packet header
  localparam int unsigned PKT_HEADER_BYTES = 32'h20;  // bytes of a packet header
  localparam int unsigned PKT_TYPE_FW_FIRST = 32'h10;  // packet types from here to PKT_TYPE_FW_LAST go to the firmware
  localparam int unsigned PKT_TYPE_FW_LAST = 32'h3f;  // last packet type that goes to the firmware
  localparam int unsigned VN_REQUEST = 32'h0;  // virtual network 0: requests, sunk by firmware
  localparam int unsigned VN_DATA = 32'h1;  // virtual network 1: data and responses, sunk by hardware
  localparam int unsigned VN_ACK = 32'h2;  // virtual network 2: ack and nak, header only, sunk by hardware
  localparam int unsigned VN_TREE = 32'h3;  // in a command: to the tree network. To this node itself: as a contribution to the group whose number the packet type is above TREE_DATA; the combination comes back to this node as the put. To another node: as the packet that it is, by the rank of that node
  localparam int unsigned PFLAG_LAST = 32'h1;  // last packet of its message; of an ACK: no other answer to the operation will come
  localparam int unsigned PFLAG_ACK_REQ = 32'h2;  // the target answers this packet with ACK
  localparam int unsigned PFLAG_DEPOSIT = 32'h4;  // of a box broadcast: says under the end-to-end CRC what the deposit bit says to routers
  localparam int unsigned PFLAG_OFFSET = 32'h8;  // the address counts from the start of the region
  localparam int unsigned PFLAG_IMM = 32'h10;  // the last packet carries immediate data; an ACK a word
  localparam int unsigned PFLAG_SOLICITED = 32'h20;  // the receiver asked for an interrupt on such a message
  localparam int unsigned DFLAG_INLINE = 32'h2;  // the descriptor holds the payload
  localparam int unsigned DFLAG_FENCE = 32'h8;  // start after all earlier operations of the queue have ended
  localparam int unsigned DFLAG_SOLICITED = 32'h10;  // ask for an interrupt at the receiver
  localparam int unsigned DFLAG_OFFSET = 32'h20;  // the remote address counts from the start of the region
  localparam int unsigned DFLAG_IMM = 32'h80;  // the immediate field is valid
  localparam int unsigned LINK_KIND_DATA = 32'h0;  // wire beat inside a packet
  localparam int unsigned LINK_KIND_SOP = 32'h1;  // first wire beat of a packet
  localparam int unsigned LINK_KIND_EOP = 32'h2;  // last wire beat of a packet
  localparam int unsigned LINK_KIND_CTL = 32'h3;  // link control word (credits, keep-alive)
  localparam int unsigned LINK_BROKE_CREDIT = 32'h1;  // the peer sent a packet for which its channel had no room
  localparam int unsigned LINK_BROKE_DATELINE = 32'h2;  // the peer sent a packet in a channel that it may not have on its side of the dateline
  localparam int unsigned FW_MAGIC = 32'h57465254;  // first word of a firmware image, 'TRFW' as little-endian bytes
  localparam int unsigned FW_HEADER_BYTES = 32'h10;  // bytes of the header of a firmware image
  localparam int unsigned HOST_READ_MAX = 32'h100;  // largest host read request, bytes; never crosses 4096
  localparam int unsigned OP_NONE = 32'hff;  // no operation entry
  localparam int unsigned HWTAG_CQ = 32'h400;  // tag of host writes that are completions, plus the completion queue
  localparam int unsigned EVERR_NONE = 32'h8;  // DESC event: nothing wrong, but there are other flags
  localparam int unsigned EVERR_HOST_FAULT = 32'h9;  // DESC event: the descriptor could not be read; the slot holds zeros
  localparam int unsigned EVERR_VERSION = 32'ha;  // DESC event: DESC_VERSION is another one
  localparam int unsigned EVERR_INDEX = 32'hb;  // DESC event: the index is that of another place in the ring
  localparam int unsigned CORE_CTRL_HOLD = 32'h0;  // CORE_CTRL: number of the bit that holds the core
  localparam int unsigned CORE_CTRL_PATH = 32'h1;  // CORE_CTRL: number of the bit that resets the datapath
  localparam int unsigned DBG_NONE = 32'h0;  // debug port: no command
  localparam int unsigned DBG_HALT = 32'h1;  // debug port: stop; from now on ebreak stops too instead of trapping
  localparam int unsigned DBG_GO = 32'h2;  // debug port: run
  localparam int unsigned DBG_DETACH = 32'h3;  // debug port: run, and let ebreak trap again
  localparam int unsigned DBG_STEP = 32'h4;  // debug port: run one instruction, without interrupts
  localparam int unsigned DBG_INJECT = 32'h5;  // debug port: run the first word of the instruction memory, without traps
  localparam int unsigned DBG_PEEK = 32'h6;  // debug port: stop at the first word of the instruction memory and show it
  localparam int unsigned DBG_WRITE = 32'h7;  // debug port: write a word of the instruction memory
  localparam int unsigned HLINK_FLAG = 32'h7e;  // host link over a serial line: byte between frames
  localparam int unsigned HLINK_ESCAPE = 32'h7d;  // host link over a serial line: the next byte of the frame is changed by HLINK_CHANGE
  localparam int unsigned HLINK_CHANGE = 32'h20;  // bits of an escaped byte that differ on the line
  localparam int unsigned HLINK_HEAD_WORDS = 32'h2;  // words of a frame's head
  localparam int unsigned HLINK_UP_WORDS = 32'h85;  // words of the longest frame to the host, without its CRC-32C
  localparam int unsigned HLINK_DOWN_WORDS = 32'h43;  // words of the longest frame to the board, without its CRC-32C
  localparam int unsigned HLINK_KIND = 32'h0;  // head word 0: lowest bit of the kind, 4 bits
  localparam int unsigned HLINK_CHANNEL = 32'h4;  // head word 0: lowest bit of the node on the board, 4 bits
  localparam int unsigned HLINK_SEQ = 32'h8;  // head word 0: lowest bit of the frame's number, 8 bits
  localparam int unsigned HLINK_ACK = 32'h10;  // head word 0: lowest bit of the number of the frame that the sender wants next, 8 bits
  localparam int unsigned HLINK_WORDS = 32'h18;  // head word 0: lowest bit of the frame's words without the CRC-32C, 8 bits
  localparam int unsigned HLINK_FN = 32'h0;  // head word 1: lowest bit of the function, 8 bits
  localparam int unsigned HLINK_TAG = 32'h8;  // head word 1: lowest bit of the tag, or of the byte enables of a BAR access, 8 bits
  localparam int unsigned HLINK_ARG = 32'h10;  // head word 1: lowest bit of the argument, 8 bits
  localparam int unsigned HLINK_TAKEN = 32'h18;  // head word 1, to the host: lowest bit of the count of BAR accesses that the node has taken, 8 bits
  localparam int unsigned HLINK_KIND_ACK = 32'h0;  // no number: acknowledges; HLINK_ARG_GAP: frames are missing
  localparam int unsigned HLINK_KIND_SYNC = 32'h1;  // to the board, no number: word 2 begins a session and resets the node
  localparam int unsigned HLINK_KIND_SYNCED = 32'h2;  // to the host, no number: word 2 is the session, word 3 HLINK_VERSION
  localparam int unsigned HLINK_KIND_NUMBERED = 32'h3;  // frames of this kind and above have numbers
  localparam int unsigned HLINK_KIND_BAR_WRITE = 32'h3;  // to the board: word 2 the address, words 3 and 4 the data; further pairs of words belong to the next addresses
  localparam int unsigned HLINK_KIND_BAR_READ = 32'h4;  // to the board: word 2 the address
  localparam int unsigned HLINK_KIND_BAR_DATA = 32'h5;  // to the host: words 2 and 3 answer the oldest BAR read
  localparam int unsigned HLINK_KIND_READ = 32'h6;  // to the host: words 2 and 3 the address, argument the bytes minus one
  localparam int unsigned HLINK_KIND_READ_DATA = 32'h7;  // to the board: aligned words of host memory; HLINK_ARG_ERROR
  localparam int unsigned HLINK_KIND_WRITE = 32'h8;  // to the host: words 2 and 3 the address, then aligned words; argument: unused bytes of the last word, HLINK_ARG_IRQ
  localparam int unsigned HLINK_KIND_WRITTEN = 32'h9;  // to the board: answers a write; HLINK_ARG_ERROR
  localparam int unsigned HLINK_ARG_GAP = 32'h1;  // argument of an acknowledgement: send again from there
  localparam int unsigned HLINK_ARG_ERROR = 32'h1;  // argument of an answer: the host has no such memory
  localparam int unsigned HLINK_ARG_IRQ = 32'h4;  // argument of a write: an interrupt, word 4 its vector
  localparam int unsigned HLINK_ARG_FIRST = 32'h1;  // argument of HLINK_KIND_SYNCED: the flash has no right second image of the firmware, the node runs the first
  localparam int unsigned HLINK_ARG_BACK = 32'h2;  // argument of HLINK_KIND_SYNCED: the second image of the firmware did not come up, the node runs the first
  localparam int unsigned HLINK_ARG_MORE = 32'h4;  // argument of HLINK_KIND_SYNCED: lowest bit of the number of further nodes on the board, 4 bits
  localparam int unsigned HLINK_VERSION = 32'h1;  // version of the host link
  localparam int unsigned HLINK_BAR_ROOM = 32'h20;  // BAR accesses that the board stores
  localparam int unsigned HLINK_WINDOW = 32'h10;  // frames that may wait for their acknowledgement
  localparam int unsigned HLINK_ETHER_TYPE = 32'h88b5;  // host link over Ethernet: type of its frames, one for local experiments
  localparam int unsigned HLINK_ETHER_WORDS = 32'h4;  // words before the head: addresses, type, the low 16 bits of the session
  localparam int unsigned HLINK_ETHER_LOW = 32'h72657402;  // a board's address, its first four bytes, the first one lowest
  localparam int unsigned HLINK_ETHER_HIGH = 32'h6e;  // the same, the other two
  localparam int unsigned LINK_ETHER_TYPE = 32'h88b6;  // link over Ethernet: type of its frames, another one for local experiments
  localparam int unsigned LINK_ETHER_WORDS = 32'h4;  // words before the first group: addresses, type, 16 bits of zero
  localparam int unsigned LINK_ETHER_GROUP = 32'he;  // most beats of a group; their kinds are bits 0 and 1, 2 and 3, ... of the word before them
  localparam int unsigned LINK_ETHER_BEATS = 32'h1c;  // the word before a group: lowest bit of its beats, 4 bits; 0: the frame has no more
  localparam int unsigned LINK_ETHER_GROUPS = 32'h18;  // most groups of a frame
  localparam int unsigned FWSTATE_RESET = 32'h0;  // soft core in reset
  localparam int unsigned FWSTATE_LOADING = 32'h1;  // image is read from flash
  localparam int unsigned FWSTATE_NOIMAGE = 32'h2;  // flash is blank: first word is not FW_MAGIC
  localparam int unsigned FWSTATE_BADIMAGE = 32'h3;  // image too long, or its CRC-32C does not match
  localparam int unsigned FWSTATE_BOOT = 32'h4;  // firmware runs its self-test
  localparam int unsigned FWSTATE_READY = 32'h5;  // firmware serves queues
  localparam int unsigned FWSTATE_FAILED = 32'h6;  // self-test or trap: error code in STATUS 31:16

  localparam logic [31:0] MEM_ITCM_BASE = 32'h0;  // instructions and constants; loads have a port of their own; stores fault
  localparam int unsigned MEM_ITCM_BYTES = 32'h10000;
  localparam logic [31:0] MEM_DTCM_BASE = 32'h10000000;  // data and stack
  localparam int unsigned MEM_DTCM_BYTES = 32'h8000;
  localparam logic [31:0] MEM_MMIO_BASE = 32'hffff0000;  // registers of the NIC, word access only

  localparam logic [16:0] REG_MAGIC = 17'h0;  // ABI_MAGIC
  localparam logic [16:0] REG_VERSION = 17'h4;  // ABI_VERSION of the chip
  localparam logic [16:0] REG_CONFIG = 17'h8;  // link data width in bits 7:0, ports 15:8, MaxPayload/8 31:16
  localparam logic [16:0] REG_LIMITS = 17'hc;  // queues 15:0, functions 31:16
  localparam logic [16:0] REG_NODE = 17'h10;  // own coordinates: x 4:0, y 9:5, z 14:10
  localparam logic [16:0] REG_DIMS = 17'h14;  // sides of the torus minus one: x 4:0, y 9:5, z 14:10; bit 15: a mesh, no links from last to first
  localparam logic [16:0] REG_STATUS = 17'h18;  // FWSTATE_* in 7:0, link-up bits 15:8, FW error code 31:16
  localparam logic [16:0] REG_INCARNATION = 17'h1c;  // incarnation of the node, 8 bits; after power-on the number after the one that the flash has kept, 1 with a blank flash
  localparam logic [16:0] REG_CYCLE_LO = 17'h20;  // clock cycles since power-on, low word; reading latches the high word
  localparam logic [16:0] REG_INSTRET_LO = 17'h28;  // instructions retired by the soft core, low word; latches the high word
  localparam logic [16:0] REG_INSTRET_HI = 17'h2c;  // high word latched by the read of INSTRET_LO
  localparam logic [16:0] REG_BUSY_LO = 17'h30;  // cycles in which the soft core was not asleep, low word; latches the high word
  localparam logic [16:0] REG_BUSY_HI = 17'h34;  // high word latched by the read of BUSY_LO
  localparam logic [16:0] REG_FUNCTION = 17'h38;  // number of this function
  localparam logic [16:0] REG_REGIONS = 17'h3c;  // entries of the region table 15:0, byte counters 31:16
  localparam logic [16:0] REG_CLOCK_HZ = 17'h40;  // clock frequency in Hz, 0 = simulated
  localparam logic [16:0] REG_FW_VERSION = 17'h44;  // version word of the running firmware
  localparam logic [16:0] REG_CORE_CTRL = 17'h50;  // bit CORE_CTRL_HOLD holds the soft core in reset, clearing it boots the firmware anew; bit CORE_CTRL_PATH, written with the other: resets the datapath once its packets and accesses to the host have ended, reads 1 until then
  localparam logic [16:0] REG_LOG_POP = 17'h54;  // takes the oldest word of the firmware log; 0 = empty
  localparam logic [16:0] REG_DROPS = 17'h58;  // packets dropped by this node since power-on, all reasons
  localparam logic [16:0] REG_FN_CTRL = 17'h100;  // write 1: enable the function with the admin queue below; 2: reset the function
  localparam logic [16:0] REG_FN_STATUS = 17'h104;  // written by the firmware: FNSTATE_* 7:0, status code of the last FN_CTRL 15:8, resets done 31:16
  localparam logic [16:0] REG_AQ_BASE_LO = 17'h108;  // address of the admin memory: ring, then its completion queue; RING_ALIGN aligned
  localparam logic [16:0] REG_AQ_BASE_HI = 17'h10c;  // high word of the address
  localparam logic [16:0] REG_FN_ERROR = 17'h114;  // written by the firmware: last status raised without a descriptor 7:0, queue 23:8, count 31:24
  localparam logic [16:0] REG_AQ_QUEUE = 17'h11c;  // written by the firmware: admin ring queue number 15:0, its completion queue 31:16

  localparam logic [15:0] MMIO_EV_POP = 16'hf800;  // takes the next event; 0 = none.  Order: OP, HWR, RX, LINK, BAR, DBERR, CTR, DESC
  localparam logic [15:0] MMIO_EV_MASK = 16'hf804;  // bit n = 1 lets event type n through; reset: all ones
  localparam logic [15:0] MMIO_EV_PENDING = 16'hf808;  // bit n: an event of type n waits, masked or not.  External interrupt = any pending and unmasked
  localparam logic [15:0] MMIO_MTIME_LO = 16'hf810;  // cycles since power-on
  localparam logic [15:0] MMIO_MTIME_HI = 16'hf814;  // high word
  localparam logic [15:0] MMIO_MTIMECMP_LO = 16'hf818;  // timer interrupt while MTIME >= MTIMECMP
  localparam logic [15:0] MMIO_MTIMECMP_HI = 16'hf81c;  // high word; reset: all ones in both words
  localparam logic [15:0] MMIO_WDOG = 16'hf820;  // cycles until the watchdog resets the core; counts down; 0 = off (reset value)
  localparam logic [15:0] MMIO_RESET_CAUSE = 16'hf824;  // 0 power-on, 1 host (CORE_CTRL), 2 watchdog
  localparam logic [15:0] MMIO_CONFIG = 16'hf828;  // as BAR CONFIG
  localparam logic [15:0] MMIO_LIMITS = 16'hf82c;  // as BAR LIMITS
  localparam logic [15:0] MMIO_NODE = 16'hf830;  // as BAR NODE
  localparam logic [15:0] MMIO_DIMS = 16'hf834;  // as BAR DIMS
  localparam logic [15:0] MMIO_INCARNATION = 16'hf838;  // as BAR INCARNATION; hardware adds 1 at every core reset, skipping 0
  localparam logic [15:0] MMIO_FW_STATUS = 16'hf83c;  // shown in BAR STATUS: FWSTATE_* 7:0, error code 31:16
  localparam logic [15:0] MMIO_FW_VERSION = 16'hf840;  // shown in BAR FW_VERSION
  localparam logic [15:0] MMIO_LOG_PUSH = 16'hf844;  // appends a word to the log FIFO (drops the word when full)
  localparam logic [15:0] MMIO_LOG_POP = 16'hf848;  // takes the oldest log word; 0 = empty
  localparam logic [15:0] MMIO_REGIONS = 16'hf84c;  // as BAR REGIONS
  localparam logic [15:0] MMIO_SIZES = 16'hf850;  // descriptor slots 7:0, of them firmware's own (the highest) 15:8, receive slots 23:16, groups of the tree network 31:24 (0: none)
  localparam logic [15:0] MMIO_CLOCK_HZ = 16'hf854;  // as BAR CLOCK_HZ
  localparam logic [15:0] MMIO_HOST_LATENCY = 16'hf858;  // cycles of a host read round trip, strap
  localparam logic [15:0] MMIO_CONSOLE = 16'hf85c;  // a character for the bench console (low byte); ignored on a board
  localparam logic [15:0] MMIO_TX_SPACE = 16'hf880;  // transmit commands that fit now
  localparam logic [15:0] MMIO_TX_CMD = 16'hf884;  // push: starts a message, see TXC fields
  localparam logic [15:0] MMIO_OP_SENT = 16'hf888;  // bit n: a packet of the message of slot n has left since its TX_CMD
  localparam logic [15:0] MMIO_OP_MEMBERS = 16'hf898;  // before TX_CMD of a broadcast with acks: slot 5:0, nodes 31:16 that are to answer its last packet, this one with TXC self among them
  localparam logic [15:0] MMIO_OP_KILL = 16'hf894;  // ends the message of slot 5:0 with status 15:8 once transmission stopped; late acks are ignored
  localparam logic [15:0] MMIO_OP_BUSY = 16'hf88c;  // bit n: the message of slot n has not ended, or its OP event was not taken yet
  localparam logic [15:0] MMIO_OP_PROGRESS = 16'hf890;  // bit n: the message of slot n was started, sent a packet or took an ack since the last read; reading clears
  localparam logic [15:0] MMIO_SLOT_FREE = 16'hf8a4;  // gives descriptor slot 5:0 back to the prefetcher
  localparam logic [15:0] MMIO_RX_COPY = 16'hf8a8;  // push: copies what a READ packet in a receive slot asks for into a slot of the firmware's own, laid out as RPL; see RXC fields; the receive slot stays taken; a TX_CMD for the slot may follow at once.  With next nothing is copied now, but when a READ packet comes
  localparam logic [15:0] MMIO_RX_FREE = 16'hf8b0;  // gives receive slot 5:0 back
  localparam logic [15:0] MMIO_RX_ACK = 16'hf8b4;  // push: sends ACK for the packet in receive slot 5:0 with status 15:8 to its source
  localparam logic [15:0] MMIO_ACK_SPACE = 16'hf8b8;  // acks that fit now
  localparam logic [15:0] MMIO_RX_ATOMIC = 16'hf8bc;  // push: has the atomic unit do what the packet in a receive slot asks for, see RXA fields; the answer gives the slot back
  localparam logic [15:0] MMIO_HW_ADDR_LO = 16'hf8c0;  // region address of the next host write
  localparam logic [15:0] MMIO_HW_ADDR_HI = 16'hf8c4;  // high word
  localparam logic [15:0] MMIO_HW_KEY = 16'hf8c8;  // key of the region written to; for an interrupt: vector
  localparam logic [15:0] MMIO_HW_FN = 16'hf8cc;  // function that must own the region; for an interrupt: its function
  localparam logic [15:0] MMIO_HW_GO = 16'hf8d0;  // push: see HWG fields; the registers above and HW_DATA go with it, and are written anew for the next
  localparam logic [15:0] MMIO_HW_SPACE = 16'hf8d4;  // host writes that fit now
  localparam logic [15:0] MMIO_RG_SEL = 16'hf900;  // region index the window shows
  localparam logic [15:0] MMIO_Q_SEL = 16'hf940;  // queue number the registers below show
  localparam logic [15:0] MMIO_Q_BASE_LO = 16'hf944;  // ring base
  localparam logic [15:0] MMIO_Q_BASE_HI = 16'hf948;  // high word
  localparam logic [15:0] MMIO_Q_KEY = 16'hf94c;  // key of the region that holds the ring
  localparam logic [15:0] MMIO_Q_CFG = 16'hf950;  // log2 entries 7:0, function 15:8, QTYPE_* 17:16, stop 24 (no prefetch while set); writing QTYPE_NONE removes the queue
  localparam logic [15:0] MMIO_Q_HEAD = 16'hf954;  // descriptors fetched so far, of a completion queue entries given out; free-running 24 bits; write before Q_CFG to start
  localparam logic [15:0] MMIO_Q_DB = 16'hf958;  // last doorbell index, free-running 24 bits
  localparam logic [15:0] MMIO_Q_COMPLETE = 16'hf95c;  // writes the completion of the good operation in a slot and gives the slot back, see QDN fields; counts as a host write
  localparam logic [15:0] MMIO_CTR_SEL = 16'hf980;  // byte counter the registers below are of
  localparam logic [15:0] MMIO_CTR_VALUE = 16'hf984;  // bytes left; a deposit subtracts its bytes, stops at 0, and reaching 0 raises CTR
  localparam logic [15:0] MMIO_CTR_TAKE = 16'hf988;  // takes bytes off the selected counter, as a deposit does
  localparam logic [15:0] MMIO_TREE_LO = 16'hf9e0;  // of the event taken last: low word of the combination; written: low word of the next contribution
  localparam logic [15:0] MMIO_TREE_HI = 16'hf9e4;  // the same, high word; reading it lets the next TREE event come
  localparam logic [15:0] MMIO_TREE_GO = 16'hf9e8;  // push: contributes; see TRO fields with the slot in place of the epoch.  Each contribution ends with one TREE event
  localparam logic [15:0] MMIO_TREE_SET = 16'hf9ec;  // sets up a group; see TRS fields of `what`, with the function in place of `unused`
  localparam logic [15:0] MMIO_TREE_RANK = 16'hf9f0;  // rank of this node: 2r + 1 and 2r + 2 are its children
  localparam logic [15:0] MMIO_TREE_WAIT = 16'hf9f4;  // patience of the next group that is set up, in TREE_TICK: how long some ports may wait for others
  localparam logic [15:0] MMIO_HW_DATA = 16'hf8e0;  // up to 32 bytes of immediate data, anew for each HW_GO
  localparam logic [15:0] MMIO_RG_WORD = 16'hf920;  // words of the selected region; word 7 written last makes the entry valid or not
  localparam logic [15:0] MMIO_TREE_STATE = 16'hf9c0;  // a group; see TRG fields
  localparam logic [15:0] MMIO_LINK = 16'hfa00;  // word 0: bit 0 up, bit 1 force down (RW), bits 3:2 why it went down last (LINK_BROKE_*, 0: silence, or by force); word 1: packets dropped because down; word 2: CRC errors; word 3: packets received
  localparam int unsigned MMIO_LINK_STRIDE = 16;
  localparam int unsigned MMIO_LINK_COUNT = 6;
  localparam logic [15:0] MMIO_OWNER = 16'hfb00;  // queue 9:0 whose descriptor the slot holds
  localparam logic [15:0] MMIO_STAT = 16'hfc00;  // hardware statistics, stat.def order, 32 bits, wrap
  localparam logic [15:0] MMIO_SLOT = 16'h9000;  // descriptor slots, words of the descriptor
  localparam int unsigned MMIO_SLOT_STRIDE = 64;
  localparam logic [15:0] MMIO_FN = 16'ha000;  // function register words, as BAR from BAR_FN_REGS
  localparam logic [15:0] MMIO_RXSLOT = 16'h0;  // receive slots: header at 0, payload at 32; read only
  localparam int unsigned MMIO_RXSLOT_STRIDE = 2048;

  localparam logic [7:0] PTYPE_PUT = 8'h1;  // direct put: deposited by hardware, VN_DATA
  localparam logic [7:0] PTYPE_ACK = 8'h2;  // answer to one packet: status 0 = done, else why not; VN_ACK, header only
  localparam logic [7:0] PTYPE_REPLY = 8'h3;  // bytes that a READ asked for: deposited as a put is; its answer goes to the operation opid of this node; VN_DATA
  localparam logic [7:0] PTYPE_CAS = 8'h16;  // compare-and-swap of a word, ATO payload, VN_REQUEST, to the firmware, which has the atomic unit do it; its ACK brings the word as it was
  localparam logic [7:0] PTYPE_ADD = 8'h17;  // fetch-and-add, the same
  localparam logic [7:0] PTYPE_READ = 8'h18;  // asks for bytes at the address, RDR payload, VN_REQUEST, to the firmware; REPLY packets bring them, an ACK says why not
  localparam logic [7:0] PTYPE_LOOKUP = 8'h19;  // asks for bytes of the node with a key, which links lead to from the address, LKP payload, VN_REQUEST, to the firmware, which has the atomic unit walk there; REPLY packets bring them, an ACK says why not
  localparam logic [7:0] PTYPE_TAKE = 8'h1a;  // sets the lowest clear bit of a field of a word, else as CAS

  localparam logic [7:0] ST_OK = 8'h0;  // success
  localparam logic [7:0] ST_BAD_LENGTH = 8'h4;  // length is zero where it must not be, or too long
  localparam logic [7:0] ST_BAD_KEY = 8'h5;  // key does not name a registered region
  localparam logic [7:0] ST_BAD_RANGE = 8'h6;  // address range is not inside the region
  localparam logic [7:0] ST_BAD_RIGHTS = 8'h7;  // region does not allow this access
  localparam logic [7:0] ST_NOT_OWNER = 8'h8;  // object belongs to another function
  localparam logic [7:0] ST_HOST_FAULT = 8'h9;  // host memory could not be read or written
  localparam logic [7:0] ST_BAD_NODE = 8'ha;  // destination is outside the torus
  localparam logic [7:0] ST_TIMEOUT = 8'hc;  // no answer from the peer in time
  localparam logic [7:0] ST_BAD_ALIGN = 8'h11;  // ring or word is not aligned
  localparam logic [7:0] ST_STALE_NODE = 8'h14;  // target was restarted since the key was given out
  localparam logic [7:0] ST_FLUSHED = 8'h15;  // taken down with its queue or function
  localparam logic [7:0] ST_PACKET_LOST = 8'h1d;  // part of the message was lost on the way
  localparam logic [7:0] ST_NOT_FOUND = 8'h23;  // no node has this key
  localparam logic [7:0] ST_STALE_POINTER = 8'h24;  // the object that the pointer named is gone: other generation
  localparam logic [7:0] ST_BAD_LINK = 8'h26;  // link that leads to no node: out of the region, or not aligned
  localparam logic [7:0] ST_NO_GROUP = 8'h35;  // group of the tree is not set up, or in another epoch

  localparam logic [3:0] EV_DESC = 4'h1;  // a descriptor waits in a slot
  localparam logic [3:0] EV_RX = 4'h2;  // a packet for the firmware waits in a receive slot
  localparam logic [3:0] EV_OP = 4'h3;  // an operation ended: the firmware has its slot back
  localparam logic [3:0] EV_BAR = 4'h4;  // host wrote FN_CTRL
  localparam logic [3:0] EV_DBERR = 4'h5;  // doorbell of a queue that does not exist, belongs to another function, or leaves the ring
  localparam logic [3:0] EV_LINK = 4'h6;  // a link went up or down
  localparam logic [3:0] EV_CTR = 4'h7;  // a byte counter reached zero
  localparam logic [3:0] EV_HWR = 4'h8;  // a host write of the firmware ended with notify, or failed
  localparam logic [3:0] EV_TREE = 4'h9;  // a contribution of this node to a group of the tree has ended; waits in the place of LINK, whose bits in EV_MASK and EV_PENDING are its own too

  localparam int unsigned STAT_TX_PACKETS = 0;  // packets handed to the router by the transmit unit
  localparam int unsigned STAT_TX_BYTES = 1;  // payload bytes of those packets
  localparam int unsigned STAT_RX_PACKETS = 2;  // good packets that arrived at this node
  localparam int unsigned STAT_RX_PUT_PACKETS = 3;  // direct-put packets deposited
  localparam int unsigned STAT_RX_PUT_BYTES = 4;  // payload bytes deposited
  localparam int unsigned STAT_RX_FW_PACKETS = 5;  // packets handed to the firmware
  localparam int unsigned STAT_RX_ACKS = 6;  // acks that arrived with status OK, answers of this node to its own reads among them
  localparam int unsigned STAT_RX_NAKS = 7;  // the same with another status
  localparam int unsigned STAT_TX_ACKS = 8;  // acks sent with status OK
  localparam int unsigned STAT_TX_NAKS = 9;  // acks sent with another status
  localparam int unsigned STAT_RX_BAD_CRC = 10;  // packets dropped at this node: end-to-end CRC or stomp
  localparam int unsigned STAT_RX_BAD_TYPE = 11;  // packets dropped at this node: unknown type or version
  localparam int unsigned STAT_RX_BAD_LENGTH = 12;  // packets dropped at this node: length field and size disagree, or too long
  localparam int unsigned STAT_RX_BAD_DST = 13;  // packets dropped at this node: destination is another node, or the source no node of the torus
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
  localparam int unsigned STAT_RX_NOT_MEMBER = 35;  // broadcast packets passed on only: this node holds no region of the group

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
  localparam int unsigned CQE_OPCODE_LSB = 8;  // opcode of the descriptor; OP_RECV for an arrived message
  localparam int unsigned CQE_QUEUE_LSB = 48;  // queue the entry belongs to
  localparam int unsigned DESC_OPCODE_LSB = 0;  // operation; the hardware hands it to the firmware unread
  localparam int unsigned DESC_FLAGS_LSB = 8;  // DFLAG_* bits
  localparam int unsigned DESC_VERSION_LSB = 16;  // DESC_VERSION
  localparam int unsigned DESC_INLINE_LEN_LSB = 20;  // payload bytes in the descriptor, 0 to 32, with DFLAG_INLINE
  localparam int unsigned DESC_COUNTED_LSB = 26;  // when the operation has ended well, its bytes are subtracted from counter; without SIGNAL, no completion follows
  localparam int unsigned DESC_RESULT_LSB = 27;  // the completion's value is the word that the answer brings
  localparam int unsigned DESC_DECIDES_LSB = 28;  // if the operation does not end well, the linked descriptors after it are FLUSHED, up to the first that is not linked
  localparam int unsigned DESC_LINKED_LSB = 29;  // FLUSHED if an earlier one that decides did not end well; the queue goes on at the first descriptor without this bit
  localparam int unsigned DESC_INDEX_LSB = 32;  // ring index of this descriptor, free-running: a stale entry is refused
  localparam int unsigned DESC_DST_QUEUE_LSB = 48;  // reception FIFO or pair at the target, for messages
  localparam int unsigned DESC_DST_NODE_LSB = 64;  // target: x 4:0, y 9:5, z 14:10; of a broadcast: high corner of the box
  localparam int unsigned DESC_INCARNATION_LSB = 80;  // incarnation of the target the key belongs to, 0 = any
  localparam int unsigned DESC_LENGTH_LSB = 96;  // payload bytes
  localparam int unsigned DESC_REMOTE_ADDR_LSB = 128;  // address at the target, in the region's address space
  localparam int unsigned DESC_REMOTE_KEY_LSB = 192;  // key of the target's region
  localparam int unsigned DESC_IMM_LSB = 224;  // immediate data, delivered in the receiver's completion
  localparam int unsigned DESC_LOCAL_ADDR_LSB = 256;  // address of the payload in the sender's memory
  localparam int unsigned DESC_LOCAL_KEY_LSB = 320;  // key of the sender's region
  localparam int unsigned ATO_COMPARE_LSB = 256;  // value to compare the word with
  localparam int unsigned ATO_COMPARE_MASK_LSB = 320;  // bits that are compared; none: always alike
  localparam int unsigned ATO_SWAP_LSB = 384;  // what the word becomes, or what is added
  localparam int unsigned ATO_SWAP_MASK_LSB = 448;  // bits of swap that count
  localparam int unsigned ATR_VALUE_LSB = 448;  // the word as it was
  localparam int unsigned TRS_EPOCH_LSB = 224;  // of the set-up, the same at all nodes; a new one each time
  localparam int unsigned TRS_CHILDREN_LSB = 236;  // the group has members below child 0, child 1
  localparam int unsigned TRS_SELF_LSB = 238;  // this node is a member
  localparam int unsigned TRS_ROOT_LSB = 239;  // no node above this one is in the group
  localparam int unsigned TRS_ON_LSB = 240;  // 0: the group is given back: if it is active it fails with NO_GROUP, for all members
  localparam int unsigned TRO_GROUP_LSB = 232;  // number of the group
  localparam int unsigned TRO_OP_LSB = 236;  // TREE_SUM to TREE_XOR
  localparam int unsigned TRO_WIDE_LSB = 239;  // a word of 64 bits, else of 32: one or two
  localparam int unsigned TRO_SIGNED_LSB = 240;  // for TREE_MIN and TREE_MAX: words are signed
  localparam int unsigned TRO_BYTES_LSB = 241;  // in TREE_GO; else 0
  localparam int unsigned TRO_LONG_LSB = 245;  // in TREE_GO: nothing is contributed yet, but packets of the transmit unit to the group are contributions like this; bytes: how many, less one; slot means nothing
  localparam int unsigned TRO_NUMBER_LSB = 248;  // of the operation among those of the group
  localparam int unsigned RDR_ADDR_LSB = 256;  // where the bytes go
  localparam int unsigned RDR_KEY_LSB = 320;  // key of a region of the function's own
  localparam int unsigned RDR_LENGTH_LSB = 352;  // bytes, as in DESC
  localparam int unsigned NOD_KEY_LSB = 0;  // key of the node
  localparam int unsigned NOD_LESS_LSB = 64;  // link to the next node of a list, or, of a tree, to those with lesser keys
  localparam int unsigned NOD_MORE_LSB = 128;  // of a tree: link to those with greater keys
  localparam int unsigned NOD_GENERATION_LSB = 240;  // changes as soon as the node is no more what links were made for
  localparam int unsigned RPL_FLAGS_LSB = 8;  // PFLAG_OFFSET: local_addr counts from the start of its region
  localparam int unsigned RPL_OPID_LSB = 224;  // operation at the node that asked: entry 7:0, generation 15:8
  localparam int unsigned EV_TYPE_LSB = 28;  // event type
  localparam int unsigned EV_SLOT_LSB = 0;  // DESC, OP, TREE: descriptor slot
  localparam int unsigned EV_COPIED_LSB = 16;  // RX: the chip copies the packet's request, as `next` of RX_COPY asked; a TX_CMD may follow at once
  localparam int unsigned EV_PORT_LSB = 0;  // LINK: port
  localparam int unsigned EV_UP_LSB = 4;  // LINK: 1 up, 0 down
  localparam int unsigned EV_BROKE_LSB = 5;  // LINK that went down: the rule that the peer broke (LINK_BROKE_*), 0 none
  localparam int unsigned EV_TREESTATUS_LSB = 6;  // TREE: TREE_OK: TREE_LO and TREE_HI have the combination; else why the group failed
  localparam int unsigned EV_RANK_LSB = 10;  // TREE, failed: rank of the node concerned
  localparam int unsigned TXC_SLOT_LSB = 0;  // descriptor slot: names addresses, keys, length, destination, and the operation
  localparam int unsigned TXC_TYPE_LSB = 16;  // packet type
  localparam int unsigned TXC_NOTIFY_LSB = 24;  // raise OP on success too; without it only failures raise OP and success frees the slot
  localparam int unsigned TXC_INL_LSB = 25;  // the slot holds the payload (inline_len bytes), else it is read from local_addr under local_key
  localparam int unsigned TXC_UNACKED_LSB = 26;  // ask for no acks: the operation ends when the last packet has left, else when all are acked
  localparam int unsigned TXC_MSG_LSB = 27;  // addr field of the packet = imm, dst_queue and queue of the descriptor, not remote_addr; may be empty
  localparam int unsigned TXC_VN_LSB = 28;  // virtual network
  localparam int unsigned TXC_DEPOSIT_LSB = 30;  // box broadcast: the descriptor is laid out as BOX says; with acks, OP_MEMBERS says how many
  localparam int unsigned TXC_SELF_LSB = 31;  // with deposit: this node takes a copy too
  localparam int unsigned RXA_SLOT_LSB = 0;  // receive slot: names address, key and operands, and who is answered
  localparam int unsigned RXA_ADD_LSB = 8;  // add, else compare and swap, or, with walk, take
  localparam int unsigned RXA_TREE_LSB = 9;  // of a walk: as in LKP
  localparam int unsigned RXA_ON_LSB = 10;  // of a walk: goes on; a first node with a bad address is a BAD_LINK, too
  localparam int unsigned RXA_WALK_LSB = 11;  // with add: walk from node to node; without: take
  localparam int unsigned RXA_NODES_LSB = 12;  // of a walk: nodes to look at, less one
  localparam int unsigned RXC_RXSLOT_LSB = 0;  // receive slot; not with next
  localparam int unsigned RXC_SLOT_LSB = 16;  // descriptor slot, one of the firmware's own
  localparam int unsigned RXC_FOUND_LSB = 24;  // the packet is a LOOKUP: generation in the address, nodes and tree in the length are left out
  localparam int unsigned RXC_NEXT_LSB = 31;  // copy the next READ packet, once, when it comes: its event says copied; not again before that event
  localparam int unsigned HWG_BYTES_LSB = 0;  // bytes to write, 1 to MaxPayload; from HW_DATA at most 32
  localparam int unsigned HWG_RXSLOT_LSB = 11;  // kind 1: receive slot whose payload is written
  localparam int unsigned HWG_KIND_LSB = 16;  // 0 HW_DATA, 1 receive slot, 2 interrupt
  localparam int unsigned HWG_FREE_SLOT_LSB = 18;  // kind 1: give the receive slot back when read
  localparam int unsigned HWG_NOTIFY_LSB = 19;  // raise HWR on success too; a failure always raises it
  localparam int unsigned HWG_TAG_LSB = 20;  // comes back in HWR
  localparam int unsigned QDN_SLOT_LSB = 0;  // descriptor slot: names opcode, index, queue, length and node
  localparam int unsigned QDN_CQ_LSB = 16;  // completion queue: its entry number Q_HEAD is written, and Q_HEAD counts on; a failed write raises HWR with tag HWTAG_CQ + cq
  localparam int unsigned RGN_TAG_LSB = 112;  // upper half of the key
  localparam int unsigned RGN_COUNTER_LSB = 192;  // byte counter of deposits, or COUNTER_NONE
  localparam int unsigned RGN_FN_LSB = 208;  // owner
  localparam int unsigned RGN_RIGHTS_LSB = 224;  // RIGHT_* bits
  localparam int unsigned RGN_VALID_LSB = 255;  // entry is in use
  localparam int unsigned TRG_EPOCH_LSB = 0;  // epoch of its set-up
  localparam int unsigned TRG_ON_LSB = 8;  // it is set up
  localparam int unsigned TRG_ACTIVE_LSB = 9;  // and has not failed
  localparam int unsigned TRG_PENDING_LSB = 10;  // contributions of this node that have not ended, at most TREE_SLOTS
  localparam int unsigned TRG_LONG_LSB = 13;  // contributions of it from host memory have not ended
  localparam int unsigned TRG_FN_LSB = 24;  // function that it was set up for
  localparam int unsigned TRW_RANK_LSB = 0;  // rank of the node concerned
  localparam int unsigned TRW_STATUS_LSB = 16;  // why it failed: TREE_TIMEOUT to TREE_NO_GROUP
  localparam int unsigned PKT_DST_LSB = 0;  // destination: x 4:0, y 9:5, z 14:10; of a packet with the deposit bit: where it ends going up, in each dimension
  localparam int unsigned PKT_DEPOSIT_LSB = 15;  // box broadcast: every node of the box from corner box up to corner dst, round the rings, keeps a copy and sends it on
  localparam int unsigned PKT_VN_LSB = 16;  // virtual network
  localparam int unsigned PKT_WORDS_LSB = 18;  // 8-byte words of the whole packet
  localparam int unsigned PKT_LINK_SEQ_LSB = 26;  // link sequence number, per hop
  localparam int unsigned PKT_BOX_LSB = 32;  // of a packet with the deposit bit: where it ends going down, as dst; of others: bit d is set when the way along dimension d goes down
  localparam int unsigned PKT_DATELINE_LSB = 47;  // the packet is in the second channel of its network: it has crossed, with this link too, the dateline of the ring it is on, or crosses none and was put there
  localparam int unsigned PKT_TYPE_LSB = 64;  // packet type
  localparam int unsigned PKT_FLAGS_LSB = 72;  // PFLAG_* bits
  localparam int unsigned PKT_INCARNATION_LSB = 80;  // incarnation of the target it is meant for, 0 = any
  localparam int unsigned PKT_VERSION_LSB = 88;  // PKT_VERSION; its receiver checks it
  localparam int unsigned PKT_SRC_LSB = 96;  // origin of the packet
  localparam int unsigned PKT_LENGTH_LSB = 112;  // payload bytes without padding
  localparam int unsigned PKT_ADDR_LSB = 128;  // address in the target region; messages: immediate data 31:0, reception FIFO or pair 47:32, sender's queue 63:48; ACK with PFLAG_IMM: the word that it brings
  localparam int unsigned PKT_KEY_LSB = 192;  // key of the target region; messages to a pair: PAR; ACK: status code in 7:0
  localparam int unsigned PKT_OPID_LSB = 224;  // operation at the origin: entry 5:0, low bits of the origin's incarnation, the lowest inverted 7:6, generation 15:8
  localparam int unsigned PKT_NUMBER_LSB = 240;  // of a broadcast put that is answered: packets of it before this one; of others PKT_UNNUMBERED
  localparam int unsigned TRP_EMPTY_LSB = 72;  // TREE_DATA: no payload, changes no result
  localparam int unsigned TRP_OP_LSB = 192;  // TREE_SUM to TREE_XOR
  localparam int unsigned TRP_WIDE_LSB = 195;  // words of 64 bits, else of 32
  localparam int unsigned TRP_SIGNED_LSB = 196;  // for TREE_MIN and TREE_MAX
  localparam int unsigned TRP_NUMBER_LSB = 240;  // of the operation
  localparam int unsigned TRP_MORE_LSB = 248;  // with memory: packets of it in all, less one
  localparam int unsigned TRP_MEMORY_LSB = 252;  // from host memory
  localparam int unsigned TRL_LINK_CRC_LSB = 32;  // link CRC-32C, per hop
  localparam int unsigned CTL_FREED_LSB = 0;  // credit given for the channel since link start, modulo 64: blocks of 16 8-byte words, begun ones whole; acks: packets
  localparam int unsigned CTL_CHANNEL_LSB = 6;  // channel the credit is for: virtual network * 2 + dateline bit
  localparam int unsigned CTL_HEARD_LSB = 9;  // the sender of this word receives its peer
  localparam int unsigned CTL_ACK_LSB = 10;  // link sequence number that the sender of this word waits for: all before it have come
  localparam int unsigned CTL_NAK_LSB = 16;  // packets from that number on are wanted again
  localparam int unsigned CTL_ORIGINS_LSB = 17;  // nodes whose packets the sender of this word sends over the link, lately: the weight of the link in the arbiters of its receiver; 0 counts as 1

  // CRC of one more data word; start with all ones.  CRC-32C is inverted at the end, the others are not.
`ifdef TERN_MODEL
  localparam logic [31:0] Crc32cOfByte [0:2047] = '{
    32'h0, 32'h493c7d27, 32'h9278fa4e, 32'hdb448769, 32'h211d826d, 32'h6821ff4a, 32'hb3657823, 32'hfa590504,
    32'h423b04da, 32'hb0779fd, 32'hd043fe94, 32'h997f83b3, 32'h632686b7, 32'h2a1afb90, 32'hf15e7cf9, 32'hb86201de,
    32'h847609b4, 32'hcd4a7493, 32'h160ef3fa, 32'h5f328edd, 32'ha56b8bd9, 32'hec57f6fe, 32'h37137197, 32'h7e2f0cb0,
    32'hc64d0d6e, 32'h8f717049, 32'h5435f720, 32'h1d098a07, 32'he7508f03, 32'hae6cf224, 32'h7528754d, 32'h3c14086a,
    32'hd006599, 32'h443c18be, 32'h9f789fd7, 32'hd644e2f0, 32'h2c1de7f4, 32'h65219ad3, 32'hbe651dba, 32'hf759609d,
    32'h4f3b6143, 32'h6071c64, 32'hdd439b0d, 32'h947fe62a, 32'h6e26e32e, 32'h271a9e09, 32'hfc5e1960, 32'hb5626447,
    32'h89766c2d, 32'hc04a110a, 32'h1b0e9663, 32'h5232eb44, 32'ha86bee40, 32'he1579367, 32'h3a13140e, 32'h732f6929,
    32'hcb4d68f7, 32'h827115d0, 32'h593592b9, 32'h1009ef9e, 32'hea50ea9a, 32'ha36c97bd, 32'h782810d4, 32'h31146df3,
    32'h1a00cb32, 32'h533cb615, 32'h8878317c, 32'hc1444c5b, 32'h3b1d495f, 32'h72213478, 32'ha965b311, 32'he059ce36,
    32'h583bcfe8, 32'h1107b2cf, 32'hca4335a6, 32'h837f4881, 32'h79264d85, 32'h301a30a2, 32'heb5eb7cb, 32'ha262caec,
    32'h9e76c286, 32'hd74abfa1, 32'hc0e38c8, 32'h453245ef, 32'hbf6b40eb, 32'hf6573dcc, 32'h2d13baa5, 32'h642fc782,
    32'hdc4dc65c, 32'h9571bb7b, 32'h4e353c12, 32'h7094135, 32'hfd504431, 32'hb46c3916, 32'h6f28be7f, 32'h2614c358,
    32'h1700aeab, 32'h5e3cd38c, 32'h857854e5, 32'hcc4429c2, 32'h361d2cc6, 32'h7f2151e1, 32'ha465d688, 32'hed59abaf,
    32'h553baa71, 32'h1c07d756, 32'hc743503f, 32'h8e7f2d18, 32'h7426281c, 32'h3d1a553b, 32'he65ed252, 32'haf62af75,
    32'h9376a71f, 32'hda4ada38, 32'h10e5d51, 32'h48322076, 32'hb26b2572, 32'hfb575855, 32'h2013df3c, 32'h692fa21b,
    32'hd14da3c5, 32'h9871dee2, 32'h4335598b, 32'ha0924ac, 32'hf05021a8, 32'hb96c5c8f, 32'h6228dbe6, 32'h2b14a6c1,
    32'h34019664, 32'h7d3deb43, 32'ha6796c2a, 32'hef45110d, 32'h151c1409, 32'h5c20692e, 32'h8764ee47, 32'hce589360,
    32'h763a92be, 32'h3f06ef99, 32'he44268f0, 32'had7e15d7, 32'h572710d3, 32'h1e1b6df4, 32'hc55fea9d, 32'h8c6397ba,
    32'hb0779fd0, 32'hf94be2f7, 32'h220f659e, 32'h6b3318b9, 32'h916a1dbd, 32'hd856609a, 32'h312e7f3, 32'h4a2e9ad4,
    32'hf24c9b0a, 32'hbb70e62d, 32'h60346144, 32'h29081c63, 32'hd3511967, 32'h9a6d6440, 32'h4129e329, 32'h8159e0e,
    32'h3901f3fd, 32'h703d8eda, 32'hab7909b3, 32'he2457494, 32'h181c7190, 32'h51200cb7, 32'h8a648bde, 32'hc358f6f9,
    32'h7b3af727, 32'h32068a00, 32'he9420d69, 32'ha07e704e, 32'h5a27754a, 32'h131b086d, 32'hc85f8f04, 32'h8163f223,
    32'hbd77fa49, 32'hf44b876e, 32'h2f0f0007, 32'h66337d20, 32'h9c6a7824, 32'hd5560503, 32'he12826a, 32'h472eff4d,
    32'hff4cfe93, 32'hb67083b4, 32'h6d3404dd, 32'h240879fa, 32'hde517cfe, 32'h976d01d9, 32'h4c2986b0, 32'h515fb97,
    32'h2e015d56, 32'h673d2071, 32'hbc79a718, 32'hf545da3f, 32'hf1cdf3b, 32'h4620a21c, 32'h9d642575, 32'hd4585852,
    32'h6c3a598c, 32'h250624ab, 32'hfe42a3c2, 32'hb77edee5, 32'h4d27dbe1, 32'h41ba6c6, 32'hdf5f21af, 32'h96635c88,
    32'haa7754e2, 32'he34b29c5, 32'h380faeac, 32'h7133d38b, 32'h8b6ad68f, 32'hc256aba8, 32'h19122cc1, 32'h502e51e6,
    32'he84c5038, 32'ha1702d1f, 32'h7a34aa76, 32'h3308d751, 32'hc951d255, 32'h806daf72, 32'h5b29281b, 32'h1215553c,
    32'h230138cf, 32'h6a3d45e8, 32'hb179c281, 32'hf845bfa6, 32'h21cbaa2, 32'h4b20c785, 32'h906440ec, 32'hd9583dcb,
    32'h613a3c15, 32'h28064132, 32'hf342c65b, 32'hba7ebb7c, 32'h4027be78, 32'h91bc35f, 32'hd25f4436, 32'h9b633911,
    32'ha777317b, 32'hee4b4c5c, 32'h350fcb35, 32'h7c33b612, 32'h866ab316, 32'hcf56ce31, 32'h14124958, 32'h5d2e347f,
    32'he54c35a1, 32'hac704886, 32'h7734cfef, 32'h3e08b2c8, 32'hc451b7cc, 32'h8d6dcaeb, 32'h56294d82, 32'h1f1530a5,
    32'h0, 32'h68032cc8, 32'hd0065990, 32'hb8057558, 32'ha5e0c5d1, 32'hcde3e919, 32'h75e69c41, 32'h1de5b089,
    32'h4e2dfd53, 32'h262ed19b, 32'h9e2ba4c3, 32'hf628880b, 32'hebcd3882, 32'h83ce144a, 32'h3bcb6112, 32'h53c84dda,
    32'h9c5bfaa6, 32'hf458d66e, 32'h4c5da336, 32'h245e8ffe, 32'h39bb3f77, 32'h51b813bf, 32'he9bd66e7, 32'h81be4a2f,
    32'hd27607f5, 32'hba752b3d, 32'h2705e65, 32'h6a7372ad, 32'h7796c224, 32'h1f95eeec, 32'ha7909bb4, 32'hcf93b77c,
    32'h3d5b83bd, 32'h5558af75, 32'hed5dda2d, 32'h855ef6e5, 32'h98bb466c, 32'hf0b86aa4, 32'h48bd1ffc, 32'h20be3334,
    32'h73767eee, 32'h1b755226, 32'ha370277e, 32'hcb730bb6, 32'hd696bb3f, 32'hbe9597f7, 32'h690e2af, 32'h6e93ce67,
    32'ha100791b, 32'hc90355d3, 32'h7106208b, 32'h19050c43, 32'h4e0bcca, 32'h6ce39002, 32'hd4e6e55a, 32'hbce5c992,
    32'hef2d8448, 32'h872ea880, 32'h3f2bddd8, 32'h5728f110, 32'h4acd4199, 32'h22ce6d51, 32'h9acb1809, 32'hf2c834c1,
    32'h7ab7077a, 32'h12b42bb2, 32'haab15eea, 32'hc2b27222, 32'hdf57c2ab, 32'hb754ee63, 32'hf519b3b, 32'h6752b7f3,
    32'h349afa29, 32'h5c99d6e1, 32'he49ca3b9, 32'h8c9f8f71, 32'h917a3ff8, 32'hf9791330, 32'h417c6668, 32'h297f4aa0,
    32'he6ecfddc, 32'h8eefd114, 32'h36eaa44c, 32'h5ee98884, 32'h430c380d, 32'h2b0f14c5, 32'h930a619d, 32'hfb094d55,
    32'ha8c1008f, 32'hc0c22c47, 32'h78c7591f, 32'h10c475d7, 32'hd21c55e, 32'h6522e996, 32'hdd279cce, 32'hb524b006,
    32'h47ec84c7, 32'h2fefa80f, 32'h97eadd57, 32'hffe9f19f, 32'he20c4116, 32'h8a0f6dde, 32'h320a1886, 32'h5a09344e,
    32'h9c17994, 32'h61c2555c, 32'hd9c72004, 32'hb1c40ccc, 32'hac21bc45, 32'hc422908d, 32'h7c27e5d5, 32'h1424c91d,
    32'hdbb77e61, 32'hb3b452a9, 32'hbb127f1, 32'h63b20b39, 32'h7e57bbb0, 32'h16549778, 32'hae51e220, 32'hc652cee8,
    32'h959a8332, 32'hfd99affa, 32'h459cdaa2, 32'h2d9ff66a, 32'h307a46e3, 32'h58796a2b, 32'he07c1f73, 32'h887f33bb,
    32'hf56e0ef4, 32'h9d6d223c, 32'h25685764, 32'h4d6b7bac, 32'h508ecb25, 32'h388de7ed, 32'h808892b5, 32'he88bbe7d,
    32'hbb43f3a7, 32'hd340df6f, 32'h6b45aa37, 32'h34686ff, 32'h1ea33676, 32'h76a01abe, 32'hcea56fe6, 32'ha6a6432e,
    32'h6935f452, 32'h136d89a, 32'hb933adc2, 32'hd130810a, 32'hccd53183, 32'ha4d61d4b, 32'h1cd36813, 32'h74d044db,
    32'h27180901, 32'h4f1b25c9, 32'hf71e5091, 32'h9f1d7c59, 32'h82f8ccd0, 32'heafbe018, 32'h52fe9540, 32'h3afdb988,
    32'hc8358d49, 32'ha036a181, 32'h1833d4d9, 32'h7030f811, 32'h6dd54898, 32'h5d66450, 32'hbdd31108, 32'hd5d03dc0,
    32'h8618701a, 32'hee1b5cd2, 32'h561e298a, 32'h3e1d0542, 32'h23f8b5cb, 32'h4bfb9903, 32'hf3feec5b, 32'h9bfdc093,
    32'h546e77ef, 32'h3c6d5b27, 32'h84682e7f, 32'hec6b02b7, 32'hf18eb23e, 32'h998d9ef6, 32'h2188ebae, 32'h498bc766,
    32'h1a438abc, 32'h7240a674, 32'hca45d32c, 32'ha246ffe4, 32'hbfa34f6d, 32'hd7a063a5, 32'h6fa516fd, 32'h7a63a35,
    32'h8fd9098e, 32'he7da2546, 32'h5fdf501e, 32'h37dc7cd6, 32'h2a39cc5f, 32'h423ae097, 32'hfa3f95cf, 32'h923cb907,
    32'hc1f4f4dd, 32'ha9f7d815, 32'h11f2ad4d, 32'h79f18185, 32'h6414310c, 32'hc171dc4, 32'hb412689c, 32'hdc114454,
    32'h1382f328, 32'h7b81dfe0, 32'hc384aab8, 32'hab878670, 32'hb66236f9, 32'hde611a31, 32'h66646f69, 32'he6743a1,
    32'h5daf0e7b, 32'h35ac22b3, 32'h8da957eb, 32'he5aa7b23, 32'hf84fcbaa, 32'h904ce762, 32'h2849923a, 32'h404abef2,
    32'hb2828a33, 32'hda81a6fb, 32'h6284d3a3, 32'ha87ff6b, 32'h17624fe2, 32'h7f61632a, 32'hc7641672, 32'haf673aba,
    32'hfcaf7760, 32'h94ac5ba8, 32'h2ca92ef0, 32'h44aa0238, 32'h594fb2b1, 32'h314c9e79, 32'h8949eb21, 32'he14ac7e9,
    32'h2ed97095, 32'h46da5c5d, 32'hfedf2905, 32'h96dc05cd, 32'h8b39b544, 32'he33a998c, 32'h5b3fecd4, 32'h333cc01c,
    32'h60f48dc6, 32'h8f7a10e, 32'hb0f2d456, 32'hd8f1f89e, 32'hc5144817, 32'had1764df, 32'h15121187, 32'h7d113d4f,
    32'h0, 32'hef306b19, 32'hdb8ca0c3, 32'h34bccbda, 32'hb2f53777, 32'h5dc55c6e, 32'h697997b4, 32'h8649fcad,
    32'h6006181f, 32'h8f367306, 32'hbb8ab8dc, 32'h54bad3c5, 32'hd2f32f68, 32'h3dc34471, 32'h97f8fab, 32'he64fe4b2,
    32'hc00c303e, 32'h2f3c5b27, 32'h1b8090fd, 32'hf4b0fbe4, 32'h72f90749, 32'h9dc96c50, 32'ha975a78a, 32'h4645cc93,
    32'ha00a2821, 32'h4f3a4338, 32'h7b8688e2, 32'h94b6e3fb, 32'h12ff1f56, 32'hfdcf744f, 32'hc973bf95, 32'h2643d48c,
    32'h85f4168d, 32'h6ac47d94, 32'h5e78b64e, 32'hb148dd57, 32'h370121fa, 32'hd8314ae3, 32'hec8d8139, 32'h3bdea20,
    32'he5f20e92, 32'hac2658b, 32'h3e7eae51, 32'hd14ec548, 32'h570739e5, 32'hb83752fc, 32'h8c8b9926, 32'h63bbf23f,
    32'h45f826b3, 32'haac84daa, 32'h9e748670, 32'h7144ed69, 32'hf70d11c4, 32'h183d7add, 32'h2c81b107, 32'hc3b1da1e,
    32'h25fe3eac, 32'hcace55b5, 32'hfe729e6f, 32'h1142f576, 32'h970b09db, 32'h783b62c2, 32'h4c87a918, 32'ha3b7c201,
    32'he045beb, 32'he13430f2, 32'hd588fb28, 32'h3ab89031, 32'hbcf16c9c, 32'h53c10785, 32'h677dcc5f, 32'h884da746,
    32'h6e0243f4, 32'h813228ed, 32'hb58ee337, 32'h5abe882e, 32'hdcf77483, 32'h33c71f9a, 32'h77bd440, 32'he84bbf59,
    32'hce086bd5, 32'h213800cc, 32'h1584cb16, 32'hfab4a00f, 32'h7cfd5ca2, 32'h93cd37bb, 32'ha771fc61, 32'h48419778,
    32'hae0e73ca, 32'h413e18d3, 32'h7582d309, 32'h9ab2b810, 32'h1cfb44bd, 32'hf3cb2fa4, 32'hc777e47e, 32'h28478f67,
    32'h8bf04d66, 32'h64c0267f, 32'h507ceda5, 32'hbf4c86bc, 32'h39057a11, 32'hd6351108, 32'he289dad2, 32'hdb9b1cb,
    32'hebf65579, 32'h4c63e60, 32'h307af5ba, 32'hdf4a9ea3, 32'h5903620e, 32'hb6330917, 32'h828fc2cd, 32'h6dbfa9d4,
    32'h4bfc7d58, 32'ha4cc1641, 32'h9070dd9b, 32'h7f40b682, 32'hf9094a2f, 32'h16392136, 32'h2285eaec, 32'hcdb581f5,
    32'h2bfa6547, 32'hc4ca0e5e, 32'hf076c584, 32'h1f46ae9d, 32'h990f5230, 32'h763f3929, 32'h4283f2f3, 32'hadb399ea,
    32'h1c08b7d6, 32'hf338dccf, 32'hc7841715, 32'h28b47c0c, 32'haefd80a1, 32'h41cdebb8, 32'h75712062, 32'h9a414b7b,
    32'h7c0eafc9, 32'h933ec4d0, 32'ha7820f0a, 32'h48b26413, 32'hcefb98be, 32'h21cbf3a7, 32'h1577387d, 32'hfa475364,
    32'hdc0487e8, 32'h3334ecf1, 32'h788272b, 32'he8b84c32, 32'h6ef1b09f, 32'h81c1db86, 32'hb57d105c, 32'h5a4d7b45,
    32'hbc029ff7, 32'h5332f4ee, 32'h678e3f34, 32'h88be542d, 32'hef7a880, 32'he1c7c399, 32'hd57b0843, 32'h3a4b635a,
    32'h99fca15b, 32'h76ccca42, 32'h42700198, 32'had406a81, 32'h2b09962c, 32'hc439fd35, 32'hf08536ef, 32'h1fb55df6,
    32'hf9fab944, 32'h16cad25d, 32'h22761987, 32'hcd46729e, 32'h4b0f8e33, 32'ha43fe52a, 32'h90832ef0, 32'h7fb345e9,
    32'h59f09165, 32'hb6c0fa7c, 32'h827c31a6, 32'h6d4c5abf, 32'heb05a612, 32'h435cd0b, 32'h308906d1, 32'hdfb96dc8,
    32'h39f6897a, 32'hd6c6e263, 32'he27a29b9, 32'hd4a42a0, 32'h8b03be0d, 32'h6433d514, 32'h508f1ece, 32'hbfbf75d7,
    32'h120cec3d, 32'hfd3c8724, 32'hc9804cfe, 32'h26b027e7, 32'ha0f9db4a, 32'h4fc9b053, 32'h7b757b89, 32'h94451090,
    32'h720af422, 32'h9d3a9f3b, 32'ha98654e1, 32'h46b63ff8, 32'hc0ffc355, 32'h2fcfa84c, 32'h1b736396, 32'hf443088f,
    32'hd200dc03, 32'h3d30b71a, 32'h98c7cc0, 32'he6bc17d9, 32'h60f5eb74, 32'h8fc5806d, 32'hbb794bb7, 32'h544920ae,
    32'hb206c41c, 32'h5d36af05, 32'h698a64df, 32'h86ba0fc6, 32'hf3f36b, 32'hefc39872, 32'hdb7f53a8, 32'h344f38b1,
    32'h97f8fab0, 32'h78c891a9, 32'h4c745a73, 32'ha344316a, 32'h250dcdc7, 32'hca3da6de, 32'hfe816d04, 32'h11b1061d,
    32'hf7fee2af, 32'h18ce89b6, 32'h2c72426c, 32'hc3422975, 32'h450bd5d8, 32'haa3bbec1, 32'h9e87751b, 32'h71b71e02,
    32'h57f4ca8e, 32'hb8c4a197, 32'h8c786a4d, 32'h63480154, 32'he501fdf9, 32'ha3196e0, 32'h3e8d5d3a, 32'hd1bd3623,
    32'h37f2d291, 32'hd8c2b988, 32'hec7e7252, 32'h34e194b, 32'h8507e5e6, 32'h6a378eff, 32'h5e8b4525, 32'hb1bb2e3c,
    32'h0, 32'h38116fac, 32'h7022df58, 32'h4833b0f4, 32'he045beb0, 32'hd854d11c, 32'h906761e8, 32'ha8760e44,
    32'hc5670b91, 32'hfd76643d, 32'hb545d4c9, 32'h8d54bb65, 32'h2522b521, 32'h1d33da8d, 32'h55006a79, 32'h6d1105d5,
    32'h8f2261d3, 32'hb7330e7f, 32'hff00be8b, 32'hc711d127, 32'h6f67df63, 32'h5776b0cf, 32'h1f45003b, 32'h27546f97,
    32'h4a456a42, 32'h725405ee, 32'h3a67b51a, 32'h276dab6, 32'haa00d4f2, 32'h9211bb5e, 32'hda220baa, 32'he2336406,
    32'h1ba8b557, 32'h23b9dafb, 32'h6b8a6a0f, 32'h539b05a3, 32'hfbed0be7, 32'hc3fc644b, 32'h8bcfd4bf, 32'hb3debb13,
    32'hdecfbec6, 32'he6ded16a, 32'haeed619e, 32'h96fc0e32, 32'h3e8a0076, 32'h69b6fda, 32'h4ea8df2e, 32'h76b9b082,
    32'h948ad484, 32'hac9bbb28, 32'he4a80bdc, 32'hdcb96470, 32'h74cf6a34, 32'h4cde0598, 32'h4edb56c, 32'h3cfcdac0,
    32'h51eddf15, 32'h69fcb0b9, 32'h21cf004d, 32'h19de6fe1, 32'hb1a861a5, 32'h89b90e09, 32'hc18abefd, 32'hf99bd151,
    32'h37516aae, 32'hf400502, 32'h4773b5f6, 32'h7f62da5a, 32'hd714d41e, 32'hef05bbb2, 32'ha7360b46, 32'h9f2764ea,
    32'hf236613f, 32'hca270e93, 32'h8214be67, 32'hba05d1cb, 32'h1273df8f, 32'h2a62b023, 32'h625100d7, 32'h5a406f7b,
    32'hb8730b7d, 32'h806264d1, 32'hc851d425, 32'hf040bb89, 32'h5836b5cd, 32'h6027da61, 32'h28146a95, 32'h10050539,
    32'h7d1400ec, 32'h45056f40, 32'hd36dfb4, 32'h3527b018, 32'h9d51be5c, 32'ha540d1f0, 32'hed736104, 32'hd5620ea8,
    32'h2cf9dff9, 32'h14e8b055, 32'h5cdb00a1, 32'h64ca6f0d, 32'hccbc6149, 32'hf4ad0ee5, 32'hbc9ebe11, 32'h848fd1bd,
    32'he99ed468, 32'hd18fbbc4, 32'h99bc0b30, 32'ha1ad649c, 32'h9db6ad8, 32'h31ca0574, 32'h79f9b580, 32'h41e8da2c,
    32'ha3dbbe2a, 32'h9bcad186, 32'hd3f96172, 32'hebe80ede, 32'h439e009a, 32'h7b8f6f36, 32'h33bcdfc2, 32'hbadb06e,
    32'h66bcb5bb, 32'h5eadda17, 32'h169e6ae3, 32'h2e8f054f, 32'h86f90b0b, 32'hbee864a7, 32'hf6dbd453, 32'hcecabbff,
    32'h6ea2d55c, 32'h56b3baf0, 32'h1e800a04, 32'h269165a8, 32'h8ee76bec, 32'hb6f60440, 32'hfec5b4b4, 32'hc6d4db18,
    32'habc5decd, 32'h93d4b161, 32'hdbe70195, 32'he3f66e39, 32'h4b80607d, 32'h73910fd1, 32'h3ba2bf25, 32'h3b3d089,
    32'he180b48f, 32'hd991db23, 32'h91a26bd7, 32'ha9b3047b, 32'h1c50a3f, 32'h39d46593, 32'h71e7d567, 32'h49f6bacb,
    32'h24e7bf1e, 32'h1cf6d0b2, 32'h54c56046, 32'h6cd40fea, 32'hc4a201ae, 32'hfcb36e02, 32'hb480def6, 32'h8c91b15a,
    32'h750a600b, 32'h4d1b0fa7, 32'h528bf53, 32'h3d39d0ff, 32'h954fdebb, 32'had5eb117, 32'he56d01e3, 32'hdd7c6e4f,
    32'hb06d6b9a, 32'h887c0436, 32'hc04fb4c2, 32'hf85edb6e, 32'h5028d52a, 32'h6839ba86, 32'h200a0a72, 32'h181b65de,
    32'hfa2801d8, 32'hc2396e74, 32'h8a0ade80, 32'hb21bb12c, 32'h1a6dbf68, 32'h227cd0c4, 32'h6a4f6030, 32'h525e0f9c,
    32'h3f4f0a49, 32'h75e65e5, 32'h4f6dd511, 32'h777cbabd, 32'hdf0ab4f9, 32'he71bdb55, 32'haf286ba1, 32'h9739040d,
    32'h59f3bff2, 32'h61e2d05e, 32'h29d160aa, 32'h11c00f06, 32'hb9b60142, 32'h81a76eee, 32'hc994de1a, 32'hf185b1b6,
    32'h9c94b463, 32'ha485dbcf, 32'hecb66b3b, 32'hd4a70497, 32'h7cd10ad3, 32'h44c0657f, 32'hcf3d58b, 32'h34e2ba27,
    32'hd6d1de21, 32'heec0b18d, 32'ha6f30179, 32'h9ee26ed5, 32'h36946091, 32'he850f3d, 32'h46b6bfc9, 32'h7ea7d065,
    32'h13b6d5b0, 32'h2ba7ba1c, 32'h63940ae8, 32'h5b856544, 32'hf3f36b00, 32'hcbe204ac, 32'h83d1b458, 32'hbbc0dbf4,
    32'h425b0aa5, 32'h7a4a6509, 32'h3279d5fd, 32'ha68ba51, 32'ha21eb415, 32'h9a0fdbb9, 32'hd23c6b4d, 32'hea2d04e1,
    32'h873c0134, 32'hbf2d6e98, 32'hf71ede6c, 32'hcf0fb1c0, 32'h6779bf84, 32'h5f68d028, 32'h175b60dc, 32'h2f4a0f70,
    32'hcd796b76, 32'hf56804da, 32'hbd5bb42e, 32'h854adb82, 32'h2d3cd5c6, 32'h152dba6a, 32'h5d1e0a9e, 32'h650f6532,
    32'h81e60e7, 32'h300f0f4b, 32'h783cbfbf, 32'h402dd013, 32'he85bde57, 32'hd04ab1fb, 32'h9879010f, 32'ha0686ea3,
    32'h0, 32'hdd45aab8, 32'hbf672381, 32'h62228939, 32'h7b2231f3, 32'ha6679b4b, 32'hc4451272, 32'h1900b8ca,
    32'hf64463e6, 32'h2b01c95e, 32'h49234067, 32'h9466eadf, 32'h8d665215, 32'h5023f8ad, 32'h32017194, 32'hef44db2c,
    32'he964b13d, 32'h34211b85, 32'h560392bc, 32'h8b463804, 32'h924680ce, 32'h4f032a76, 32'h2d21a34f, 32'hf06409f7,
    32'h1f20d2db, 32'hc2657863, 32'ha047f15a, 32'h7d025be2, 32'h6402e328, 32'hb9474990, 32'hdb65c0a9, 32'h6206a11,
    32'hd725148b, 32'ha60be33, 32'h6842370a, 32'hb5079db2, 32'hac072578, 32'h71428fc0, 32'h136006f9, 32'hce25ac41,
    32'h2161776d, 32'hfc24ddd5, 32'h9e0654ec, 32'h4343fe54, 32'h5a43469e, 32'h8706ec26, 32'he524651f, 32'h3861cfa7,
    32'h3e41a5b6, 32'he3040f0e, 32'h81268637, 32'h5c632c8f, 32'h45639445, 32'h98263efd, 32'hfa04b7c4, 32'h27411d7c,
    32'hc805c650, 32'h15406ce8, 32'h7762e5d1, 32'haa274f69, 32'hb327f7a3, 32'h6e625d1b, 32'hc40d422, 32'hd1057e9a,
    32'haba65fe7, 32'h76e3f55f, 32'h14c17c66, 32'hc984d6de, 32'hd0846e14, 32'hdc1c4ac, 32'h6fe34d95, 32'hb2a6e72d,
    32'h5de23c01, 32'h80a796b9, 32'he2851f80, 32'h3fc0b538, 32'h26c00df2, 32'hfb85a74a, 32'h99a72e73, 32'h44e284cb,
    32'h42c2eeda, 32'h9f874462, 32'hfda5cd5b, 32'h20e067e3, 32'h39e0df29, 32'he4a57591, 32'h8687fca8, 32'h5bc25610,
    32'hb4868d3c, 32'h69c32784, 32'hbe1aebd, 32'hd6a40405, 32'hcfa4bccf, 32'h12e11677, 32'h70c39f4e, 32'had8635f6,
    32'h7c834b6c, 32'ha1c6e1d4, 32'hc3e468ed, 32'h1ea1c255, 32'h7a17a9f, 32'hdae4d027, 32'hb8c6591e, 32'h6583f3a6,
    32'h8ac7288a, 32'h57828232, 32'h35a00b0b, 32'he8e5a1b3, 32'hf1e51979, 32'h2ca0b3c1, 32'h4e823af8, 32'h93c79040,
    32'h95e7fa51, 32'h48a250e9, 32'h2a80d9d0, 32'hf7c57368, 32'heec5cba2, 32'h3380611a, 32'h51a2e823, 32'h8ce7429b,
    32'h63a399b7, 32'hbee6330f, 32'hdcc4ba36, 32'h181108e, 32'h1881a844, 32'hc5c402fc, 32'ha7e68bc5, 32'h7aa3217d,
    32'h52a0c93f, 32'h8fe56387, 32'hedc7eabe, 32'h30824006, 32'h2982f8cc, 32'hf4c75274, 32'h96e5db4d, 32'h4ba071f5,
    32'ha4e4aad9, 32'h79a10061, 32'h1b838958, 32'hc6c623e0, 32'hdfc69b2a, 32'h2833192, 32'h60a1b8ab, 32'hbde41213,
    32'hbbc47802, 32'h6681d2ba, 32'h4a35b83, 32'hd9e6f13b, 32'hc0e649f1, 32'h1da3e349, 32'h7f816a70, 32'ha2c4c0c8,
    32'h4d801be4, 32'h90c5b15c, 32'hf2e73865, 32'h2fa292dd, 32'h36a22a17, 32'hebe780af, 32'h89c50996, 32'h5480a32e,
    32'h8585ddb4, 32'h58c0770c, 32'h3ae2fe35, 32'he7a7548d, 32'hfea7ec47, 32'h23e246ff, 32'h41c0cfc6, 32'h9c85657e,
    32'h73c1be52, 32'hae8414ea, 32'hcca69dd3, 32'h11e3376b, 32'h8e38fa1, 32'hd5a62519, 32'hb784ac20, 32'h6ac10698,
    32'h6ce16c89, 32'hb1a4c631, 32'hd3864f08, 32'hec3e5b0, 32'h17c35d7a, 32'hca86f7c2, 32'ha8a47efb, 32'h75e1d443,
    32'h9aa50f6f, 32'h47e0a5d7, 32'h25c22cee, 32'hf8878656, 32'he1873e9c, 32'h3cc29424, 32'h5ee01d1d, 32'h83a5b7a5,
    32'hf90696d8, 32'h24433c60, 32'h4661b559, 32'h9b241fe1, 32'h8224a72b, 32'h5f610d93, 32'h3d4384aa, 32'he0062e12,
    32'hf42f53e, 32'hd2075f86, 32'hb025d6bf, 32'h6d607c07, 32'h7460c4cd, 32'ha9256e75, 32'hcb07e74c, 32'h16424df4,
    32'h106227e5, 32'hcd278d5d, 32'haf050464, 32'h7240aedc, 32'h6b401616, 32'hb605bcae, 32'hd4273597, 32'h9629f2f,
    32'he6264403, 32'h3b63eebb, 32'h59416782, 32'h8404cd3a, 32'h9d0475f0, 32'h4041df48, 32'h22635671, 32'hff26fcc9,
    32'h2e238253, 32'hf36628eb, 32'h9144a1d2, 32'h4c010b6a, 32'h5501b3a0, 32'h88441918, 32'hea669021, 32'h37233a99,
    32'hd867e1b5, 32'h5224b0d, 32'h6700c234, 32'hba45688c, 32'ha345d046, 32'h7e007afe, 32'h1c22f3c7, 32'hc167597f,
    32'hc747336e, 32'h1a0299d6, 32'h782010ef, 32'ha565ba57, 32'hbc65029d, 32'h6120a825, 32'h302211c, 32'hde478ba4,
    32'h31035088, 32'hec46fa30, 32'h8e647309, 32'h5321d9b1, 32'h4a21617b, 32'h9764cbc3, 32'hf54642fa, 32'h2803e842,
    32'h0, 32'ha541927e, 32'h4f6f520d, 32'hea2ec073, 32'h9edea41a, 32'h3b9f3664, 32'hd1b1f617, 32'h74f06469,
    32'h38513ec5, 32'h9d10acbb, 32'h773e6cc8, 32'hd27ffeb6, 32'ha68f9adf, 32'h3ce08a1, 32'he9e0c8d2, 32'h4ca15aac,
    32'h70a27d8a, 32'hd5e3eff4, 32'h3fcd2f87, 32'h9a8cbdf9, 32'hee7cd990, 32'h4b3d4bee, 32'ha1138b9d, 32'h45219e3,
    32'h48f3434f, 32'hedb2d131, 32'h79c1142, 32'ha2dd833c, 32'hd62de755, 32'h736c752b, 32'h9942b558, 32'h3c032726,
    32'he144fb14, 32'h4405696a, 32'hae2ba919, 32'hb6a3b67, 32'h7f9a5f0e, 32'hdadbcd70, 32'h30f50d03, 32'h95b49f7d,
    32'hd915c5d1, 32'h7c5457af, 32'h967a97dc, 32'h333b05a2, 32'h47cb61cb, 32'he28af3b5, 32'h8a433c6, 32'hade5a1b8,
    32'h91e6869e, 32'h34a714e0, 32'hde89d493, 32'h7bc846ed, 32'hf382284, 32'haa79b0fa, 32'h40577089, 32'he516e2f7,
    32'ha9b7b85b, 32'hcf62a25, 32'he6d8ea56, 32'h43997828, 32'h37691c41, 32'h92288e3f, 32'h78064e4c, 32'hdd47dc32,
    32'hc76580d9, 32'h622412a7, 32'h880ad2d4, 32'h2d4b40aa, 32'h59bb24c3, 32'hfcfab6bd, 32'h16d476ce, 32'hb395e4b0,
    32'hff34be1c, 32'h5a752c62, 32'hb05bec11, 32'h151a7e6f, 32'h61ea1a06, 32'hc4ab8878, 32'h2e85480b, 32'h8bc4da75,
    32'hb7c7fd53, 32'h12866f2d, 32'hf8a8af5e, 32'h5de93d20, 32'h29195949, 32'h8c58cb37, 32'h66760b44, 32'hc337993a,
    32'h8f96c396, 32'h2ad751e8, 32'hc0f9919b, 32'h65b803e5, 32'h1148678c, 32'hb409f5f2, 32'h5e273581, 32'hfb66a7ff,
    32'h26217bcd, 32'h8360e9b3, 32'h694e29c0, 32'hcc0fbbbe, 32'hb8ffdfd7, 32'h1dbe4da9, 32'hf7908dda, 32'h52d11fa4,
    32'h1e704508, 32'hbb31d776, 32'h511f1705, 32'hf45e857b, 32'h80aee112, 32'h25ef736c, 32'hcfc1b31f, 32'h6a802161,
    32'h56830647, 32'hf3c29439, 32'h19ec544a, 32'hbcadc634, 32'hc85da25d, 32'h6d1c3023, 32'h8732f050, 32'h2273622e,
    32'h6ed23882, 32'hcb93aafc, 32'h21bd6a8f, 32'h84fcf8f1, 32'hf00c9c98, 32'h554d0ee6, 32'hbf63ce95, 32'h1a225ceb,
    32'h8b277743, 32'h2e66e53d, 32'hc448254e, 32'h6109b730, 32'h15f9d359, 32'hb0b84127, 32'h5a968154, 32'hffd7132a,
    32'hb3764986, 32'h1637dbf8, 32'hfc191b8b, 32'h595889f5, 32'h2da8ed9c, 32'h88e97fe2, 32'h62c7bf91, 32'hc7862def,
    32'hfb850ac9, 32'h5ec498b7, 32'hb4ea58c4, 32'h11abcaba, 32'h655baed3, 32'hc01a3cad, 32'h2a34fcde, 32'h8f756ea0,
    32'hc3d4340c, 32'h6695a672, 32'h8cbb6601, 32'h29faf47f, 32'h5d0a9016, 32'hf84b0268, 32'h1265c21b, 32'hb7245065,
    32'h6a638c57, 32'hcf221e29, 32'h250cde5a, 32'h804d4c24, 32'hf4bd284d, 32'h51fcba33, 32'hbbd27a40, 32'h1e93e83e,
    32'h5232b292, 32'hf77320ec, 32'h1d5de09f, 32'hb81c72e1, 32'hccec1688, 32'h69ad84f6, 32'h83834485, 32'h26c2d6fb,
    32'h1ac1f1dd, 32'hbf8063a3, 32'h55aea3d0, 32'hf0ef31ae, 32'h841f55c7, 32'h215ec7b9, 32'hcb7007ca, 32'h6e3195b4,
    32'h2290cf18, 32'h87d15d66, 32'h6dff9d15, 32'hc8be0f6b, 32'hbc4e6b02, 32'h190ff97c, 32'hf321390f, 32'h5660ab71,
    32'h4c42f79a, 32'he90365e4, 32'h32da597, 32'ha66c37e9, 32'hd29c5380, 32'h77ddc1fe, 32'h9df3018d, 32'h38b293f3,
    32'h7413c95f, 32'hd1525b21, 32'h3b7c9b52, 32'h9e3d092c, 32'heacd6d45, 32'h4f8cff3b, 32'ha5a23f48, 32'he3ad36,
    32'h3ce08a10, 32'h99a1186e, 32'h738fd81d, 32'hd6ce4a63, 32'ha23e2e0a, 32'h77fbc74, 32'hed517c07, 32'h4810ee79,
    32'h4b1b4d5, 32'ha1f026ab, 32'h4bdee6d8, 32'hee9f74a6, 32'h9a6f10cf, 32'h3f2e82b1, 32'hd50042c2, 32'h7041d0bc,
    32'had060c8e, 32'h8479ef0, 32'he2695e83, 32'h4728ccfd, 32'h33d8a894, 32'h96993aea, 32'h7cb7fa99, 32'hd9f668e7,
    32'h9557324b, 32'h3016a035, 32'hda386046, 32'h7f79f238, 32'hb899651, 32'haec8042f, 32'h44e6c45c, 32'he1a75622,
    32'hdda47104, 32'h78e5e37a, 32'h92cb2309, 32'h378ab177, 32'h437ad51e, 32'he63b4760, 32'hc158713, 32'ha954156d,
    32'he5f54fc1, 32'h40b4ddbf, 32'haa9a1dcc, 32'hfdb8fb2, 32'h7b2bebdb, 32'hde6a79a5, 32'h3444b9d6, 32'h91052ba8,
    32'h0, 32'h13a29877, 32'h274530ee, 32'h34e7a899, 32'h4e8a61dc, 32'h5d28f9ab, 32'h69cf5132, 32'h7a6dc945,
    32'h9d14c3b8, 32'h8eb65bcf, 32'hba51f356, 32'ha9f36b21, 32'hd39ea264, 32'hc03c3a13, 32'hf4db928a, 32'he7790afd,
    32'h3fc5f181, 32'h2c6769f6, 32'h1880c16f, 32'hb225918, 32'h714f905d, 32'h62ed082a, 32'h560aa0b3, 32'h45a838c4,
    32'ha2d13239, 32'hb173aa4e, 32'h859402d7, 32'h96369aa0, 32'hec5b53e5, 32'hfff9cb92, 32'hcb1e630b, 32'hd8bcfb7c,
    32'h7f8be302, 32'h6c297b75, 32'h58ced3ec, 32'h4b6c4b9b, 32'h310182de, 32'h22a31aa9, 32'h1644b230, 32'h5e62a47,
    32'he29f20ba, 32'hf13db8cd, 32'hc5da1054, 32'hd6788823, 32'hac154166, 32'hbfb7d911, 32'h8b507188, 32'h98f2e9ff,
    32'h404e1283, 32'h53ec8af4, 32'h670b226d, 32'h74a9ba1a, 32'hec4735f, 32'h1d66eb28, 32'h298143b1, 32'h3a23dbc6,
    32'hdd5ad13b, 32'hcef8494c, 32'hfa1fe1d5, 32'he9bd79a2, 32'h93d0b0e7, 32'h80722890, 32'hb4958009, 32'ha737187e,
    32'hff17c604, 32'hecb55e73, 32'hd852f6ea, 32'hcbf06e9d, 32'hb19da7d8, 32'ha23f3faf, 32'h96d89736, 32'h857a0f41,
    32'h620305bc, 32'h71a19dcb, 32'h45463552, 32'h56e4ad25, 32'h2c896460, 32'h3f2bfc17, 32'hbcc548e, 32'h186eccf9,
    32'hc0d23785, 32'hd370aff2, 32'he797076b, 32'hf4359f1c, 32'h8e585659, 32'h9dface2e, 32'ha91d66b7, 32'hbabffec0,
    32'h5dc6f43d, 32'h4e646c4a, 32'h7a83c4d3, 32'h69215ca4, 32'h134c95e1, 32'hee0d96, 32'h3409a50f, 32'h27ab3d78,
    32'h809c2506, 32'h933ebd71, 32'ha7d915e8, 32'hb47b8d9f, 32'hce1644da, 32'hddb4dcad, 32'he9537434, 32'hfaf1ec43,
    32'h1d88e6be, 32'he2a7ec9, 32'h3acdd650, 32'h296f4e27, 32'h53028762, 32'h40a01f15, 32'h7447b78c, 32'h67e52ffb,
    32'hbf59d487, 32'hacfb4cf0, 32'h981ce469, 32'h8bbe7c1e, 32'hf1d3b55b, 32'he2712d2c, 32'hd69685b5, 32'hc5341dc2,
    32'h224d173f, 32'h31ef8f48, 32'h50827d1, 32'h16aabfa6, 32'h6cc776e3, 32'h7f65ee94, 32'h4b82460d, 32'h5820de7a,
    32'hfbc3faf9, 32'he861628e, 32'hdc86ca17, 32'hcf245260, 32'hb5499b25, 32'ha6eb0352, 32'h920cabcb, 32'h81ae33bc,
    32'h66d73941, 32'h7575a136, 32'h419209af, 32'h523091d8, 32'h285d589d, 32'h3bffc0ea, 32'hf186873, 32'h1cbaf004,
    32'hc4060b78, 32'hd7a4930f, 32'he3433b96, 32'hf0e1a3e1, 32'h8a8c6aa4, 32'h992ef2d3, 32'hadc95a4a, 32'hbe6bc23d,
    32'h5912c8c0, 32'h4ab050b7, 32'h7e57f82e, 32'h6df56059, 32'h1798a91c, 32'h43a316b, 32'h30dd99f2, 32'h237f0185,
    32'h844819fb, 32'h97ea818c, 32'ha30d2915, 32'hb0afb162, 32'hcac27827, 32'hd960e050, 32'hed8748c9, 32'hfe25d0be,
    32'h195cda43, 32'hafe4234, 32'h3e19eaad, 32'h2dbb72da, 32'h57d6bb9f, 32'h447423e8, 32'h70938b71, 32'h63311306,
    32'hbb8de87a, 32'ha82f700d, 32'h9cc8d894, 32'h8f6a40e3, 32'hf50789a6, 32'he6a511d1, 32'hd242b948, 32'hc1e0213f,
    32'h26992bc2, 32'h353bb3b5, 32'h1dc1b2c, 32'h127e835b, 32'h68134a1e, 32'h7bb1d269, 32'h4f567af0, 32'h5cf4e287,
    32'h4d43cfd, 32'h1776a48a, 32'h23910c13, 32'h30339464, 32'h4a5e5d21, 32'h59fcc556, 32'h6d1b6dcf, 32'h7eb9f5b8,
    32'h99c0ff45, 32'h8a626732, 32'hbe85cfab, 32'had2757dc, 32'hd74a9e99, 32'hc4e806ee, 32'hf00fae77, 32'he3ad3600,
    32'h3b11cd7c, 32'h28b3550b, 32'h1c54fd92, 32'hff665e5, 32'h759baca0, 32'h663934d7, 32'h52de9c4e, 32'h417c0439,
    32'ha6050ec4, 32'hb5a796b3, 32'h81403e2a, 32'h92e2a65d, 32'he88f6f18, 32'hfb2df76f, 32'hcfca5ff6, 32'hdc68c781,
    32'h7b5fdfff, 32'h68fd4788, 32'h5c1aef11, 32'h4fb87766, 32'h35d5be23, 32'h26772654, 32'h12908ecd, 32'h13216ba,
    32'he64b1c47, 32'hf5e98430, 32'hc10e2ca9, 32'hd2acb4de, 32'ha8c17d9b, 32'hbb63e5ec, 32'h8f844d75, 32'h9c26d502,
    32'h449a2e7e, 32'h5738b609, 32'h63df1e90, 32'h707d86e7, 32'ha104fa2, 32'h19b2d7d5, 32'h2d557f4c, 32'h3ef7e73b,
    32'hd98eedc6, 32'hca2c75b1, 32'hfecbdd28, 32'hed69455f, 32'h97048c1a, 32'h84a6146d, 32'hb041bcf4, 32'ha3e32483,
    32'h0, 32'hf26b8303, 32'he13b70f7, 32'h1350f3f4, 32'hc79a971f, 32'h35f1141c, 32'h26a1e7e8, 32'hd4ca64eb,
    32'h8ad958cf, 32'h78b2dbcc, 32'h6be22838, 32'h9989ab3b, 32'h4d43cfd0, 32'hbf284cd3, 32'hac78bf27, 32'h5e133c24,
    32'h105ec76f, 32'he235446c, 32'hf165b798, 32'h30e349b, 32'hd7c45070, 32'h25afd373, 32'h36ff2087, 32'hc494a384,
    32'h9a879fa0, 32'h68ec1ca3, 32'h7bbcef57, 32'h89d76c54, 32'h5d1d08bf, 32'haf768bbc, 32'hbc267848, 32'h4e4dfb4b,
    32'h20bd8ede, 32'hd2d60ddd, 32'hc186fe29, 32'h33ed7d2a, 32'he72719c1, 32'h154c9ac2, 32'h61c6936, 32'hf477ea35,
    32'haa64d611, 32'h580f5512, 32'h4b5fa6e6, 32'hb93425e5, 32'h6dfe410e, 32'h9f95c20d, 32'h8cc531f9, 32'h7eaeb2fa,
    32'h30e349b1, 32'hc288cab2, 32'hd1d83946, 32'h23b3ba45, 32'hf779deae, 32'h5125dad, 32'h1642ae59, 32'he4292d5a,
    32'hba3a117e, 32'h4851927d, 32'h5b016189, 32'ha96ae28a, 32'h7da08661, 32'h8fcb0562, 32'h9c9bf696, 32'h6ef07595,
    32'h417b1dbc, 32'hb3109ebf, 32'ha0406d4b, 32'h522bee48, 32'h86e18aa3, 32'h748a09a0, 32'h67dafa54, 32'h95b17957,
    32'hcba24573, 32'h39c9c670, 32'h2a993584, 32'hd8f2b687, 32'hc38d26c, 32'hfe53516f, 32'hed03a29b, 32'h1f682198,
    32'h5125dad3, 32'ha34e59d0, 32'hb01eaa24, 32'h42752927, 32'h96bf4dcc, 32'h64d4cecf, 32'h77843d3b, 32'h85efbe38,
    32'hdbfc821c, 32'h2997011f, 32'h3ac7f2eb, 32'hc8ac71e8, 32'h1c661503, 32'hee0d9600, 32'hfd5d65f4, 32'hf36e6f7,
    32'h61c69362, 32'h93ad1061, 32'h80fde395, 32'h72966096, 32'ha65c047d, 32'h5437877e, 32'h4767748a, 32'hb50cf789,
    32'heb1fcbad, 32'h197448ae, 32'ha24bb5a, 32'hf84f3859, 32'h2c855cb2, 32'hdeeedfb1, 32'hcdbe2c45, 32'h3fd5af46,
    32'h7198540d, 32'h83f3d70e, 32'h90a324fa, 32'h62c8a7f9, 32'hb602c312, 32'h44694011, 32'h5739b3e5, 32'ha55230e6,
    32'hfb410cc2, 32'h92a8fc1, 32'h1a7a7c35, 32'he811ff36, 32'h3cdb9bdd, 32'hceb018de, 32'hdde0eb2a, 32'h2f8b6829,
    32'h82f63b78, 32'h709db87b, 32'h63cd4b8f, 32'h91a6c88c, 32'h456cac67, 32'hb7072f64, 32'ha457dc90, 32'h563c5f93,
    32'h82f63b7, 32'hfa44e0b4, 32'he9141340, 32'h1b7f9043, 32'hcfb5f4a8, 32'h3dde77ab, 32'h2e8e845f, 32'hdce5075c,
    32'h92a8fc17, 32'h60c37f14, 32'h73938ce0, 32'h81f80fe3, 32'h55326b08, 32'ha759e80b, 32'hb4091bff, 32'h466298fc,
    32'h1871a4d8, 32'hea1a27db, 32'hf94ad42f, 32'hb21572c, 32'hdfeb33c7, 32'h2d80b0c4, 32'h3ed04330, 32'hccbbc033,
    32'ha24bb5a6, 32'h502036a5, 32'h4370c551, 32'hb11b4652, 32'h65d122b9, 32'h97baa1ba, 32'h84ea524e, 32'h7681d14d,
    32'h2892ed69, 32'hdaf96e6a, 32'hc9a99d9e, 32'h3bc21e9d, 32'hef087a76, 32'h1d63f975, 32'he330a81, 32'hfc588982,
    32'hb21572c9, 32'h407ef1ca, 32'h532e023e, 32'ha145813d, 32'h758fe5d6, 32'h87e466d5, 32'h94b49521, 32'h66df1622,
    32'h38cc2a06, 32'hcaa7a905, 32'hd9f75af1, 32'h2b9cd9f2, 32'hff56bd19, 32'hd3d3e1a, 32'h1e6dcdee, 32'hec064eed,
    32'hc38d26c4, 32'h31e6a5c7, 32'h22b65633, 32'hd0ddd530, 32'h417b1db, 32'hf67c32d8, 32'he52cc12c, 32'h1747422f,
    32'h49547e0b, 32'hbb3ffd08, 32'ha86f0efc, 32'h5a048dff, 32'h8ecee914, 32'h7ca56a17, 32'h6ff599e3, 32'h9d9e1ae0,
    32'hd3d3e1ab, 32'h21b862a8, 32'h32e8915c, 32'hc083125f, 32'h144976b4, 32'he622f5b7, 32'hf5720643, 32'h7198540,
    32'h590ab964, 32'hab613a67, 32'hb831c993, 32'h4a5a4a90, 32'h9e902e7b, 32'h6cfbad78, 32'h7fab5e8c, 32'h8dc0dd8f,
    32'he330a81a, 32'h115b2b19, 32'h20bd8ed, 32'hf0605bee, 32'h24aa3f05, 32'hd6c1bc06, 32'hc5914ff2, 32'h37faccf1,
    32'h69e9f0d5, 32'h9b8273d6, 32'h88d28022, 32'h7ab90321, 32'hae7367ca, 32'h5c18e4c9, 32'h4f48173d, 32'hbd23943e,
    32'hf36e6f75, 32'h105ec76, 32'h12551f82, 32'he03e9c81, 32'h34f4f86a, 32'hc69f7b69, 32'hd5cf889d, 32'h27a40b9e,
    32'h79b737ba, 32'h8bdcb4b9, 32'h988c474d, 32'h6ae7c44e, 32'hbe2da0a5, 32'h4c4623a6, 32'h5f16d052, 32'had7d5351};

  localparam logic [15:0] Crc16OfByte [0:2047] = '{
    16'h0, 16'h47d3, 16'h8fa6, 16'hc875, 16'hf6d, 16'h48be, 16'h80cb, 16'hc718,
    16'h1eda, 16'h5909, 16'h917c, 16'hd6af, 16'h11b7, 16'h5664, 16'h9e11, 16'hd9c2,
    16'h3db4, 16'h7a67, 16'hb212, 16'hf5c1, 16'h32d9, 16'h750a, 16'hbd7f, 16'hfaac,
    16'h236e, 16'h64bd, 16'hacc8, 16'heb1b, 16'h2c03, 16'h6bd0, 16'ha3a5, 16'he476,
    16'h7b68, 16'h3cbb, 16'hf4ce, 16'hb31d, 16'h7405, 16'h33d6, 16'hfba3, 16'hbc70,
    16'h65b2, 16'h2261, 16'hea14, 16'hadc7, 16'h6adf, 16'h2d0c, 16'he579, 16'ha2aa,
    16'h46dc, 16'h10f, 16'hc97a, 16'h8ea9, 16'h49b1, 16'he62, 16'hc617, 16'h81c4,
    16'h5806, 16'h1fd5, 16'hd7a0, 16'h9073, 16'h576b, 16'h10b8, 16'hd8cd, 16'h9f1e,
    16'hf6d0, 16'hb103, 16'h7976, 16'h3ea5, 16'hf9bd, 16'hbe6e, 16'h761b, 16'h31c8,
    16'he80a, 16'hafd9, 16'h67ac, 16'h207f, 16'he767, 16'ha0b4, 16'h68c1, 16'h2f12,
    16'hcb64, 16'h8cb7, 16'h44c2, 16'h311, 16'hc409, 16'h83da, 16'h4baf, 16'hc7c,
    16'hd5be, 16'h926d, 16'h5a18, 16'h1dcb, 16'hdad3, 16'h9d00, 16'h5575, 16'h12a6,
    16'h8db8, 16'hca6b, 16'h21e, 16'h45cd, 16'h82d5, 16'hc506, 16'hd73, 16'h4aa0,
    16'h9362, 16'hd4b1, 16'h1cc4, 16'h5b17, 16'h9c0f, 16'hdbdc, 16'h13a9, 16'h547a,
    16'hb00c, 16'hf7df, 16'h3faa, 16'h7879, 16'hbf61, 16'hf8b2, 16'h30c7, 16'h7714,
    16'haed6, 16'he905, 16'h2170, 16'h66a3, 16'ha1bb, 16'he668, 16'h2e1d, 16'h69ce,
    16'hfd81, 16'hba52, 16'h7227, 16'h35f4, 16'hf2ec, 16'hb53f, 16'h7d4a, 16'h3a99,
    16'he35b, 16'ha488, 16'h6cfd, 16'h2b2e, 16'hec36, 16'habe5, 16'h6390, 16'h2443,
    16'hc035, 16'h87e6, 16'h4f93, 16'h840, 16'hcf58, 16'h888b, 16'h40fe, 16'h72d,
    16'hdeef, 16'h993c, 16'h5149, 16'h169a, 16'hd182, 16'h9651, 16'h5e24, 16'h19f7,
    16'h86e9, 16'hc13a, 16'h94f, 16'h4e9c, 16'h8984, 16'hce57, 16'h622, 16'h41f1,
    16'h9833, 16'hdfe0, 16'h1795, 16'h5046, 16'h975e, 16'hd08d, 16'h18f8, 16'h5f2b,
    16'hbb5d, 16'hfc8e, 16'h34fb, 16'h7328, 16'hb430, 16'hf3e3, 16'h3b96, 16'h7c45,
    16'ha587, 16'he254, 16'h2a21, 16'h6df2, 16'haaea, 16'hed39, 16'h254c, 16'h629f,
    16'hb51, 16'h4c82, 16'h84f7, 16'hc324, 16'h43c, 16'h43ef, 16'h8b9a, 16'hcc49,
    16'h158b, 16'h5258, 16'h9a2d, 16'hddfe, 16'h1ae6, 16'h5d35, 16'h9540, 16'hd293,
    16'h36e5, 16'h7136, 16'hb943, 16'hfe90, 16'h3988, 16'h7e5b, 16'hb62e, 16'hf1fd,
    16'h283f, 16'h6fec, 16'ha799, 16'he04a, 16'h2752, 16'h6081, 16'ha8f4, 16'hef27,
    16'h7039, 16'h37ea, 16'hff9f, 16'hb84c, 16'h7f54, 16'h3887, 16'hf0f2, 16'hb721,
    16'h6ee3, 16'h2930, 16'he145, 16'ha696, 16'h618e, 16'h265d, 16'hee28, 16'ha9fb,
    16'h4d8d, 16'ha5e, 16'hc22b, 16'h85f8, 16'h42e0, 16'h533, 16'hcd46, 16'h8a95,
    16'h5357, 16'h1484, 16'hdcf1, 16'h9b22, 16'h5c3a, 16'h1be9, 16'hd39c, 16'h944f,
    16'h0, 16'hb861, 16'h60e3, 16'hd882, 16'hc1c6, 16'h79a7, 16'ha125, 16'h1944,
    16'h93ad, 16'h2bcc, 16'hf34e, 16'h4b2f, 16'h526b, 16'hea0a, 16'h3288, 16'h8ae9,
    16'h377b, 16'h8f1a, 16'h5798, 16'heff9, 16'hf6bd, 16'h4edc, 16'h965e, 16'h2e3f,
    16'ha4d6, 16'h1cb7, 16'hc435, 16'h7c54, 16'h6510, 16'hdd71, 16'h5f3, 16'hbd92,
    16'h6ef6, 16'hd697, 16'he15, 16'hb674, 16'haf30, 16'h1751, 16'hcfd3, 16'h77b2,
    16'hfd5b, 16'h453a, 16'h9db8, 16'h25d9, 16'h3c9d, 16'h84fc, 16'h5c7e, 16'he41f,
    16'h598d, 16'he1ec, 16'h396e, 16'h810f, 16'h984b, 16'h202a, 16'hf8a8, 16'h40c9,
    16'hca20, 16'h7241, 16'haac3, 16'h12a2, 16'hbe6, 16'hb387, 16'h6b05, 16'hd364,
    16'hddec, 16'h658d, 16'hbd0f, 16'h56e, 16'h1c2a, 16'ha44b, 16'h7cc9, 16'hc4a8,
    16'h4e41, 16'hf620, 16'h2ea2, 16'h96c3, 16'h8f87, 16'h37e6, 16'hef64, 16'h5705,
    16'hea97, 16'h52f6, 16'h8a74, 16'h3215, 16'h2b51, 16'h9330, 16'h4bb2, 16'hf3d3,
    16'h793a, 16'hc15b, 16'h19d9, 16'ha1b8, 16'hb8fc, 16'h9d, 16'hd81f, 16'h607e,
    16'hb31a, 16'hb7b, 16'hd3f9, 16'h6b98, 16'h72dc, 16'hcabd, 16'h123f, 16'haa5e,
    16'h20b7, 16'h98d6, 16'h4054, 16'hf835, 16'he171, 16'h5910, 16'h8192, 16'h39f3,
    16'h8461, 16'h3c00, 16'he482, 16'h5ce3, 16'h45a7, 16'hfdc6, 16'h2544, 16'h9d25,
    16'h17cc, 16'hafad, 16'h772f, 16'hcf4e, 16'hd60a, 16'h6e6b, 16'hb6e9, 16'he88,
    16'habf9, 16'h1398, 16'hcb1a, 16'h737b, 16'h6a3f, 16'hd25e, 16'hadc, 16'hb2bd,
    16'h3854, 16'h8035, 16'h58b7, 16'he0d6, 16'hf992, 16'h41f3, 16'h9971, 16'h2110,
    16'h9c82, 16'h24e3, 16'hfc61, 16'h4400, 16'h5d44, 16'he525, 16'h3da7, 16'h85c6,
    16'hf2f, 16'hb74e, 16'h6fcc, 16'hd7ad, 16'hcee9, 16'h7688, 16'hae0a, 16'h166b,
    16'hc50f, 16'h7d6e, 16'ha5ec, 16'h1d8d, 16'h4c9, 16'hbca8, 16'h642a, 16'hdc4b,
    16'h56a2, 16'heec3, 16'h3641, 16'h8e20, 16'h9764, 16'h2f05, 16'hf787, 16'h4fe6,
    16'hf274, 16'h4a15, 16'h9297, 16'h2af6, 16'h33b2, 16'h8bd3, 16'h5351, 16'heb30,
    16'h61d9, 16'hd9b8, 16'h13a, 16'hb95b, 16'ha01f, 16'h187e, 16'hc0fc, 16'h789d,
    16'h7615, 16'hce74, 16'h16f6, 16'hae97, 16'hb7d3, 16'hfb2, 16'hd730, 16'h6f51,
    16'he5b8, 16'h5dd9, 16'h855b, 16'h3d3a, 16'h247e, 16'h9c1f, 16'h449d, 16'hfcfc,
    16'h416e, 16'hf90f, 16'h218d, 16'h99ec, 16'h80a8, 16'h38c9, 16'he04b, 16'h582a,
    16'hd2c3, 16'h6aa2, 16'hb220, 16'ha41, 16'h1305, 16'hab64, 16'h73e6, 16'hcb87,
    16'h18e3, 16'ha082, 16'h7800, 16'hc061, 16'hd925, 16'h6144, 16'hb9c6, 16'h1a7,
    16'h8b4e, 16'h332f, 16'hebad, 16'h53cc, 16'h4a88, 16'hf2e9, 16'h2a6b, 16'h920a,
    16'h2f98, 16'h97f9, 16'h4f7b, 16'hf71a, 16'hee5e, 16'h563f, 16'h8ebd, 16'h36dc,
    16'hbc35, 16'h454, 16'hdcd6, 16'h64b7, 16'h7df3, 16'hc592, 16'h1d10, 16'ha571,
    16'h0, 16'h45a0, 16'h8b40, 16'hcee0, 16'h6a1, 16'h4301, 16'h8de1, 16'hc841,
    16'hd42, 16'h48e2, 16'h8602, 16'hc3a2, 16'hbe3, 16'h4e43, 16'h80a3, 16'hc503,
    16'h1a84, 16'h5f24, 16'h91c4, 16'hd464, 16'h1c25, 16'h5985, 16'h9765, 16'hd2c5,
    16'h17c6, 16'h5266, 16'h9c86, 16'hd926, 16'h1167, 16'h54c7, 16'h9a27, 16'hdf87,
    16'h3508, 16'h70a8, 16'hbe48, 16'hfbe8, 16'h33a9, 16'h7609, 16'hb8e9, 16'hfd49,
    16'h384a, 16'h7dea, 16'hb30a, 16'hf6aa, 16'h3eeb, 16'h7b4b, 16'hb5ab, 16'hf00b,
    16'h2f8c, 16'h6a2c, 16'ha4cc, 16'he16c, 16'h292d, 16'h6c8d, 16'ha26d, 16'he7cd,
    16'h22ce, 16'h676e, 16'ha98e, 16'hec2e, 16'h246f, 16'h61cf, 16'haf2f, 16'hea8f,
    16'h6a10, 16'h2fb0, 16'he150, 16'ha4f0, 16'h6cb1, 16'h2911, 16'he7f1, 16'ha251,
    16'h6752, 16'h22f2, 16'hec12, 16'ha9b2, 16'h61f3, 16'h2453, 16'heab3, 16'haf13,
    16'h7094, 16'h3534, 16'hfbd4, 16'hbe74, 16'h7635, 16'h3395, 16'hfd75, 16'hb8d5,
    16'h7dd6, 16'h3876, 16'hf696, 16'hb336, 16'h7b77, 16'h3ed7, 16'hf037, 16'hb597,
    16'h5f18, 16'h1ab8, 16'hd458, 16'h91f8, 16'h59b9, 16'h1c19, 16'hd2f9, 16'h9759,
    16'h525a, 16'h17fa, 16'hd91a, 16'h9cba, 16'h54fb, 16'h115b, 16'hdfbb, 16'h9a1b,
    16'h459c, 16'h3c, 16'hcedc, 16'h8b7c, 16'h433d, 16'h69d, 16'hc87d, 16'h8ddd,
    16'h48de, 16'hd7e, 16'hc39e, 16'h863e, 16'h4e7f, 16'hbdf, 16'hc53f, 16'h809f,
    16'hd420, 16'h9180, 16'h5f60, 16'h1ac0, 16'hd281, 16'h9721, 16'h59c1, 16'h1c61,
    16'hd962, 16'h9cc2, 16'h5222, 16'h1782, 16'hdfc3, 16'h9a63, 16'h5483, 16'h1123,
    16'hcea4, 16'h8b04, 16'h45e4, 16'h44, 16'hc805, 16'h8da5, 16'h4345, 16'h6e5,
    16'hc3e6, 16'h8646, 16'h48a6, 16'hd06, 16'hc547, 16'h80e7, 16'h4e07, 16'hba7,
    16'he128, 16'ha488, 16'h6a68, 16'h2fc8, 16'he789, 16'ha229, 16'h6cc9, 16'h2969,
    16'hec6a, 16'ha9ca, 16'h672a, 16'h228a, 16'heacb, 16'haf6b, 16'h618b, 16'h242b,
    16'hfbac, 16'hbe0c, 16'h70ec, 16'h354c, 16'hfd0d, 16'hb8ad, 16'h764d, 16'h33ed,
    16'hf6ee, 16'hb34e, 16'h7dae, 16'h380e, 16'hf04f, 16'hb5ef, 16'h7b0f, 16'h3eaf,
    16'hbe30, 16'hfb90, 16'h3570, 16'h70d0, 16'hb891, 16'hfd31, 16'h33d1, 16'h7671,
    16'hb372, 16'hf6d2, 16'h3832, 16'h7d92, 16'hb5d3, 16'hf073, 16'h3e93, 16'h7b33,
    16'ha4b4, 16'he114, 16'h2ff4, 16'h6a54, 16'ha215, 16'he7b5, 16'h2955, 16'h6cf5,
    16'ha9f6, 16'hec56, 16'h22b6, 16'h6716, 16'haf57, 16'heaf7, 16'h2417, 16'h61b7,
    16'h8b38, 16'hce98, 16'h78, 16'h45d8, 16'h8d99, 16'hc839, 16'h6d9, 16'h4379,
    16'h867a, 16'hc3da, 16'hd3a, 16'h489a, 16'h80db, 16'hc57b, 16'hb9b, 16'h4e3b,
    16'h91bc, 16'hd41c, 16'h1afc, 16'h5f5c, 16'h971d, 16'hd2bd, 16'h1c5d, 16'h59fd,
    16'h9cfe, 16'hd95e, 16'h17be, 16'h521e, 16'h9a5f, 16'hdfff, 16'h111f, 16'h54bf,
    16'h0, 16'haa51, 16'h4483, 16'heed2, 16'h8906, 16'h2357, 16'hcd85, 16'h67d4,
    16'h22d, 16'ha87c, 16'h46ae, 16'hecff, 16'h8b2b, 16'h217a, 16'hcfa8, 16'h65f9,
    16'h45a, 16'hae0b, 16'h40d9, 16'hea88, 16'h8d5c, 16'h270d, 16'hc9df, 16'h638e,
    16'h677, 16'hac26, 16'h42f4, 16'he8a5, 16'h8f71, 16'h2520, 16'hcbf2, 16'h61a3,
    16'h8b4, 16'ha2e5, 16'h4c37, 16'he666, 16'h81b2, 16'h2be3, 16'hc531, 16'h6f60,
    16'ha99, 16'ha0c8, 16'h4e1a, 16'he44b, 16'h839f, 16'h29ce, 16'hc71c, 16'h6d4d,
    16'hcee, 16'ha6bf, 16'h486d, 16'he23c, 16'h85e8, 16'h2fb9, 16'hc16b, 16'h6b3a,
    16'hec3, 16'ha492, 16'h4a40, 16'he011, 16'h87c5, 16'h2d94, 16'hc346, 16'h6917,
    16'h1168, 16'hbb39, 16'h55eb, 16'hffba, 16'h986e, 16'h323f, 16'hdced, 16'h76bc,
    16'h1345, 16'hb914, 16'h57c6, 16'hfd97, 16'h9a43, 16'h3012, 16'hdec0, 16'h7491,
    16'h1532, 16'hbf63, 16'h51b1, 16'hfbe0, 16'h9c34, 16'h3665, 16'hd8b7, 16'h72e6,
    16'h171f, 16'hbd4e, 16'h539c, 16'hf9cd, 16'h9e19, 16'h3448, 16'hda9a, 16'h70cb,
    16'h19dc, 16'hb38d, 16'h5d5f, 16'hf70e, 16'h90da, 16'h3a8b, 16'hd459, 16'h7e08,
    16'h1bf1, 16'hb1a0, 16'h5f72, 16'hf523, 16'h92f7, 16'h38a6, 16'hd674, 16'h7c25,
    16'h1d86, 16'hb7d7, 16'h5905, 16'hf354, 16'h9480, 16'h3ed1, 16'hd003, 16'h7a52,
    16'h1fab, 16'hb5fa, 16'h5b28, 16'hf179, 16'h96ad, 16'h3cfc, 16'hd22e, 16'h787f,
    16'h22d0, 16'h8881, 16'h6653, 16'hcc02, 16'habd6, 16'h187, 16'hef55, 16'h4504,
    16'h20fd, 16'h8aac, 16'h647e, 16'hce2f, 16'ha9fb, 16'h3aa, 16'hed78, 16'h4729,
    16'h268a, 16'h8cdb, 16'h6209, 16'hc858, 16'haf8c, 16'h5dd, 16'heb0f, 16'h415e,
    16'h24a7, 16'h8ef6, 16'h6024, 16'hca75, 16'hada1, 16'h7f0, 16'he922, 16'h4373,
    16'h2a64, 16'h8035, 16'h6ee7, 16'hc4b6, 16'ha362, 16'h933, 16'he7e1, 16'h4db0,
    16'h2849, 16'h8218, 16'h6cca, 16'hc69b, 16'ha14f, 16'hb1e, 16'he5cc, 16'h4f9d,
    16'h2e3e, 16'h846f, 16'h6abd, 16'hc0ec, 16'ha738, 16'hd69, 16'he3bb, 16'h49ea,
    16'h2c13, 16'h8642, 16'h6890, 16'hc2c1, 16'ha515, 16'hf44, 16'he196, 16'h4bc7,
    16'h33b8, 16'h99e9, 16'h773b, 16'hdd6a, 16'hbabe, 16'h10ef, 16'hfe3d, 16'h546c,
    16'h3195, 16'h9bc4, 16'h7516, 16'hdf47, 16'hb893, 16'h12c2, 16'hfc10, 16'h5641,
    16'h37e2, 16'h9db3, 16'h7361, 16'hd930, 16'hbee4, 16'h14b5, 16'hfa67, 16'h5036,
    16'h35cf, 16'h9f9e, 16'h714c, 16'hdb1d, 16'hbcc9, 16'h1698, 16'hf84a, 16'h521b,
    16'h3b0c, 16'h915d, 16'h7f8f, 16'hd5de, 16'hb20a, 16'h185b, 16'hf689, 16'h5cd8,
    16'h3921, 16'h9370, 16'h7da2, 16'hd7f3, 16'hb027, 16'h1a76, 16'hf4a4, 16'h5ef5,
    16'h3f56, 16'h9507, 16'h7bd5, 16'hd184, 16'hb650, 16'h1c01, 16'hf2d3, 16'h5882,
    16'h3d7b, 16'h972a, 16'h79f8, 16'hd3a9, 16'hb47d, 16'h1e2c, 16'hf0fe, 16'h5aaf,
    16'h0, 16'h76b4, 16'hed68, 16'h9bdc, 16'hcaf1, 16'hbc45, 16'h2799, 16'h512d,
    16'h85c3, 16'hf377, 16'h68ab, 16'h1e1f, 16'h4f32, 16'h3986, 16'ha25a, 16'hd4ee,
    16'h1ba7, 16'h6d13, 16'hf6cf, 16'h807b, 16'hd156, 16'ha7e2, 16'h3c3e, 16'h4a8a,
    16'h9e64, 16'he8d0, 16'h730c, 16'h5b8, 16'h5495, 16'h2221, 16'hb9fd, 16'hcf49,
    16'h374e, 16'h41fa, 16'hda26, 16'hac92, 16'hfdbf, 16'h8b0b, 16'h10d7, 16'h6663,
    16'hb28d, 16'hc439, 16'h5fe5, 16'h2951, 16'h787c, 16'hec8, 16'h9514, 16'he3a0,
    16'h2ce9, 16'h5a5d, 16'hc181, 16'hb735, 16'he618, 16'h90ac, 16'hb70, 16'h7dc4,
    16'ha92a, 16'hdf9e, 16'h4442, 16'h32f6, 16'h63db, 16'h156f, 16'h8eb3, 16'hf807,
    16'h6e9c, 16'h1828, 16'h83f4, 16'hf540, 16'ha46d, 16'hd2d9, 16'h4905, 16'h3fb1,
    16'heb5f, 16'h9deb, 16'h637, 16'h7083, 16'h21ae, 16'h571a, 16'hccc6, 16'hba72,
    16'h753b, 16'h38f, 16'h9853, 16'heee7, 16'hbfca, 16'hc97e, 16'h52a2, 16'h2416,
    16'hf0f8, 16'h864c, 16'h1d90, 16'h6b24, 16'h3a09, 16'h4cbd, 16'hd761, 16'ha1d5,
    16'h59d2, 16'h2f66, 16'hb4ba, 16'hc20e, 16'h9323, 16'he597, 16'h7e4b, 16'h8ff,
    16'hdc11, 16'haaa5, 16'h3179, 16'h47cd, 16'h16e0, 16'h6054, 16'hfb88, 16'h8d3c,
    16'h4275, 16'h34c1, 16'haf1d, 16'hd9a9, 16'h8884, 16'hfe30, 16'h65ec, 16'h1358,
    16'hc7b6, 16'hb102, 16'h2ade, 16'h5c6a, 16'hd47, 16'h7bf3, 16'he02f, 16'h969b,
    16'hdd38, 16'hab8c, 16'h3050, 16'h46e4, 16'h17c9, 16'h617d, 16'hfaa1, 16'h8c15,
    16'h58fb, 16'h2e4f, 16'hb593, 16'hc327, 16'h920a, 16'he4be, 16'h7f62, 16'h9d6,
    16'hc69f, 16'hb02b, 16'h2bf7, 16'h5d43, 16'hc6e, 16'h7ada, 16'he106, 16'h97b2,
    16'h435c, 16'h35e8, 16'hae34, 16'hd880, 16'h89ad, 16'hff19, 16'h64c5, 16'h1271,
    16'hea76, 16'h9cc2, 16'h71e, 16'h71aa, 16'h2087, 16'h5633, 16'hcdef, 16'hbb5b,
    16'h6fb5, 16'h1901, 16'h82dd, 16'hf469, 16'ha544, 16'hd3f0, 16'h482c, 16'h3e98,
    16'hf1d1, 16'h8765, 16'h1cb9, 16'h6a0d, 16'h3b20, 16'h4d94, 16'hd648, 16'ha0fc,
    16'h7412, 16'h2a6, 16'h997a, 16'hefce, 16'hbee3, 16'hc857, 16'h538b, 16'h253f,
    16'hb3a4, 16'hc510, 16'h5ecc, 16'h2878, 16'h7955, 16'hfe1, 16'h943d, 16'he289,
    16'h3667, 16'h40d3, 16'hdb0f, 16'hadbb, 16'hfc96, 16'h8a22, 16'h11fe, 16'h674a,
    16'ha803, 16'hdeb7, 16'h456b, 16'h33df, 16'h62f2, 16'h1446, 16'h8f9a, 16'hf92e,
    16'h2dc0, 16'h5b74, 16'hc0a8, 16'hb61c, 16'he731, 16'h9185, 16'ha59, 16'h7ced,
    16'h84ea, 16'hf25e, 16'h6982, 16'h1f36, 16'h4e1b, 16'h38af, 16'ha373, 16'hd5c7,
    16'h129, 16'h779d, 16'hec41, 16'h9af5, 16'hcbd8, 16'hbd6c, 16'h26b0, 16'h5004,
    16'h9f4d, 16'he9f9, 16'h7225, 16'h491, 16'h55bc, 16'h2308, 16'hb8d4, 16'hce60,
    16'h1a8e, 16'h6c3a, 16'hf7e6, 16'h8152, 16'hd07f, 16'ha6cb, 16'h3d17, 16'h4ba3,
    16'h0, 16'h3730, 16'h6e60, 16'h5950, 16'hdcc0, 16'hebf0, 16'hb2a0, 16'h8590,
    16'ha9a1, 16'h9e91, 16'hc7c1, 16'hf0f1, 16'h7561, 16'h4251, 16'h1b01, 16'h2c31,
    16'h4363, 16'h7453, 16'h2d03, 16'h1a33, 16'h9fa3, 16'ha893, 16'hf1c3, 16'hc6f3,
    16'heac2, 16'hddf2, 16'h84a2, 16'hb392, 16'h3602, 16'h132, 16'h5862, 16'h6f52,
    16'h86c6, 16'hb1f6, 16'he8a6, 16'hdf96, 16'h5a06, 16'h6d36, 16'h3466, 16'h356,
    16'h2f67, 16'h1857, 16'h4107, 16'h7637, 16'hf3a7, 16'hc497, 16'h9dc7, 16'haaf7,
    16'hc5a5, 16'hf295, 16'habc5, 16'h9cf5, 16'h1965, 16'h2e55, 16'h7705, 16'h4035,
    16'h6c04, 16'h5b34, 16'h264, 16'h3554, 16'hb0c4, 16'h87f4, 16'hdea4, 16'he994,
    16'h1dad, 16'h2a9d, 16'h73cd, 16'h44fd, 16'hc16d, 16'hf65d, 16'haf0d, 16'h983d,
    16'hb40c, 16'h833c, 16'hda6c, 16'hed5c, 16'h68cc, 16'h5ffc, 16'h6ac, 16'h319c,
    16'h5ece, 16'h69fe, 16'h30ae, 16'h79e, 16'h820e, 16'hb53e, 16'hec6e, 16'hdb5e,
    16'hf76f, 16'hc05f, 16'h990f, 16'hae3f, 16'h2baf, 16'h1c9f, 16'h45cf, 16'h72ff,
    16'h9b6b, 16'hac5b, 16'hf50b, 16'hc23b, 16'h47ab, 16'h709b, 16'h29cb, 16'h1efb,
    16'h32ca, 16'h5fa, 16'h5caa, 16'h6b9a, 16'hee0a, 16'hd93a, 16'h806a, 16'hb75a,
    16'hd808, 16'hef38, 16'hb668, 16'h8158, 16'h4c8, 16'h33f8, 16'h6aa8, 16'h5d98,
    16'h71a9, 16'h4699, 16'h1fc9, 16'h28f9, 16'had69, 16'h9a59, 16'hc309, 16'hf439,
    16'h3b5a, 16'hc6a, 16'h553a, 16'h620a, 16'he79a, 16'hd0aa, 16'h89fa, 16'hbeca,
    16'h92fb, 16'ha5cb, 16'hfc9b, 16'hcbab, 16'h4e3b, 16'h790b, 16'h205b, 16'h176b,
    16'h7839, 16'h4f09, 16'h1659, 16'h2169, 16'ha4f9, 16'h93c9, 16'hca99, 16'hfda9,
    16'hd198, 16'he6a8, 16'hbff8, 16'h88c8, 16'hd58, 16'h3a68, 16'h6338, 16'h5408,
    16'hbd9c, 16'h8aac, 16'hd3fc, 16'he4cc, 16'h615c, 16'h566c, 16'hf3c, 16'h380c,
    16'h143d, 16'h230d, 16'h7a5d, 16'h4d6d, 16'hc8fd, 16'hffcd, 16'ha69d, 16'h91ad,
    16'hfeff, 16'hc9cf, 16'h909f, 16'ha7af, 16'h223f, 16'h150f, 16'h4c5f, 16'h7b6f,
    16'h575e, 16'h606e, 16'h393e, 16'he0e, 16'h8b9e, 16'hbcae, 16'he5fe, 16'hd2ce,
    16'h26f7, 16'h11c7, 16'h4897, 16'h7fa7, 16'hfa37, 16'hcd07, 16'h9457, 16'ha367,
    16'h8f56, 16'hb866, 16'he136, 16'hd606, 16'h5396, 16'h64a6, 16'h3df6, 16'hac6,
    16'h6594, 16'h52a4, 16'hbf4, 16'h3cc4, 16'hb954, 16'h8e64, 16'hd734, 16'he004,
    16'hcc35, 16'hfb05, 16'ha255, 16'h9565, 16'h10f5, 16'h27c5, 16'h7e95, 16'h49a5,
    16'ha031, 16'h9701, 16'hce51, 16'hf961, 16'h7cf1, 16'h4bc1, 16'h1291, 16'h25a1,
    16'h990, 16'h3ea0, 16'h67f0, 16'h50c0, 16'hd550, 16'he260, 16'hbb30, 16'h8c00,
    16'he352, 16'hd462, 16'h8d32, 16'hba02, 16'h3f92, 16'h8a2, 16'h51f2, 16'h66c2,
    16'h4af3, 16'h7dc3, 16'h2493, 16'h13a3, 16'h9633, 16'ha103, 16'hf853, 16'hcf63,
    16'h0, 16'h3331, 16'h6662, 16'h5553, 16'hccc4, 16'hfff5, 16'haaa6, 16'h9997,
    16'h89a9, 16'hba98, 16'hefcb, 16'hdcfa, 16'h456d, 16'h765c, 16'h230f, 16'h103e,
    16'h373, 16'h3042, 16'h6511, 16'h5620, 16'hcfb7, 16'hfc86, 16'ha9d5, 16'h9ae4,
    16'h8ada, 16'hb9eb, 16'hecb8, 16'hdf89, 16'h461e, 16'h752f, 16'h207c, 16'h134d,
    16'h6e6, 16'h35d7, 16'h6084, 16'h53b5, 16'hca22, 16'hf913, 16'hac40, 16'h9f71,
    16'h8f4f, 16'hbc7e, 16'he92d, 16'hda1c, 16'h438b, 16'h70ba, 16'h25e9, 16'h16d8,
    16'h595, 16'h36a4, 16'h63f7, 16'h50c6, 16'hc951, 16'hfa60, 16'haf33, 16'h9c02,
    16'h8c3c, 16'hbf0d, 16'hea5e, 16'hd96f, 16'h40f8, 16'h73c9, 16'h269a, 16'h15ab,
    16'hdcc, 16'h3efd, 16'h6bae, 16'h589f, 16'hc108, 16'hf239, 16'ha76a, 16'h945b,
    16'h8465, 16'hb754, 16'he207, 16'hd136, 16'h48a1, 16'h7b90, 16'h2ec3, 16'h1df2,
    16'hebf, 16'h3d8e, 16'h68dd, 16'h5bec, 16'hc27b, 16'hf14a, 16'ha419, 16'h9728,
    16'h8716, 16'hb427, 16'he174, 16'hd245, 16'h4bd2, 16'h78e3, 16'h2db0, 16'h1e81,
    16'hb2a, 16'h381b, 16'h6d48, 16'h5e79, 16'hc7ee, 16'hf4df, 16'ha18c, 16'h92bd,
    16'h8283, 16'hb1b2, 16'he4e1, 16'hd7d0, 16'h4e47, 16'h7d76, 16'h2825, 16'h1b14,
    16'h859, 16'h3b68, 16'h6e3b, 16'h5d0a, 16'hc49d, 16'hf7ac, 16'ha2ff, 16'h91ce,
    16'h81f0, 16'hb2c1, 16'he792, 16'hd4a3, 16'h4d34, 16'h7e05, 16'h2b56, 16'h1867,
    16'h1b98, 16'h28a9, 16'h7dfa, 16'h4ecb, 16'hd75c, 16'he46d, 16'hb13e, 16'h820f,
    16'h9231, 16'ha100, 16'hf453, 16'hc762, 16'h5ef5, 16'h6dc4, 16'h3897, 16'hba6,
    16'h18eb, 16'h2bda, 16'h7e89, 16'h4db8, 16'hd42f, 16'he71e, 16'hb24d, 16'h817c,
    16'h9142, 16'ha273, 16'hf720, 16'hc411, 16'h5d86, 16'h6eb7, 16'h3be4, 16'h8d5,
    16'h1d7e, 16'h2e4f, 16'h7b1c, 16'h482d, 16'hd1ba, 16'he28b, 16'hb7d8, 16'h84e9,
    16'h94d7, 16'ha7e6, 16'hf2b5, 16'hc184, 16'h5813, 16'h6b22, 16'h3e71, 16'hd40,
    16'h1e0d, 16'h2d3c, 16'h786f, 16'h4b5e, 16'hd2c9, 16'he1f8, 16'hb4ab, 16'h879a,
    16'h97a4, 16'ha495, 16'hf1c6, 16'hc2f7, 16'h5b60, 16'h6851, 16'h3d02, 16'he33,
    16'h1654, 16'h2565, 16'h7036, 16'h4307, 16'hda90, 16'he9a1, 16'hbcf2, 16'h8fc3,
    16'h9ffd, 16'haccc, 16'hf99f, 16'hcaae, 16'h5339, 16'h6008, 16'h355b, 16'h66a,
    16'h1527, 16'h2616, 16'h7345, 16'h4074, 16'hd9e3, 16'head2, 16'hbf81, 16'h8cb0,
    16'h9c8e, 16'hafbf, 16'hfaec, 16'hc9dd, 16'h504a, 16'h637b, 16'h3628, 16'h519,
    16'h10b2, 16'h2383, 16'h76d0, 16'h45e1, 16'hdc76, 16'hef47, 16'hba14, 16'h8925,
    16'h991b, 16'haa2a, 16'hff79, 16'hcc48, 16'h55df, 16'h66ee, 16'h33bd, 16'h8c,
    16'h13c1, 16'h20f0, 16'h75a3, 16'h4692, 16'hdf05, 16'hec34, 16'hb967, 16'h8a56,
    16'h9a68, 16'ha959, 16'hfc0a, 16'hcf3b, 16'h56ac, 16'h659d, 16'h30ce, 16'h3ff,
    16'h0, 16'h1021, 16'h2042, 16'h3063, 16'h4084, 16'h50a5, 16'h60c6, 16'h70e7,
    16'h8108, 16'h9129, 16'ha14a, 16'hb16b, 16'hc18c, 16'hd1ad, 16'he1ce, 16'hf1ef,
    16'h1231, 16'h210, 16'h3273, 16'h2252, 16'h52b5, 16'h4294, 16'h72f7, 16'h62d6,
    16'h9339, 16'h8318, 16'hb37b, 16'ha35a, 16'hd3bd, 16'hc39c, 16'hf3ff, 16'he3de,
    16'h2462, 16'h3443, 16'h420, 16'h1401, 16'h64e6, 16'h74c7, 16'h44a4, 16'h5485,
    16'ha56a, 16'hb54b, 16'h8528, 16'h9509, 16'he5ee, 16'hf5cf, 16'hc5ac, 16'hd58d,
    16'h3653, 16'h2672, 16'h1611, 16'h630, 16'h76d7, 16'h66f6, 16'h5695, 16'h46b4,
    16'hb75b, 16'ha77a, 16'h9719, 16'h8738, 16'hf7df, 16'he7fe, 16'hd79d, 16'hc7bc,
    16'h48c4, 16'h58e5, 16'h6886, 16'h78a7, 16'h840, 16'h1861, 16'h2802, 16'h3823,
    16'hc9cc, 16'hd9ed, 16'he98e, 16'hf9af, 16'h8948, 16'h9969, 16'ha90a, 16'hb92b,
    16'h5af5, 16'h4ad4, 16'h7ab7, 16'h6a96, 16'h1a71, 16'ha50, 16'h3a33, 16'h2a12,
    16'hdbfd, 16'hcbdc, 16'hfbbf, 16'heb9e, 16'h9b79, 16'h8b58, 16'hbb3b, 16'hab1a,
    16'h6ca6, 16'h7c87, 16'h4ce4, 16'h5cc5, 16'h2c22, 16'h3c03, 16'hc60, 16'h1c41,
    16'hedae, 16'hfd8f, 16'hcdec, 16'hddcd, 16'had2a, 16'hbd0b, 16'h8d68, 16'h9d49,
    16'h7e97, 16'h6eb6, 16'h5ed5, 16'h4ef4, 16'h3e13, 16'h2e32, 16'h1e51, 16'he70,
    16'hff9f, 16'hefbe, 16'hdfdd, 16'hcffc, 16'hbf1b, 16'haf3a, 16'h9f59, 16'h8f78,
    16'h9188, 16'h81a9, 16'hb1ca, 16'ha1eb, 16'hd10c, 16'hc12d, 16'hf14e, 16'he16f,
    16'h1080, 16'ha1, 16'h30c2, 16'h20e3, 16'h5004, 16'h4025, 16'h7046, 16'h6067,
    16'h83b9, 16'h9398, 16'ha3fb, 16'hb3da, 16'hc33d, 16'hd31c, 16'he37f, 16'hf35e,
    16'h2b1, 16'h1290, 16'h22f3, 16'h32d2, 16'h4235, 16'h5214, 16'h6277, 16'h7256,
    16'hb5ea, 16'ha5cb, 16'h95a8, 16'h8589, 16'hf56e, 16'he54f, 16'hd52c, 16'hc50d,
    16'h34e2, 16'h24c3, 16'h14a0, 16'h481, 16'h7466, 16'h6447, 16'h5424, 16'h4405,
    16'ha7db, 16'hb7fa, 16'h8799, 16'h97b8, 16'he75f, 16'hf77e, 16'hc71d, 16'hd73c,
    16'h26d3, 16'h36f2, 16'h691, 16'h16b0, 16'h6657, 16'h7676, 16'h4615, 16'h5634,
    16'hd94c, 16'hc96d, 16'hf90e, 16'he92f, 16'h99c8, 16'h89e9, 16'hb98a, 16'ha9ab,
    16'h5844, 16'h4865, 16'h7806, 16'h6827, 16'h18c0, 16'h8e1, 16'h3882, 16'h28a3,
    16'hcb7d, 16'hdb5c, 16'heb3f, 16'hfb1e, 16'h8bf9, 16'h9bd8, 16'habbb, 16'hbb9a,
    16'h4a75, 16'h5a54, 16'h6a37, 16'h7a16, 16'haf1, 16'h1ad0, 16'h2ab3, 16'h3a92,
    16'hfd2e, 16'hed0f, 16'hdd6c, 16'hcd4d, 16'hbdaa, 16'had8b, 16'h9de8, 16'h8dc9,
    16'h7c26, 16'h6c07, 16'h5c64, 16'h4c45, 16'h3ca2, 16'h2c83, 16'h1ce0, 16'hcc1,
    16'hef1f, 16'hff3e, 16'hcf5d, 16'hdf7c, 16'haf9b, 16'hbfba, 16'h8fd9, 16'h9ff8,
    16'h6e17, 16'h7e36, 16'h4e55, 16'h5e74, 16'h2e93, 16'h3eb2, 16'hed1, 16'h1ef0};

  localparam logic [7:0] Crc8OfByte [0:767] = '{
    8'h0, 8'h6b, 8'hd6, 8'hbd, 8'hab, 8'hc0, 8'h7d, 8'h16,
    8'h51, 8'h3a, 8'h87, 8'hec, 8'hfa, 8'h91, 8'h2c, 8'h47,
    8'ha2, 8'hc9, 8'h74, 8'h1f, 8'h9, 8'h62, 8'hdf, 8'hb4,
    8'hf3, 8'h98, 8'h25, 8'h4e, 8'h58, 8'h33, 8'h8e, 8'he5,
    8'h43, 8'h28, 8'h95, 8'hfe, 8'he8, 8'h83, 8'h3e, 8'h55,
    8'h12, 8'h79, 8'hc4, 8'haf, 8'hb9, 8'hd2, 8'h6f, 8'h4,
    8'he1, 8'h8a, 8'h37, 8'h5c, 8'h4a, 8'h21, 8'h9c, 8'hf7,
    8'hb0, 8'hdb, 8'h66, 8'hd, 8'h1b, 8'h70, 8'hcd, 8'ha6,
    8'h86, 8'hed, 8'h50, 8'h3b, 8'h2d, 8'h46, 8'hfb, 8'h90,
    8'hd7, 8'hbc, 8'h1, 8'h6a, 8'h7c, 8'h17, 8'haa, 8'hc1,
    8'h24, 8'h4f, 8'hf2, 8'h99, 8'h8f, 8'he4, 8'h59, 8'h32,
    8'h75, 8'h1e, 8'ha3, 8'hc8, 8'hde, 8'hb5, 8'h8, 8'h63,
    8'hc5, 8'hae, 8'h13, 8'h78, 8'h6e, 8'h5, 8'hb8, 8'hd3,
    8'h94, 8'hff, 8'h42, 8'h29, 8'h3f, 8'h54, 8'he9, 8'h82,
    8'h67, 8'hc, 8'hb1, 8'hda, 8'hcc, 8'ha7, 8'h1a, 8'h71,
    8'h36, 8'h5d, 8'he0, 8'h8b, 8'h9d, 8'hf6, 8'h4b, 8'h20,
    8'hb, 8'h60, 8'hdd, 8'hb6, 8'ha0, 8'hcb, 8'h76, 8'h1d,
    8'h5a, 8'h31, 8'h8c, 8'he7, 8'hf1, 8'h9a, 8'h27, 8'h4c,
    8'ha9, 8'hc2, 8'h7f, 8'h14, 8'h2, 8'h69, 8'hd4, 8'hbf,
    8'hf8, 8'h93, 8'h2e, 8'h45, 8'h53, 8'h38, 8'h85, 8'hee,
    8'h48, 8'h23, 8'h9e, 8'hf5, 8'he3, 8'h88, 8'h35, 8'h5e,
    8'h19, 8'h72, 8'hcf, 8'ha4, 8'hb2, 8'hd9, 8'h64, 8'hf,
    8'hea, 8'h81, 8'h3c, 8'h57, 8'h41, 8'h2a, 8'h97, 8'hfc,
    8'hbb, 8'hd0, 8'h6d, 8'h6, 8'h10, 8'h7b, 8'hc6, 8'had,
    8'h8d, 8'he6, 8'h5b, 8'h30, 8'h26, 8'h4d, 8'hf0, 8'h9b,
    8'hdc, 8'hb7, 8'ha, 8'h61, 8'h77, 8'h1c, 8'ha1, 8'hca,
    8'h2f, 8'h44, 8'hf9, 8'h92, 8'h84, 8'hef, 8'h52, 8'h39,
    8'h7e, 8'h15, 8'ha8, 8'hc3, 8'hd5, 8'hbe, 8'h3, 8'h68,
    8'hce, 8'ha5, 8'h18, 8'h73, 8'h65, 8'he, 8'hb3, 8'hd8,
    8'h9f, 8'hf4, 8'h49, 8'h22, 8'h34, 8'h5f, 8'he2, 8'h89,
    8'h6c, 8'h7, 8'hba, 8'hd1, 8'hc7, 8'hac, 8'h11, 8'h7a,
    8'h3d, 8'h56, 8'heb, 8'h80, 8'h96, 8'hfd, 8'h40, 8'h2b,
    8'h0, 8'h15, 8'h2a, 8'h3f, 8'h54, 8'h41, 8'h7e, 8'h6b,
    8'ha8, 8'hbd, 8'h82, 8'h97, 8'hfc, 8'he9, 8'hd6, 8'hc3,
    8'h57, 8'h42, 8'h7d, 8'h68, 8'h3, 8'h16, 8'h29, 8'h3c,
    8'hff, 8'hea, 8'hd5, 8'hc0, 8'hab, 8'hbe, 8'h81, 8'h94,
    8'hae, 8'hbb, 8'h84, 8'h91, 8'hfa, 8'hef, 8'hd0, 8'hc5,
    8'h6, 8'h13, 8'h2c, 8'h39, 8'h52, 8'h47, 8'h78, 8'h6d,
    8'hf9, 8'hec, 8'hd3, 8'hc6, 8'had, 8'hb8, 8'h87, 8'h92,
    8'h51, 8'h44, 8'h7b, 8'h6e, 8'h5, 8'h10, 8'h2f, 8'h3a,
    8'h5b, 8'h4e, 8'h71, 8'h64, 8'hf, 8'h1a, 8'h25, 8'h30,
    8'hf3, 8'he6, 8'hd9, 8'hcc, 8'ha7, 8'hb2, 8'h8d, 8'h98,
    8'hc, 8'h19, 8'h26, 8'h33, 8'h58, 8'h4d, 8'h72, 8'h67,
    8'ha4, 8'hb1, 8'h8e, 8'h9b, 8'hf0, 8'he5, 8'hda, 8'hcf,
    8'hf5, 8'he0, 8'hdf, 8'hca, 8'ha1, 8'hb4, 8'h8b, 8'h9e,
    8'h5d, 8'h48, 8'h77, 8'h62, 8'h9, 8'h1c, 8'h23, 8'h36,
    8'ha2, 8'hb7, 8'h88, 8'h9d, 8'hf6, 8'he3, 8'hdc, 8'hc9,
    8'ha, 8'h1f, 8'h20, 8'h35, 8'h5e, 8'h4b, 8'h74, 8'h61,
    8'hb6, 8'ha3, 8'h9c, 8'h89, 8'he2, 8'hf7, 8'hc8, 8'hdd,
    8'h1e, 8'hb, 8'h34, 8'h21, 8'h4a, 8'h5f, 8'h60, 8'h75,
    8'he1, 8'hf4, 8'hcb, 8'hde, 8'hb5, 8'ha0, 8'h9f, 8'h8a,
    8'h49, 8'h5c, 8'h63, 8'h76, 8'h1d, 8'h8, 8'h37, 8'h22,
    8'h18, 8'hd, 8'h32, 8'h27, 8'h4c, 8'h59, 8'h66, 8'h73,
    8'hb0, 8'ha5, 8'h9a, 8'h8f, 8'he4, 8'hf1, 8'hce, 8'hdb,
    8'h4f, 8'h5a, 8'h65, 8'h70, 8'h1b, 8'he, 8'h31, 8'h24,
    8'he7, 8'hf2, 8'hcd, 8'hd8, 8'hb3, 8'ha6, 8'h99, 8'h8c,
    8'hed, 8'hf8, 8'hc7, 8'hd2, 8'hb9, 8'hac, 8'h93, 8'h86,
    8'h45, 8'h50, 8'h6f, 8'h7a, 8'h11, 8'h4, 8'h3b, 8'h2e,
    8'hba, 8'haf, 8'h90, 8'h85, 8'hee, 8'hfb, 8'hc4, 8'hd1,
    8'h12, 8'h7, 8'h38, 8'h2d, 8'h46, 8'h53, 8'h6c, 8'h79,
    8'h43, 8'h56, 8'h69, 8'h7c, 8'h17, 8'h2, 8'h3d, 8'h28,
    8'heb, 8'hfe, 8'hc1, 8'hd4, 8'hbf, 8'haa, 8'h95, 8'h80,
    8'h14, 8'h1, 8'h3e, 8'h2b, 8'h40, 8'h55, 8'h6a, 8'h7f,
    8'hbc, 8'ha9, 8'h96, 8'h83, 8'he8, 8'hfd, 8'hc2, 8'hd7,
    8'h0, 8'h7, 8'he, 8'h9, 8'h1c, 8'h1b, 8'h12, 8'h15,
    8'h38, 8'h3f, 8'h36, 8'h31, 8'h24, 8'h23, 8'h2a, 8'h2d,
    8'h70, 8'h77, 8'h7e, 8'h79, 8'h6c, 8'h6b, 8'h62, 8'h65,
    8'h48, 8'h4f, 8'h46, 8'h41, 8'h54, 8'h53, 8'h5a, 8'h5d,
    8'he0, 8'he7, 8'hee, 8'he9, 8'hfc, 8'hfb, 8'hf2, 8'hf5,
    8'hd8, 8'hdf, 8'hd6, 8'hd1, 8'hc4, 8'hc3, 8'hca, 8'hcd,
    8'h90, 8'h97, 8'h9e, 8'h99, 8'h8c, 8'h8b, 8'h82, 8'h85,
    8'ha8, 8'haf, 8'ha6, 8'ha1, 8'hb4, 8'hb3, 8'hba, 8'hbd,
    8'hc7, 8'hc0, 8'hc9, 8'hce, 8'hdb, 8'hdc, 8'hd5, 8'hd2,
    8'hff, 8'hf8, 8'hf1, 8'hf6, 8'he3, 8'he4, 8'hed, 8'hea,
    8'hb7, 8'hb0, 8'hb9, 8'hbe, 8'hab, 8'hac, 8'ha5, 8'ha2,
    8'h8f, 8'h88, 8'h81, 8'h86, 8'h93, 8'h94, 8'h9d, 8'h9a,
    8'h27, 8'h20, 8'h29, 8'h2e, 8'h3b, 8'h3c, 8'h35, 8'h32,
    8'h1f, 8'h18, 8'h11, 8'h16, 8'h3, 8'h4, 8'hd, 8'ha,
    8'h57, 8'h50, 8'h59, 8'h5e, 8'h4b, 8'h4c, 8'h45, 8'h42,
    8'h6f, 8'h68, 8'h61, 8'h66, 8'h73, 8'h74, 8'h7d, 8'h7a,
    8'h89, 8'h8e, 8'h87, 8'h80, 8'h95, 8'h92, 8'h9b, 8'h9c,
    8'hb1, 8'hb6, 8'hbf, 8'hb8, 8'had, 8'haa, 8'ha3, 8'ha4,
    8'hf9, 8'hfe, 8'hf7, 8'hf0, 8'he5, 8'he2, 8'heb, 8'hec,
    8'hc1, 8'hc6, 8'hcf, 8'hc8, 8'hdd, 8'hda, 8'hd3, 8'hd4,
    8'h69, 8'h6e, 8'h67, 8'h60, 8'h75, 8'h72, 8'h7b, 8'h7c,
    8'h51, 8'h56, 8'h5f, 8'h58, 8'h4d, 8'h4a, 8'h43, 8'h44,
    8'h19, 8'h1e, 8'h17, 8'h10, 8'h5, 8'h2, 8'hb, 8'hc,
    8'h21, 8'h26, 8'h2f, 8'h28, 8'h3d, 8'h3a, 8'h33, 8'h34,
    8'h4e, 8'h49, 8'h40, 8'h47, 8'h52, 8'h55, 8'h5c, 8'h5b,
    8'h76, 8'h71, 8'h78, 8'h7f, 8'h6a, 8'h6d, 8'h64, 8'h63,
    8'h3e, 8'h39, 8'h30, 8'h37, 8'h22, 8'h25, 8'h2c, 8'h2b,
    8'h6, 8'h1, 8'h8, 8'hf, 8'h1a, 8'h1d, 8'h14, 8'h13,
    8'hae, 8'ha9, 8'ha0, 8'ha7, 8'hb2, 8'hb5, 8'hbc, 8'hbb,
    8'h96, 8'h91, 8'h98, 8'h9f, 8'h8a, 8'h8d, 8'h84, 8'h83,
    8'hde, 8'hd9, 8'hd0, 8'hd7, 8'hc2, 8'hc5, 8'hcc, 8'hcb,
    8'he6, 8'he1, 8'he8, 8'hef, 8'hfa, 8'hfd, 8'hf4, 8'hf3};

  function automatic logic [31:0] crc32c_64(input logic [31:0] crc, input logic [63:0] data);
    crc32c_64 = Crc32cOfByte[{3'd0, data[7:0] ^ crc[7:0]}] ^
        Crc32cOfByte[{3'd1, data[15:8] ^ crc[15:8]}] ^
        Crc32cOfByte[{3'd2, data[23:16] ^ crc[23:16]}] ^
        Crc32cOfByte[{3'd3, data[31:24] ^ crc[31:24]}] ^
        Crc32cOfByte[{3'd4, data[39:32]}] ^
        Crc32cOfByte[{3'd5, data[47:40]}] ^
        Crc32cOfByte[{3'd6, data[55:48]}] ^
        Crc32cOfByte[{3'd7, data[63:56]}];
  endfunction

  function automatic logic [31:0] crc32c_32(input logic [31:0] crc, input logic [31:0] data);
    crc32c_32 = Crc32cOfByte[{3'd4, data[7:0] ^ crc[7:0]}] ^
        Crc32cOfByte[{3'd5, data[15:8] ^ crc[15:8]}] ^
        Crc32cOfByte[{3'd6, data[23:16] ^ crc[23:16]}] ^
        Crc32cOfByte[{3'd7, data[31:24] ^ crc[31:24]}];
  endfunction

  function automatic logic [15:0] crc16_64(input logic [15:0] crc, input logic [63:0] data);
    crc16_64 = Crc16OfByte[{3'd0, data[7:0] ^ crc[15:8]}] ^
        Crc16OfByte[{3'd1, data[15:8] ^ crc[7:0]}] ^
        Crc16OfByte[{3'd2, data[23:16]}] ^
        Crc16OfByte[{3'd3, data[31:24]}] ^
        Crc16OfByte[{3'd4, data[39:32]}] ^
        Crc16OfByte[{3'd5, data[47:40]}] ^
        Crc16OfByte[{3'd6, data[55:48]}] ^
        Crc16OfByte[{3'd7, data[63:56]}];
  endfunction

  function automatic logic [15:0] crc16_48(input logic [15:0] crc, input logic [47:0] data);
    crc16_48 = Crc16OfByte[{3'd2, data[7:0] ^ crc[15:8]}] ^
        Crc16OfByte[{3'd3, data[15:8] ^ crc[7:0]}] ^
        Crc16OfByte[{3'd4, data[23:16]}] ^
        Crc16OfByte[{3'd5, data[31:24]}] ^
        Crc16OfByte[{3'd6, data[39:32]}] ^
        Crc16OfByte[{3'd7, data[47:40]}];
  endfunction

  function automatic logic [15:0] crc16_32(input logic [15:0] crc, input logic [31:0] data);
    crc16_32 = Crc16OfByte[{3'd4, data[7:0] ^ crc[15:8]}] ^
        Crc16OfByte[{3'd5, data[15:8] ^ crc[7:0]}] ^
        Crc16OfByte[{3'd6, data[23:16]}] ^
        Crc16OfByte[{3'd7, data[31:24]}];
  endfunction

  function automatic logic [15:0] crc16_16(input logic [15:0] crc, input logic [15:0] data);
    crc16_16 = Crc16OfByte[{3'd6, data[7:0] ^ crc[15:8]}] ^
        Crc16OfByte[{3'd7, data[15:8] ^ crc[7:0]}];
  endfunction

  function automatic logic [7:0] crc8_24(input logic [7:0] crc, input logic [23:0] data);
    crc8_24 = Crc8OfByte[{2'd0, data[23:16] ^ crc[7:0]}] ^
        Crc8OfByte[{2'd1, data[15:8]}] ^
        Crc8OfByte[{2'd2, data[7:0]}];
  endfunction

`else
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

`endif
endpackage
/* verilator lint_on UNUSEDPARAM */

`default_nettype wire

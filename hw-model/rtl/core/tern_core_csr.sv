// SPDX-License-Identifier: Apache-2.0
// Control and status registers of machine mode, and the state that traps change.
//
// Reads are combinational. A write, a trap or an mret takes effect at the end of its cycle; the
// core requests at most one of the three. Interrupt inputs pass one flip-flop. mcycle and minstret
// have 64 bits and are 0 after reset. A write to either half of minstret replaces the increment of
// the writing instruction. The 29 other counters and their events exist and read 0.
`default_nettype none

module tern_core_csr (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] hart_id_i,

  // Look-up, one stage before the access and registered with `look_keep_i`: does the CSR exist, and
  // may it be written? The code of mret looks up mepc.
  input  logic        look_keep_i,
  input  logic [11:0] look_addr_i,
  input  logic        look_writes_i,
  output logic        illegal_o,

  // One access.
  input  logic [1:0]  op_i,
  input  logic [31:0] operand_i,
  input  logic        commit_i,     // do the write
  output logic [31:0] rdata_o,

  input  logic        trap_i,
  input  logic        trap_irq_i,
  input  logic [3:0]  trap_cause_i,
  input  logic [31:1] trap_pc_i,
  input  logic [31:0] trap_value_i,
  output logic [31:1] trap_target_o,  // depends on the cause in the same cycle
  output logic [31:1] trap_base_o,    // target of all exceptions
  input  logic        mret_i,

  input  logic        retire_i,
  input  logic        irq_timer_i,
  input  logic        irq_external_i,
  input  logic        irq_software_i,
  output logic        irq_o,         // an enabled interrupt is pending and may be taken
  output logic [3:0]  irq_cause_o,
  output logic        wake_o         // an enabled interrupt is pending, even if it may not be taken
`ifdef TERN_RVFI
  ,
  // For observers: minstret, mcycle, mip, mtval, mcause, mepc, mscratch, mtvec, mie, misa, mstatus.
  output logic [13*32-1:0] state_o
`endif
);
  localparam logic [11:0] Mstatus       = 12'h300;
  localparam logic [11:0] Misa          = 12'h301;
  localparam logic [11:0] MretCode      = 12'h302;  // not a CSR: bits 31..20 of mret
  localparam logic [11:0] Mie           = 12'h304;
  localparam logic [11:0] Mtvec         = 12'h305;
  localparam logic [11:0] Mstatush      = 12'h310;
  localparam logic [11:0] Mcountinhibit = 12'h320;
  localparam logic [11:0] Mscratch      = 12'h340;
  localparam logic [11:0] Mepc          = 12'h341;
  localparam logic [11:0] Mcause        = 12'h342;
  localparam logic [11:0] Mtval         = 12'h343;
  localparam logic [11:0] Mip           = 12'h344;
  localparam logic [11:0] Mcycle        = 12'hb00;
  localparam logic [11:0] Minstret      = 12'hb02;
  localparam logic [11:0] Mcycleh       = 12'hb80;
  localparam logic [11:0] Minstreth     = 12'hb82;
  localparam logic [11:0] Mvendorid     = 12'hf11;
  localparam logic [11:0] Marchid       = 12'hf12;
  localparam logic [11:0] Mimpid        = 12'hf13;
  localparam logic [11:0] Mhartid       = 12'hf14;
  localparam logic [11:0] Mconfigptr    = 12'hf15;

  // Bits 11..5 of mhpmcounter3 to 31, of their upper halves, of mhpmevent3 to 31.
  localparam logic [6:0] Counters  = 7'b1011_000;
  localparam logic [6:0] Countersh = 7'b1011_100;
  localparam logic [6:0] Events    = 7'b0011_001;

  localparam logic [31:0] MisaValue = 32'h4000_1104;  // RV32, I, M, C

  logic        mie_q, mpie_q;                    // mstatus
  logic        msie_q, mtie_q, meie_q;           // mie
  logic        msip_q, mtip_q, meip_q;           // mip
  logic [31:2] tvec_base_q;
  logic        tvec_vectored_q;
  logic [31:1] epc_q;
  logic        cause_irq_q;
  logic [4:0]  cause_q;
  logic [31:0] tval_q, scratch_q;
  logic [63:0] cycle_q, instret_q;
  logic        instret_set_q;                    // the retiring instruction wrote minstret

  // --- look up ---
  logic known, counter;
  logic is_mstatus_q, is_mie_q, is_mtvec_q, is_mscratch_q, is_mepc_q, is_mcause_q, is_mtval_q;
  logic is_mcycle_q, is_mcycleh_q, is_minstret_q, is_minstreth_q;

  always_comb begin
    case (look_addr_i)
      Mstatus, Misa, Mie, Mtvec, Mstatush, Mcountinhibit, Mscratch, Mepc, Mcause, Mtval, Mip,
      Mcycle, Minstret, Mcycleh, Minstreth, Mvendorid, Marchid, Mimpid, Mhartid,
      Mconfigptr: known = 1'b1;
      default: known = counter;
    endcase
  end

  assign counter = (look_addr_i[11:5] == Counters || look_addr_i[11:5] == Countersh ||
                    look_addr_i[11:5] == Events) && look_addr_i[4:0] > 5'd2;

  assign illegal_o = !known || (look_writes_i && look_addr_i[11:10] == 2'b11);

`ifdef TERN_MODEL   // simulates faster: keeps the address and compares it at the access
  logic [11:0] look_q;

  always_ff @(posedge clk_i) if (look_keep_i) look_q <= look_addr_i;

  assign is_mstatus_q   = look_q == Mstatus;
  assign is_mie_q       = look_q == Mie;
  assign is_mtvec_q     = look_q == Mtvec;
  assign is_mscratch_q  = look_q == Mscratch;
  assign is_mcause_q    = look_q == Mcause;
  assign is_mtval_q     = look_q == Mtval;
  assign is_mepc_q      = look_q == Mepc || look_q == MretCode;
  assign is_mcycle_q    = look_q == Mcycle;
  assign is_mcycleh_q   = look_q == Mcycleh;
  assign is_minstret_q  = look_q == Minstret;
  assign is_minstreth_q = look_q == Minstreth;

  always_comb begin
    case (look_q)
      Mstatus:        rdata_o = {19'b0, 2'b11, 3'b0, mpie_q, 3'b0, mie_q, 3'b0};
      Misa:           rdata_o = MisaValue;
      Mie:            rdata_o = {20'b0, meie_q, 3'b0, mtie_q, 3'b0, msie_q, 3'b0};
      Mtvec:          rdata_o = {tvec_base_q, 1'b0, tvec_vectored_q};
      Mscratch:       rdata_o = scratch_q;
      Mepc, MretCode: rdata_o = {epc_q, 1'b0};
      Mcause:         rdata_o = {cause_irq_q, 26'b0, cause_q};
      Mtval:          rdata_o = tval_q;
      Mip:            rdata_o = {20'b0, meip_q, 3'b0, mtip_q, 3'b0, msip_q, 3'b0};
      Mcycle:         rdata_o = cycle_q[31:0];
      Mcycleh:        rdata_o = cycle_q[63:32];
      Minstret:       rdata_o = instret_q[31:0];
      Minstreth:      rdata_o = instret_q[63:32];
      Mhartid:        rdata_o = hart_id_i;
      default:        rdata_o = '0;
    endcase
  end
`else
  logic is_misa_q, is_mip_q, is_mhartid_q;

  always_ff @(posedge clk_i) begin : look_up
    if (look_keep_i) begin
      is_mstatus_q    <= look_addr_i == Mstatus;
      is_misa_q       <= look_addr_i == Misa;
      is_mie_q        <= look_addr_i == Mie;
      is_mtvec_q      <= look_addr_i == Mtvec;
      is_mscratch_q   <= look_addr_i == Mscratch;
      is_mcause_q     <= look_addr_i == Mcause;
      is_mtval_q      <= look_addr_i == Mtval;
      is_mip_q        <= look_addr_i == Mip;
      is_mcycle_q     <= look_addr_i == Mcycle;
      is_mcycleh_q    <= look_addr_i == Mcycleh;
      is_minstret_q   <= look_addr_i == Minstret;
      is_minstreth_q  <= look_addr_i == Minstreth;
      is_mhartid_q    <= look_addr_i == Mhartid;
      is_mepc_q       <= look_addr_i == Mepc || look_addr_i == MretCode;
    end
  end

  // --- read ---
  assign rdata_o =
      ({19'b0, 2'b11, 3'b0, mpie_q, 3'b0, mie_q, 3'b0} & {32{is_mstatus_q}}) |
      (MisaValue & {32{is_misa_q}}) |
      ({20'b0, meie_q, 3'b0, mtie_q, 3'b0, msie_q, 3'b0} & {32{is_mie_q}}) |
      ({tvec_base_q, 1'b0, tvec_vectored_q} & {32{is_mtvec_q}}) |
      (scratch_q & {32{is_mscratch_q}}) |
      ({epc_q, 1'b0} & {32{is_mepc_q}}) |
      ({cause_irq_q, 26'b0, cause_q} & {32{is_mcause_q}}) |
      (tval_q & {32{is_mtval_q}}) |
      ({20'b0, meip_q, 3'b0, mtip_q, 3'b0, msip_q, 3'b0} & {32{is_mip_q}}) |
      (cycle_q[31:0] & {32{is_mcycle_q}}) | (cycle_q[63:32] & {32{is_mcycleh_q}}) |
      (instret_q[31:0] & {32{is_minstret_q}}) | (instret_q[63:32] & {32{is_minstreth_q}}) |
      (hart_id_i & {32{is_mhartid_q}});
`endif

  // --- write ---
  logic [31:0] wdata;

  always_comb begin
    case (op_i)
      tern_core_pkg::CsrSet:   wdata = rdata_o | operand_i;
      tern_core_pkg::CsrClear: wdata = rdata_o & ~operand_i;
      default:                 wdata = operand_i;
    endcase
  end

  always_ff @(posedge clk_i) begin : status
    if (!rst_ni) begin
      mie_q  <= 1'b0;
      mpie_q <= 1'b0;
    end else if (trap_i) begin
      mie_q  <= 1'b0;
      mpie_q <= mie_q;
    end else if (mret_i) begin
      mie_q  <= mpie_q;
      mpie_q <= 1'b1;
    end else if (commit_i && is_mstatus_q) begin
      mie_q  <= wdata[3];
      mpie_q <= wdata[7];
    end
  end

  always_ff @(posedge clk_i) begin : control
    if (!rst_ni) begin
      msie_q          <= 1'b0;
      mtie_q          <= 1'b0;
      meie_q          <= 1'b0;
      tvec_base_q     <= '0;
      tvec_vectored_q <= 1'b0;
    end else if (commit_i) begin
      if (is_mie_q) begin
        msie_q <= wdata[3];
        mtie_q <= wdata[7];
        meie_q <= wdata[11];
      end
      if (is_mtvec_q) begin
        tvec_base_q     <= wdata[31:2];
        tvec_vectored_q <= wdata[0];
      end
    end
  end

  always_ff @(posedge clk_i) begin : trap_record
    if (trap_i) begin
      epc_q       <= trap_pc_i;
      cause_irq_q <= trap_irq_i;
      cause_q     <= {1'b0, trap_cause_i};
      tval_q      <= trap_value_i;
    end else if (commit_i) begin
      if (is_mepc_q) epc_q <= wdata[31:1];
      if (is_mcause_q) {cause_irq_q, cause_q} <= {wdata[31], wdata[4:0]};
      if (is_mtval_q) tval_q <= wdata;
    end
    if (commit_i && is_mscratch_q) scratch_q <= wdata;
  end

  // --- counters ---
  // A CSR instruction retires in the cycle after the one in which it writes.
  logic [63:0] cycle_d, instret_d;

  assign cycle_d   = cycle_q + 64'd1;
  assign instret_d = instret_q + 64'(retire_i && !instret_set_q);

  always_ff @(posedge clk_i) begin : counters
    if (!rst_ni) begin
      cycle_q       <= '0;
      instret_q     <= '0;
      instret_set_q <= 1'b0;
    end else begin
      cycle_q[31:0]    <= commit_i && is_mcycle_q    ? wdata : cycle_d[31:0];
      cycle_q[63:32]   <= commit_i && is_mcycleh_q   ? wdata : cycle_d[63:32];
      instret_q[31:0]  <= commit_i && is_minstret_q  ? wdata : instret_d[31:0];
      instret_q[63:32] <= commit_i && is_minstreth_q ? wdata : instret_d[63:32];
      instret_set_q    <= commit_i && (is_minstret_q || is_minstreth_q);
    end
  end

  // --- interrupts ---
  logic take_external, take_software;

  always_ff @(posedge clk_i) begin
    meip_q <= rst_ni && irq_external_i;
    msip_q <= rst_ni && irq_software_i;
    mtip_q <= rst_ni && irq_timer_i;
  end

  assign take_external = meip_q && meie_q;
  assign take_software = msip_q && msie_q;
  assign wake_o        = take_external || take_software || (mtip_q && mtie_q);
  assign irq_o         = wake_o && mie_q;

  always_comb begin
    irq_cause_o = tern_core_pkg::CauseIrqTimer;
    if (take_software) irq_cause_o = tern_core_pkg::CauseIrqSoftware;
    if (take_external) irq_cause_o = tern_core_pkg::CauseIrqExternal;
  end

`ifdef TERN_RVFI
  assign state_o = {instret_q, cycle_q,
                    {20'b0, meip_q, 3'b0, mtip_q, 3'b0, msip_q, 3'b0}, tval_q,
                    {cause_irq_q, 26'b0, cause_q}, {epc_q, 1'b0}, scratch_q,
                    {tvec_base_q, 1'b0, tvec_vectored_q},
                    {20'b0, meie_q, 3'b0, mtie_q, 3'b0, msie_q, 3'b0}, MisaValue,
                    {19'b0, 2'b11, 3'b0, mpie_q, 3'b0, mie_q, 3'b0}};
`endif

  logic [31:2] target;
  assign target = tvec_base_q + (trap_irq_i && tvec_vectored_q ? 30'(trap_cause_i) : 30'd0);
  assign trap_target_o = {target, 1'b0};
  assign trap_base_o   = {tvec_base_q, 1'b0};

endmodule

// SPDX-License-Identifier: Apache-2.0
// The CSRs after the instructions retired so far, and the expected value of a read.
//
// Uses only the RVFI stream. Outputs are the state just before the instruction that retires now, so
// they include the effect of an interrupt between it and the instruction before it. A register that
// reset leaves unknown has a value from its first write on. Fetch faults do not occur here.
`default_nettype none

module core_spec_csr (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [31:0]          hart_id_i,

  input  logic                 valid_i,
  input  logic                 trap_i,
  input  logic                 intr_i,
  input  core_spec_pkg::insn_t spec_i,
  input  logic [31:0]          insn_i,
  input  logic [31:0]          rs1_i,
  input  logic [31:0]          pc_i,
  input  logic [31:0]          next_i,
  input  logic                 cause_own_i,   // the instruction itself causes the trap
  input  logic [4:0]           cause_i,
  input  logic [31:0]          byte_addr_i,

  output logic                 legal_o,       // the CSR exists and allows this access
  output logic                 known_o,       // the value below is known ...
  output logic [31:0]          care_o,        // ... in these bits
  output logic [31:0]          value_o,
  output logic                 mepc_known_o,
  output logic [31:0]          mepc_o,
  output logic [31:0]          base_o,
  output logic                 interrupt_o,   // one came just before this instruction
  output logic                 allowed_o,     // and it was enabled
  output logic                 vectored_o
);
  logic        mie_q, mpie_q, vectored_q;
  logic [2:0]  enable_q;                      // external, timer, software
  logic [31:2] base_q;
  logic        scratch_known_q, epc_known_q, cause_known_q, tval_known_q, cause_irq_q;
  logic [31:0] scratch_q, tval_q, epc_q, cause_q;
  logic [63:0] instret_q;
  logic        trapped_q;
  logic [31:0] next_q;

  assign interrupt_o = intr_i && !trapped_q;
  assign allowed_o   = mie_q && enable_q != '0;
  assign vectored_o  = vectored_q;
  assign base_o      = {base_q, 2'b00};

  // --- after an interrupt, before the instruction ---
  logic        mie, mpie, epc_known, cause_known, cause_irq, tval_known;
  logic [31:0] epc, cause, tval;

  assign mie         = interrupt_o ? 1'b0 : mie_q;
  assign mpie        = interrupt_o ? mie_q : mpie_q;
  assign epc_known   = interrupt_o || epc_known_q;
  assign epc         = interrupt_o ? next_q : epc_q;
  assign cause_known = interrupt_o || cause_known_q;
  assign cause_irq   = interrupt_o || cause_irq_q;
  assign cause       = interrupt_o ? 32'h8000_0000 : cause_q;
  assign tval_known  = interrupt_o || tval_known_q;
  assign tval        = interrupt_o ? 32'd0 : tval_q;
  assign mepc_known_o = epc_known;
  assign mepc_o       = epc;

  // --- reading ---
  logic exists, writes, unused_counter;

  // mhpmevent3 to 31, mhpmcounter3 to 31 and their upper halves.
  assign unused_counter = (insn_i[31:20] >= 12'h323 && insn_i[31:20] <= 12'h33f) ||
                          (insn_i[31:20] >= 12'hb03 && insn_i[31:20] <= 12'hb1f) ||
                          (insn_i[31:20] >= 12'hb83 && insn_i[31:20] <= 12'hb9f);

  assign writes  = spec_i.f3[1:0] == 2'd1 || insn_i[19:15] != 5'd0;
  assign legal_o = exists && !(writes && insn_i[31:30] == 2'b11);

  always_comb begin
    exists  = 1'b1;
    known_o = 1'b1;
    care_o  = '1;
    value_o = 32'd0;
    case (insn_i[31:20])
      12'h300: value_o = {19'd0, 2'b11, 3'd0, mpie, 3'd0, mie, 3'd0};
      12'h301: value_o = 32'h40001104;
      12'h304: value_o = {20'd0, enable_q[2], 3'd0, enable_q[1], 3'd0, enable_q[0], 3'd0};
      12'h305: value_o = {base_q, 1'b0, vectored_q};
      12'h310, 12'h320, 12'hf11, 12'hf12, 12'hf13, 12'hf15: ;
      12'h340: begin
        known_o = scratch_known_q;
        value_o = scratch_q;
      end
      12'h341: begin
        known_o = epc_known;
        value_o = epc;
      end
      12'h342: begin  // the interrupt lines decide which interrupt it was
        known_o = cause_known;
        value_o = cause;
        if (cause_irq) care_o = 32'hffff_fff0;
      end
      12'h343: begin
        known_o = tval_known;
        value_o = tval;
      end
      12'h344: care_o = 32'hffff_f777;
      12'hb00, 12'hb80: care_o = '0;
      12'hb02: value_o = instret_q[31:0];
      12'hb82: value_o = instret_q[63:32];
      12'hf14: value_o = hart_id_i;
      default: exists = unused_counter;
    endcase
  end

  // --- values that the instruction writes
  logic        write;
  logic [31:0] operand, wdata, seen;

  assign write   = valid_i && !trap_i && spec_i.kind == core_spec_pkg::Csr && writes;
  assign operand = spec_i.b_imm ? spec_i.imm : rs1_i;
  assign seen    = value_o;

  always_comb begin
    case (spec_i.f3[1:0])
      2'd2:    wdata = seen | operand;
      2'd3:    wdata = seen & ~operand;
      default: wdata = operand;
    endcase
  end

  // Set and clear of an unknown register leave it unknown; so does mcause after an interrupt.
  logic now_known;
  assign now_known = spec_i.f3[1:0] == 2'd1 || (known_o && care_o == '1);

  function automatic logic hits(input logic [11:0] address);
    hits = write && insn_i[31:20] == address;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mie_q        <= 1'b0;
      mpie_q       <= 1'b0;
      enable_q     <= '0;
      base_q       <= '0;
      vectored_q   <= 1'b0;
    end else if (valid_i) begin
      mie_q  <= mie;
      mpie_q <= mpie;
      if (trap_i) begin
        mie_q  <= 1'b0;
        mpie_q <= mie;
      end else if (spec_i.kind == core_spec_pkg::Mret) begin
        mie_q  <= mpie;
        mpie_q <= 1'b1;
      end
      if (hits(12'h300)) {mpie_q, mie_q} <= {wdata[7], wdata[3]};
      if (hits(12'h304)) enable_q <= {wdata[11], wdata[7], wdata[3]};
      if (hits(12'h305)) {base_q, vectored_q} <= {wdata[31:2], wdata[0]};
    end
  end

  // --- values after a trap --
  logic [31:0] trap_tval;
  logic [4:0]  trap_cause;

  always_comb begin
    trap_cause = cause_i;
    trap_tval  = byte_addr_i;                 // of a misaligned or refused access
    if (!cause_own_i) begin
      trap_cause = 5'd2;
      if (spec_i.kind == core_spec_pkg::Load) trap_cause = 5'd5;
      if (spec_i.kind == core_spec_pkg::Store) trap_cause = 5'd7;
    end
    case (spec_i.kind)
      core_spec_pkg::Illegal, core_spec_pkg::Csr: trap_tval = insn_i;
      core_spec_pkg::Ecall:  trap_tval = 32'd0;
      core_spec_pkg::Ebreak: trap_tval = pc_i;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      scratch_known_q <= 1'b0;
      epc_known_q     <= 1'b0;
      cause_known_q   <= 1'b0;
      tval_known_q    <= 1'b0;
    end else if (valid_i) begin
      epc_known_q   <= epc_known;
      cause_known_q <= cause_known;
      cause_irq_q   <= cause_irq;
      tval_known_q  <= tval_known;
      epc_q         <= epc;
      cause_q       <= cause;
      tval_q        <= tval;
      if (trap_i) begin
        {epc_known_q, cause_known_q, tval_known_q} <= 3'b111;
        cause_irq_q <= 1'b0;
        epc_q       <= pc_i;
        cause_q     <= {27'd0, trap_cause};
        tval_q      <= trap_tval;
      end
      if (hits(12'h340)) {scratch_known_q, scratch_q} <= {now_known, wdata};
      if (hits(12'h341)) {epc_known_q, epc_q} <= {now_known, wdata[31:1], 1'b0};
      if (hits(12'h342)) begin
        {cause_known_q, cause_irq_q} <= {now_known, 1'b0};
        cause_q <= {wdata[31], 26'd0, wdata[4:0]};
      end
      if (hits(12'h343)) {tval_known_q, tval_q} <= {now_known, wdata};
    end
  end

  // --- instructions retired ---
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      instret_q <= '0;
      trapped_q <= 1'b0;
    end else if (valid_i) begin
      trapped_q <= trap_i;
      next_q    <= next_i;
      instret_q <= instret_q + 64'(!trap_i);
      // The write replaces the count of this instruction.
      if (hits(12'hb02)) instret_q <= {instret_q[63:32], wdata};
      if (hits(12'hb82)) instret_q <= {wdata, instret_q[31:0]};
    end
  end

endmodule

`default_nettype wire

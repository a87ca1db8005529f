// SPDX-License-Identifier: Apache-2.0
// Each retired instruction by itself: its reported reads, writes, accesses and next address.
`default_nettype none

module core_check_insn #(
  parameter int unsigned Check = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] hart_id_i,
  input logic [4:0]  bit_i,        // constant: one bit of results, any of them, is compared
  input logic [4:0]  first_i,      // constant: the registers watched in CheckMulDiv
  input logic [4:0]  second_i,
  input logic        rvfi_valid,
  input logic [31:0] rvfi_insn,
  input logic        rvfi_trap,
  input logic        rvfi_intr,
  input logic [4:0]  rvfi_rs1_addr,
  input logic [4:0]  rvfi_rs2_addr,
  input logic [31:0] rvfi_rs1_rdata,
  input logic [31:0] rvfi_rs2_rdata,
  input logic [4:0]  rvfi_rd_addr,
  input logic [31:0] rvfi_rd_wdata,
  input logic [31:0] rvfi_pc_rdata,
  input logic [31:0] rvfi_pc_wdata,
  input logic [31:0] rvfi_mem_addr,
  input logic [3:0]  rvfi_mem_rmask,
  input logic [3:0]  rvfi_mem_wmask,
  input logic [31:0] rvfi_mem_rdata,
  input logic [31:0] rvfi_mem_wdata
);
  logic                 half;
  core_spec_pkg::insn_t spec, spec_word, spec_half;

  assign half = rvfi_insn[1:0] != 2'b11;
  core_spec_word u_word (.insn_i(rvfi_insn), .spec_o(spec_word));
  core_spec_half u_half (.insn_i(rvfi_insn[15:0]), .spec_o(spec_half));
  assign spec = half ? spec_half : spec_word;

  logic        trap;
  logic [4:0]  cause;
  logic [31:0] rd, next, byte_addr, addr, store;
  logic [3:0]  lanes;

  core_spec_exec u_exec (
    .spec_i(spec), .half_i(half), .pc_i(rvfi_pc_rdata), .a_i(rvfi_rs1_rdata),
    .b_i(rvfi_rs2_rdata), .rdata_i(rvfi_mem_rdata), .trap_o(trap), .cause_o(cause), .rd_o(rd),
    .next_o(next), .byte_addr_o(byte_addr), .addr_o(addr), .lanes_o(lanes), .store_o(store)
  );

  logic        legal, known, mepc_known, interrupt, allowed, vectored;
  logic [31:0] care, value, mepc, base, offset;

  core_spec_csr u_csr (
    .clk_i, .rst_ni, .hart_id_i,
    .valid_i(rvfi_valid), .trap_i(rvfi_trap), .intr_i(rvfi_intr), .spec_i(spec),
    .insn_i(rvfi_insn), .rs1_i(rvfi_rs1_rdata), .pc_i(rvfi_pc_rdata), .next_i(rvfi_pc_wdata),
    .cause_own_i(trap), .cause_i(cause), .byte_addr_i(byte_addr),
    .legal_o(legal), .known_o(known), .care_o(care), .value_o(value),
    .mepc_known_o(mepc_known), .mepc_o(mepc), .base_o(base),
    .interrupt_o(interrupt), .allowed_o(allowed), .vectored_o(vectored)
  );

  assign offset     = rvfi_pc_rdata - base;

  function automatic logic is(input logic [3:0] kind);
    is = rvfi_valid && !rvfi_trap && spec.kind == kind;
  endfunction

  logic is_load, is_store, is_compute, is_jump, is_csr, is_straight;
  assign is_load     = is(core_spec_pkg::Load);
  assign is_store    = is(core_spec_pkg::Store);
  assign is_csr      = is(core_spec_pkg::Csr);
  assign is_compute  = is(core_spec_pkg::Alu) || is(core_spec_pkg::Lui) || is(core_spec_pkg::Auipc);
  assign is_jump     = is(core_spec_pkg::Jal) || is(core_spec_pkg::Jalr) ||
                       is(core_spec_pkg::Branch);
  assign is_straight = rvfi_valid && !rvfi_trap && !is_jump && !is(core_spec_pkg::Mret);

  if (Check == core_spec_pkg::CheckDecode) begin : g_decode
    always_comb begin
      if (rvfi_valid && !rvfi_trap) begin
        ReadsFirst:  assert (rvfi_rs1_addr == spec.rs1);
        ReadsSecond: assert (rvfi_rs2_addr == spec.rs2);
        Writes:      assert (rvfi_rd_addr == spec.rd);
      end
      if (rvfi_valid && rvfi_trap) TrapWritesNothing: assert (rvfi_rd_addr == 5'd0);
      if (rvfi_valid && rvfi_rd_addr == 5'd0) ZeroStaysZero: assert (rvfi_rd_wdata == 32'd0);
      if (is_straight) GoesOn: assert (rvfi_pc_wdata[bit_i] == next[bit_i]);
      if (half && rvfi_valid) HalfIsHalf: assert (rvfi_insn[31:16] == 16'd0);
    end
  end

  if (Check == core_spec_pkg::CheckTrap) begin : g_trap
    always_comb begin
      if (rvfi_valid) begin
        TrapsWhenItMust:
          assert (rvfi_trap == (trap || (spec.kind == core_spec_pkg::Csr && !legal)));
        if (rvfi_trap) begin
          ToTheHandler:   assert (rvfi_pc_wdata[bit_i] == base[bit_i]);
          AccessesNothing: assert (rvfi_mem_rmask == 4'd0 && rvfi_mem_wmask == 4'd0);
        end
      end
    end
  end

  if (Check == core_spec_pkg::CheckCompute) begin : g_compute
    always_comb if (is_compute) Computes: assert (rvfi_rd_wdata[bit_i] == rd[bit_i]);
  end

  if (Check == core_spec_pkg::CheckMulDiv) begin : g_muldiv
    // The proof knows an operand across cycles only if it watches that register.
    always_comb if (is(core_spec_pkg::MulDiv) && rvfi_rs1_addr == first_i &&
                    rvfi_rs2_addr == second_i)
      PassesThrough: assert (rvfi_rd_wdata[bit_i] == rd[bit_i]);
  end

  if (Check == core_spec_pkg::CheckJump) begin : g_jump
    always_comb begin
      if (is_jump) begin
        Target: assert (rvfi_pc_wdata[bit_i] == next[bit_i]);
        Link:   assert (rvfi_rd_addr == 5'd0 || rvfi_rd_wdata[bit_i] == rd[bit_i]);
      end
    end
  end

  if (Check == core_spec_pkg::CheckMemory) begin : g_memory
    always_comb begin
      if (rvfi_valid && !rvfi_trap) begin
        LoadLanes:  assert (rvfi_mem_rmask == (is_load ? lanes : 4'd0));
        StoreLanes: assert (rvfi_mem_wmask == (is_store ? lanes : 4'd0));
      end
      if (is_load || is_store) Address: assert (rvfi_mem_addr[bit_i] == addr[bit_i]);
      if (is_store) Stored: assert (!lanes[bit_i[4:3]] || rvfi_mem_wdata[bit_i] == store[bit_i]);
      if (is_load) Loaded: assert (rvfi_rd_wdata[bit_i] == rd[bit_i]);
    end
  end

  if (Check == core_spec_pkg::CheckCsr) begin : g_csr
    always_comb begin
      if (is_csr && known && rvfi_rd_addr != 5'd0)
        ReadsWhatIsThere: assert (!care[bit_i] || rvfi_rd_wdata[bit_i] == value[bit_i]);
      if (is(core_spec_pkg::Mret) && mepc_known)
        Returns: assert (rvfi_pc_wdata[bit_i] == mepc[bit_i]);
    end
  end

  if (Check == core_spec_pkg::CheckIntr) begin : g_intr
    always_comb begin
      if (rvfi_valid && interrupt) begin
        InterruptEnabled: assert (allowed);
        InterruptTarget:  assert (offset == 32'd0 || (vectored &&
                                  (offset == 32'd12 || offset == 32'd28 || offset == 32'd44)));
      end
    end
  end

endmodule

`default_nettype wire

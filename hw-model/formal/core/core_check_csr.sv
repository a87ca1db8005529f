// SPDX-License-Identifier: Apache-2.0
// The RVFI ports of CSRs: an instruction reads and writes only the CSRs that it names. The values
// agree with its destination, and with the next reader.
`default_nettype none

module core_check_csr (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  bit_i,        // constant: one bit of values, any of them, is compared
  input logic        rvfi_valid,
  input logic        rvfi_trap,
  input logic [31:0] rvfi_insn,
  input logic [4:0]  rvfi_rd_addr,
  input logic [31:0] rvfi_rd_wdata,
  input logic [31:0] rvfi_csr_mstatus_rmask,
  input logic [31:0] rvfi_csr_mstatus_wmask,
  input logic [31:0] rvfi_csr_mstatus_rdata,
  input logic [31:0] rvfi_csr_mstatus_wdata,
  input logic [31:0] rvfi_csr_misa_rmask,
  input logic [31:0] rvfi_csr_misa_wmask,
  input logic [31:0] rvfi_csr_misa_rdata,
  input logic [31:0] rvfi_csr_misa_wdata,
  input logic [31:0] rvfi_csr_mie_rmask,
  input logic [31:0] rvfi_csr_mie_wmask,
  input logic [31:0] rvfi_csr_mie_rdata,
  input logic [31:0] rvfi_csr_mie_wdata,
  input logic [31:0] rvfi_csr_mtvec_rmask,
  input logic [31:0] rvfi_csr_mtvec_wmask,
  input logic [31:0] rvfi_csr_mtvec_rdata,
  input logic [31:0] rvfi_csr_mtvec_wdata,
  input logic [31:0] rvfi_csr_mscratch_rmask,
  input logic [31:0] rvfi_csr_mscratch_wmask,
  input logic [31:0] rvfi_csr_mscratch_rdata,
  input logic [31:0] rvfi_csr_mscratch_wdata,
  input logic [31:0] rvfi_csr_mepc_rmask,
  input logic [31:0] rvfi_csr_mepc_wmask,
  input logic [31:0] rvfi_csr_mepc_rdata,
  input logic [31:0] rvfi_csr_mepc_wdata,
  input logic [31:0] rvfi_csr_mcause_rmask,
  input logic [31:0] rvfi_csr_mcause_wmask,
  input logic [31:0] rvfi_csr_mcause_rdata,
  input logic [31:0] rvfi_csr_mcause_wdata,
  input logic [31:0] rvfi_csr_mtval_rmask,
  input logic [31:0] rvfi_csr_mtval_wmask,
  input logic [31:0] rvfi_csr_mtval_rdata,
  input logic [31:0] rvfi_csr_mtval_wdata,
  input logic [31:0] rvfi_csr_mip_rmask,
  input logic [31:0] rvfi_csr_mip_wmask,
  input logic [31:0] rvfi_csr_mip_rdata,
  input logic [31:0] rvfi_csr_mip_wdata,
  input logic [63:0] rvfi_csr_mcycle_rmask,
  input logic [63:0] rvfi_csr_mcycle_wmask,
  input logic [63:0] rvfi_csr_mcycle_rdata,
  input logic [63:0] rvfi_csr_mcycle_wdata,
  input logic [63:0] rvfi_csr_minstret_rmask,
  input logic [63:0] rvfi_csr_minstret_wmask,
  input logic [63:0] rvfi_csr_minstret_rdata,
  input logic [63:0] rvfi_csr_minstret_wdata
);
  logic        is_csr, reads, writes, has_port;
  logic [31:0] rmask, wmask, rdata, wdata;

  assign is_csr = rvfi_valid && !rvfi_trap && rvfi_insn[6:0] == 7'h73 && rvfi_insn[13:12] != 2'd0;
  assign reads  = is_csr && rvfi_rd_addr != 5'd0;
  assign writes = is_csr && (rvfi_insn[13:12] == 2'd1 || rvfi_insn[19:15] != 5'd0);

  always_comb begin
    has_port = 1'b1;
    rmask    = '0;
    wmask    = '0;
    rdata    = '0;
    wdata    = '0;
    case (rvfi_insn[31:20])
      12'h300: begin
        rmask = rvfi_csr_mstatus_rmask;
        wmask = rvfi_csr_mstatus_wmask;
        rdata = rvfi_csr_mstatus_rdata;
        wdata = rvfi_csr_mstatus_wdata;
      end
      12'h301: begin
        rmask = rvfi_csr_misa_rmask;
        wmask = rvfi_csr_misa_wmask;
        rdata = rvfi_csr_misa_rdata;
        wdata = rvfi_csr_misa_wdata;
      end
      12'h304: begin
        rmask = rvfi_csr_mie_rmask;
        wmask = rvfi_csr_mie_wmask;
        rdata = rvfi_csr_mie_rdata;
        wdata = rvfi_csr_mie_wdata;
      end
      12'h305: begin
        rmask = rvfi_csr_mtvec_rmask;
        wmask = rvfi_csr_mtvec_wmask;
        rdata = rvfi_csr_mtvec_rdata;
        wdata = rvfi_csr_mtvec_wdata;
      end
      12'h340: begin
        rmask = rvfi_csr_mscratch_rmask;
        wmask = rvfi_csr_mscratch_wmask;
        rdata = rvfi_csr_mscratch_rdata;
        wdata = rvfi_csr_mscratch_wdata;
      end
      12'h341: begin
        rmask = rvfi_csr_mepc_rmask;
        wmask = rvfi_csr_mepc_wmask;
        rdata = rvfi_csr_mepc_rdata;
        wdata = rvfi_csr_mepc_wdata;
      end
      12'h342: begin
        rmask = rvfi_csr_mcause_rmask;
        wmask = rvfi_csr_mcause_wmask;
        rdata = rvfi_csr_mcause_rdata;
        wdata = rvfi_csr_mcause_wdata;
      end
      12'h343: begin
        rmask = rvfi_csr_mtval_rmask;
        wmask = rvfi_csr_mtval_wmask;
        rdata = rvfi_csr_mtval_rdata;
        wdata = rvfi_csr_mtval_wdata;
      end
      12'h344: begin
        rmask = rvfi_csr_mip_rmask;
        wmask = rvfi_csr_mip_wmask;
        rdata = rvfi_csr_mip_rdata;
        wdata = rvfi_csr_mip_wdata;
      end
      12'hb00: begin
        rmask = rvfi_csr_mcycle_rmask[31:0];
        wmask = rvfi_csr_mcycle_wmask[31:0];
        rdata = rvfi_csr_mcycle_rdata[31:0];
        wdata = rvfi_csr_mcycle_wdata[31:0];
      end
      12'hb80: begin
        rmask = rvfi_csr_mcycle_rmask[63:32];
        wmask = rvfi_csr_mcycle_wmask[63:32];
        rdata = rvfi_csr_mcycle_rdata[63:32];
        wdata = rvfi_csr_mcycle_wdata[63:32];
      end
      12'hb02: begin
        rmask = rvfi_csr_minstret_rmask[31:0];
        wmask = rvfi_csr_minstret_wmask[31:0];
        rdata = rvfi_csr_minstret_rdata[31:0];
        wdata = rvfi_csr_minstret_wdata[31:0];
      end
      12'hb82: begin
        rmask = rvfi_csr_minstret_rmask[63:32];
        wmask = rvfi_csr_minstret_wmask[63:32];
        rdata = rvfi_csr_minstret_rdata[63:32];
        wdata = rvfi_csr_minstret_wdata[63:32];
      end
      default: has_port = 1'b0;
    endcase
  end

  // Number of ports, halves counted separately, that report a read or write.
  logic [5:0] read_count, write_count;
  assign read_count =
    6'(rvfi_csr_mstatus_rmask[31]) +
    6'(rvfi_csr_misa_rmask[31]) +
    6'(rvfi_csr_mie_rmask[31]) +
    6'(rvfi_csr_mtvec_rmask[31]) +
    6'(rvfi_csr_mscratch_rmask[31]) +
    6'(rvfi_csr_mepc_rmask[31]) +
    6'(rvfi_csr_mcause_rmask[31]) +
    6'(rvfi_csr_mtval_rmask[31]) +
    6'(rvfi_csr_mip_rmask[31]) +
    6'(rvfi_csr_mcycle_rmask[31]) +
    6'(rvfi_csr_mcycle_rmask[63]) +
    6'(rvfi_csr_minstret_rmask[31]) +
    6'(rvfi_csr_minstret_rmask[63]);
  assign write_count =
    6'(rvfi_csr_mstatus_wmask[31]) +
    6'(rvfi_csr_misa_wmask[31]) +
    6'(rvfi_csr_mie_wmask[31]) +
    6'(rvfi_csr_mtvec_wmask[31]) +
    6'(rvfi_csr_mscratch_wmask[31]) +
    6'(rvfi_csr_mepc_wmask[31]) +
    6'(rvfi_csr_mcause_wmask[31]) +
    6'(rvfi_csr_mtval_wmask[31]) +
    6'(rvfi_csr_mip_wmask[31]) +
    6'(rvfi_csr_mcycle_wmask[31]) +
    6'(rvfi_csr_mcycle_wmask[63]) +
    6'(rvfi_csr_minstret_wmask[31]) +
    6'(rvfi_csr_minstret_wmask[63]);

  // The next reader of mscratch finds the last value written to it.
  logic        held_known_q;
  logic [31:0] held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_known_q <= 1'b0;
    else if (writes && rvfi_insn[31:20] == 12'h340) begin
      held_known_q <= 1'b1;
      held_q       <= rvfi_csr_mscratch_wdata;
    end
  end

  always_comb begin
    ReadMask:  assert (rmask[bit_i] == (reads && has_port));
    WriteMask: assert (wmask[bit_i] == (writes && has_port));
    OneRead:   assert (read_count == 6'(reads && has_port));
    OneWrite:  assert (write_count == 6'(writes && has_port));
    if (reads && has_port) ReadsPort: assert (rdata[bit_i] == rvfi_rd_wdata[bit_i]);
    if (reads && rvfi_insn[31:20] == 12'h340 && held_known_q)
      Keeps: assert (held_q[bit_i] == rvfi_rd_wdata[bit_i]);
    if (writes && rvfi_insn[13:12] == 2'd2 && reads && rvfi_insn[31:20] == 12'h340)
      SetsOnly: assert (wdata[bit_i] || !rdata[bit_i]);
  end

endmodule

`default_nettype wire

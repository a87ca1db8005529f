// SPDX-License-Identifier: Apache-2.0
// Bench of the core alone: 1 MiB of RAM at 0x80000000, a console, interrupt lines, stalls.
//
// Drives itself.  Plusargs:
//   +hex=FILE       memory contents ($readmemh, word addresses from 0 = 0x80000000)
//   +tohost=ADDR    a non-zero store here ends the run: 1 passes, anything else is printed
//   +sig=FILE +b=ADDR +e=ADDR   at the end writes the words [b, e), one in a line
//   +max-cycles=N   gives up (default 20 million)
//   +stall=P        withholds each grant and each answer with probability P/16
//   +seed=N         seed of those stalls
//   +trace=FILE     a line for each retired instruction and each store
//   +insns=FILE     the code of each instruction retired, in hexadecimal (only with TERN_RVFI)
//   +flow=FILE      a line for each cycle: the pc of the instruction it retires, or why it retires
//                   none, as one digit (tern_core_lost; only with TERN_RVFI)
// Exit status: 0 passed, 1 failed, 2 TIMEOUT, 3 unusable arguments.  Numbers are hexadecimal
// but for max-cycles, stall and seed.
//
// Besides the RAM, data accesses reach these words; everything else answers with an error:
//   0x10000000  write: a character to the console    read: how many reads came before
//   0x10000004  write: interrupt lines, bit 0 timer, 1 software, 2 external
//   0x10000008  write: the value that the lines take ...
//   0x1000000c  write: ... so many cycles later
// With TERN_RVFI every retired instruction is checked against a shadow of the registers and
// of the program counter.
`default_nettype none

// The bench uses only parts of the core's outputs and of the arguments.
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off PINCONNECTEMPTY
module tern_core_bench;
  import "DPI-C" function void tern_bench_exit(input int status);

  localparam logic [31:0] RamBase  = 32'h8000_0000;
  localparam int unsigned RamWords = 262144;
  localparam logic [27:0] MmioPage = 28'h100_0000;

  // ---------------------------------------------------------------- arguments
  logic [31:0] ram [0:RamWords-1];
  logic [31:0] tohost, sig_begin, sig_end;
  int          max_cycles, stall, seed, trace;
  string       hex_file, sig_file, trace_file;

  task automatic bad_usage(input string what);
    $display("bench: %s", what);
    tern_bench_exit(3);
  endtask

  initial begin
    for (int i = 0; i < RamWords; i++) ram[i] = '0;
    if (!$value$plusargs("hex=%s", hex_file)) bad_usage("+hex= missing");
    if (!$value$plusargs("tohost=%h", tohost)) bad_usage("+tohost= missing");
    if (!$value$plusargs("max-cycles=%d", max_cycles)) max_cycles = 20_000_000;
    if (!$value$plusargs("stall=%d", stall)) stall = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("sig=%s", sig_file)) sig_file = "";
    if (!$value$plusargs("b=%h", sig_begin)) sig_begin = RamBase;
    if (!$value$plusargs("e=%h", sig_end)) sig_end = RamBase;
    trace = 0;
    if ($value$plusargs("trace=%s", trace_file)) trace = $fopen(trace_file, "w");
    $readmemh(hex_file, ram);
  end

  // ---------------------------------------------------------------- clock and reset
  logic clk, rst_n;
  int   cycles, instructions;

  initial begin
    clk   = 1'b0;
    rst_n = 1'b0;
    forever #1 clk = !clk;
  end

  logic [2:0] reset_q = 3'd0;
  always_ff @(posedge clk) begin
    if (reset_q != 3'd7) reset_q <= reset_q + 3'd1;
    rst_n <= reset_q == 3'd7;
  end

  // ---------------------------------------------------------------- stalls
  logic [31:0] noise_q;
  logic        hold_igrant, hold_ianswer, hold_dgrant, hold_danswer;

  function automatic logic [31:0] next_noise(input logic [31:0] x);
    logic [31:0] y;
    y = x ^ (x << 13);
    y = y ^ (y >> 17);
    next_noise = y ^ (y << 5);
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n) noise_q <= 32'h2545_f491 ^ (seed * 32'h9e37_79b9);
    else if (stall != 0) noise_q <= next_noise(noise_q);
  end

  assign hold_igrant  = 32'(noise_q[3:0]) < stall;
  assign hold_ianswer = 32'(noise_q[11:8]) < stall;
  assign hold_dgrant  = 32'(noise_q[19:16]) < stall;
  assign hold_danswer = 32'(noise_q[27:24]) < stall;

  // ---------------------------------------------------------------- instruction port
  logic        imem_req, imem_gnt, imem_rvalid, imem_err;
  logic [31:0] imem_addr, imem_rdata;
  logic [32:0] iq [0:3];                     // {refused, word}
  logic [1:0]  iq_head, iq_tail;
  logic        iq_some;

  assign iq_some     = iq_head != iq_tail;
  assign imem_gnt    = !hold_igrant && (iq_tail + 2'd1 != iq_head || imem_rvalid);
  assign imem_rvalid = iq_some && !hold_ianswer;
  assign {imem_err, imem_rdata} = iq[iq_head];

  always_ff @(posedge clk) begin
    if (imem_req && imem_gnt) begin
      iq[iq_tail] <= {imem_addr[31:20] != RamBase[31:20], ram[imem_addr[19:2]]};
      iq_tail     <= iq_tail + 2'd1;
    end
    if (imem_rvalid) iq_head <= iq_head + 2'd1;
    if (!rst_n) begin
      iq_head <= '0;
      iq_tail <= '0;
    end
  end

  // ---------------------------------------------------------------- data port
  logic        dmem_req, dmem_we, dmem_gnt, dmem_rvalid, dmem_err;
  logic        dq_some, dq_err;
  logic [3:0]  dmem_be;
  logic [31:0] dmem_addr, dmem_wdata, dmem_rdata, dq_word;
  logic        to_ram, to_mmio, store_taken;

  assign to_ram      = dmem_addr[31:20] == RamBase[31:20];
  assign to_mmio     = dmem_addr[31:4] == MmioPage;
  assign dmem_gnt    = !hold_dgrant && (!dq_some || dmem_rvalid);
  assign dmem_rvalid = dq_some && !hold_danswer;
  assign dmem_rdata  = dq_word;
  assign dmem_err    = dmem_rvalid && dq_err;
  assign store_taken = dmem_req && dmem_gnt && dmem_we;

  logic [31:0] reads_q, later_q, countdown_q;
  logic [2:0]  lines_q;
  logic        midline_q = 1'b0;              // the console is in the middle of a line

  always_ff @(posedge clk) begin
    if (dmem_rvalid) dq_some <= 1'b0;
    if (dmem_req && dmem_gnt) begin
      dq_some <= 1'b1;
      dq_err  <= !to_ram && !to_mmio;
      dq_word <= to_ram ? ram[dmem_addr[19:2]] : reads_q;
      if (to_mmio && !dmem_we) reads_q <= reads_q + 32'd1;
    end
    if (store_taken && to_ram)
      for (int i = 0; i < 4; i++)
        if (dmem_be[i]) ram[dmem_addr[19:2]][8*i+:8] <= dmem_wdata[8*i+:8];
    if (!rst_n) begin
      dq_some <= 1'b0;
      reads_q <= '0;
    end
  end

  always_ff @(posedge clk) begin : interrupt_levers
    if (countdown_q != 0) countdown_q <= countdown_q - 32'd1;
    if (countdown_q == 32'd1) lines_q <= later_q[2:0];
    if (store_taken && to_mmio) begin
      case (dmem_addr[3:2])
        2'd0: begin
          $write("%c", dmem_wdata[7:0]);
          midline_q <= dmem_wdata[7:0] != 8'h0a;
          if (dmem_wdata[7:0] == 8'h0a) $fflush;
        end
        2'd1: lines_q <= dmem_wdata[2:0];
        2'd2: later_q <= dmem_wdata;
        default: countdown_q <= dmem_wdata;
      endcase
    end
    if (!rst_n) begin
      lines_q     <= '0;
      countdown_q <= '0;
    end
  end

  // ---------------------------------------------------------------- the core
  logic        retire, sleeping;
  logic [31:0] retire_pc;

`ifdef TERN_RVFI
  logic        rvfi_valid, rvfi_trap, rvfi_halt, rvfi_intr;
  logic [63:0] rvfi_order;
  logic [31:0] rvfi_insn, rvfi_rs1_rdata, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_pc_rdata;
  logic [31:0] rvfi_pc_wdata, rvfi_mem_addr, rvfi_mem_rdata, rvfi_mem_wdata;
  logic [1:0]  rvfi_mode, rvfi_ixl;
  logic [4:0]  rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr;
  logic [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;
  logic [31:0] rvfi_csr_mstatus_rmask, rvfi_csr_mstatus_wmask;
  logic [31:0] rvfi_csr_mstatus_rdata, rvfi_csr_mstatus_wdata;
  logic [31:0] rvfi_csr_misa_rmask, rvfi_csr_misa_wmask;
  logic [31:0] rvfi_csr_misa_rdata, rvfi_csr_misa_wdata;
  logic [31:0] rvfi_csr_mie_rmask, rvfi_csr_mie_wmask;
  logic [31:0] rvfi_csr_mie_rdata, rvfi_csr_mie_wdata;
  logic [31:0] rvfi_csr_mtvec_rmask, rvfi_csr_mtvec_wmask;
  logic [31:0] rvfi_csr_mtvec_rdata, rvfi_csr_mtvec_wdata;
  logic [31:0] rvfi_csr_mscratch_rmask, rvfi_csr_mscratch_wmask;
  logic [31:0] rvfi_csr_mscratch_rdata, rvfi_csr_mscratch_wdata;
  logic [31:0] rvfi_csr_mepc_rmask, rvfi_csr_mepc_wmask;
  logic [31:0] rvfi_csr_mepc_rdata, rvfi_csr_mepc_wdata;
  logic [31:0] rvfi_csr_mcause_rmask, rvfi_csr_mcause_wmask;
  logic [31:0] rvfi_csr_mcause_rdata, rvfi_csr_mcause_wdata;
  logic [31:0] rvfi_csr_mtval_rmask, rvfi_csr_mtval_wmask;
  logic [31:0] rvfi_csr_mtval_rdata, rvfi_csr_mtval_wdata;
  logic [31:0] rvfi_csr_mip_rmask, rvfi_csr_mip_wmask;
  logic [31:0] rvfi_csr_mip_rdata, rvfi_csr_mip_wdata;
  logic [63:0] rvfi_csr_mcycle_rmask, rvfi_csr_mcycle_wmask;
  logic [63:0] rvfi_csr_mcycle_rdata, rvfi_csr_mcycle_wdata;
  logic [63:0] rvfi_csr_minstret_rmask, rvfi_csr_minstret_wmask;
  logic [63:0] rvfi_csr_minstret_rdata, rvfi_csr_minstret_wdata;
`endif

  tern_core u_core (
    .clk_i(clk), .rst_ni(rst_n), .boot_pc_i(RamBase), .hart_id_i(32'd0),
    .imem_req_o(imem_req), .imem_addr_o(imem_addr), .imem_gnt_i(imem_gnt),
    .imem_rvalid_i(imem_rvalid), .imem_rdata_i(imem_rdata), .imem_err_i(imem_err),
    .dmem_req_o(dmem_req), .dmem_we_o(dmem_we), .dmem_be_o(dmem_be), .dmem_addr_o(dmem_addr),
    .dmem_wdata_o(dmem_wdata), .dmem_gnt_i(dmem_gnt), .dmem_rvalid_i(dmem_rvalid),
    .dmem_rdata_i(dmem_rdata), .dmem_err_i(dmem_err),
    .irq_timer_i(lines_q[0]), .irq_software_i(lines_q[1]), .irq_external_i(lines_q[2]),
    .sleep_o(sleeping), .retire_o(retire), .retire_pc_o(retire_pc),
    .dbg_run_i(1'b1), .dbg_quiet_i(1'b0), .dbg_inject_i(1'b0), .dbg_ebreak_i(1'b0),
    .dbg_flush_i(1'b0), .dbg_taken_o(), .dbg_busy_o(), .dbg_hit_o(), .dbg_trap_o(), .dbg_pc_o(),
    .dbg_insn_o(), .dbg_value_o()
`ifdef TERN_RVFI
    , .*
`endif
  );

  // ---------------------------------------------------------------- trace and end of the run
  logic        ended, ended_q;
  logic [31:0] verdict, verdict_q;
  int          file;

  assign ended   = store_taken && dmem_addr == {tohost[31:2], 2'b00} && dmem_wdata != '0;
  assign verdict = dmem_wdata;

  always_ff @(posedge clk) begin
    if (rst_n) begin
      cycles <= cycles + 1;
      if (retire) instructions <= instructions + 1;
      if (trace != 0 && retire) $fdisplay(trace, "%0d %08x", cycles, retire_pc);
      if (trace != 0 && store_taken)
        $fdisplay(trace, "%0d store %08x %08x %x", cycles, dmem_addr, dmem_wdata, dmem_be);
      if (trace != 0 && sleeping) $fdisplay(trace, "%0d asleep", cycles);
    end
    ended_q   <= rst_n && ended;
    verdict_q <= verdict;
    if (ended_q) finish_run(verdict_q == 32'd1 ? 0 : 1);
    else if (cycles >= max_cycles) finish_run(2);
  end

  task automatic finish_run(input int status);
    if (sig_file != "") begin
      file = $fopen(sig_file, "w");
      for (logic [31:0] a = sig_begin; a < sig_end; a = a + 32'd4)
        $fdisplay(file, "%08x", ram[a[19:2]]);
      $fclose(file);
    end
    if (trace != 0) $fclose(trace);
    if (midline_q) $display("");
    if (status == 1) $display("FAILED: tohost = %0d (0x%08x)", verdict_q, verdict_q);
    if (status == 2) $display("TIMEOUT after %0d cycles, last pc %08x", cycles, retire_pc);
    $display("cycles %0d instructions %0d CPI %.3f", cycles, instructions,
             $itor(cycles) / $itor(instructions == 0 ? 1 : instructions));
    tern_bench_exit(status);
  endtask

`ifdef TERN_RVFI
  // ---------------------------------------------------------------- shadow of the state
  logic [31:0] shadow [0:31];
  logic [31:0] next_pc_q;
  logic [63:0] order_q;

  initial for (int i = 0; i < 32; i++) shadow[i] = '0;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      next_pc_q <= RamBase;
      order_q   <= '0;
    end else if (rvfi_valid) begin
      InOrder:  assert (rvfi_order == order_q);
      PcChain:  assert (rvfi_intr || rvfi_pc_rdata == next_pc_q);
      Source1:  assert (rvfi_rs1_addr == 0 || !written[rvfi_rs1_addr] ||
                        rvfi_rs1_rdata == shadow[rvfi_rs1_addr]);
      Source2:  assert (rvfi_rs2_addr == 0 || !written[rvfi_rs2_addr] ||
                        rvfi_rs2_rdata == shadow[rvfi_rs2_addr]);
      ZeroIsZero: assert ((rvfi_rs1_addr != 0 || rvfi_rs1_rdata == 0) &&
                          (rvfi_rs2_addr != 0 || rvfi_rs2_rdata == 0));
      NoWriteOnTrap: assert (!rvfi_trap || rvfi_rd_addr == 0);
      order_q   <= order_q + 64'd1;
      next_pc_q <= rvfi_pc_wdata;
      if (rvfi_rd_addr != 0) begin
        shadow[rvfi_rd_addr]  <= rvfi_rd_wdata;
        written[rvfi_rd_addr] <= 1'b1;
      end
    end
  end

  // A register is unknown before its first write.
  logic [31:0] written = '0;

  int    insns;
  string insns_file;

  initial begin
    insns = 0;
    if ($value$plusargs("insns=%s", insns_file)) insns = $fopen(insns_file, "w");
  end

  always_ff @(posedge clk)
    if (insns != 0 && rvfi_valid && !rvfi_trap) $fdisplay(insns, "%08x", rvfi_insn);

  int    flow;
  string flow_file;

  initial begin
    flow = 0;
    if ($value$plusargs("flow=%s", flow_file)) flow = $fopen(flow_file, "w");
  end

  always_ff @(posedge clk) begin
    if (flow != 0 && rst_n && retire) $fdisplay(flow, "%08x", retire_pc);
    if (flow != 0 && rst_n && !retire) $fdisplay(flow, "%0x", u_core.u_lost.cause);
  end
`endif

endmodule

// SPDX-License-Identifier: Apache-2.0
// Bench of the debug port: the core with tern_core_debug, and memories that stall; it runs debug.S.
//
// The program runs once undisturbed; then under a debugger, which must not change its result.
// Plusargs: +hex=FILE the program, +seed=N.
`default_nettype none

module debug_tb;
  import tap_pkg::*;

  localparam int unsigned ItcmWords = 256;
  localparam int unsigned RamWords  = 512;
  localparam logic [31:0] Ram       = 32'h1000_0000;
  localparam logic [31:0] Lines     = 32'h2000_0000;
  localparam logic [31:0] Nowhere   = 32'h3000_0000;
  localparam logic [31:0] Done      = Ram + 32'h7fc;
  localparam logic [31:0] Flag      = Ram + 32'h200;
  localparam int          Patience  = 2000;

  // Registers and CSRs, numbered as in instructions.
  localparam logic [4:0]  T0 = 5'd5, T1 = 5'd6;
  localparam logic [11:0] Mstatus = 12'h300, Mie = 12'h304, Mepc = 12'h341;
  localparam logic [11:0] Mcause = 12'h342, Mtval = 12'h343, Minstret = 12'hb02;

  logic clk = 1'b0;
  logic rst_n = 1'b0, core_rst_n = 1'b0;
  initial forever #1 clk = !clk;

  // ------------------------------------------------------------------ memories
  logic [31:0] image [0:ItcmWords-1];
  logic [31:0] itcm  [0:ItcmWords-1];
  logic [31:0] ram   [0:RamWords-1];
  logic [2:0]  lines = '0;
  bit          stalls = 1'b0;

  logic        imem_req, imem_gnt, imem_rvalid, imem_err, hold_i, hold_d;
  logic        dmem_req, dmem_we, dmem_gnt, dmem_rvalid, dmem_err;
  logic [3:0]  dmem_be;
  logic [31:0] imem_addr, imem_rdata, dmem_addr, dmem_wdata, dmem_rdata;
  logic        dbg_write;
  logic [12:0] dbg_addr = '0;
  logic [31:0] dbg_data = '0;

  assign imem_gnt = !hold_i && (!i_owed || imem_rvalid);
  assign dmem_gnt = !hold_d && (!d_owed || dmem_rvalid);

  // At most one request of each kind is in flight; the answer comes a cycle later, or after a
  // random delay.
  logic i_owed = 1'b0, d_owed = 1'b0, i_late = 1'b0, d_late = 1'b0;
  assign imem_rvalid = i_owed && !i_late;
  assign dmem_rvalid = d_owed && !d_late;

  function automatic bit is_ram(input logic [31:0] a);
    return a[31:11] == Ram[31:11];
  endfunction

  always @(posedge clk) begin : answers
    hold_i <= stalls && one_in(4);
    hold_d <= stalls && one_in(4);
    i_late <= stalls && one_in(4);
    d_late <= stalls && one_in(4);
    if (imem_rvalid) i_owed <= 1'b0;
    if (imem_req && imem_gnt) begin
      i_owed     <= 1'b1;
      imem_rdata <= itcm[imem_addr[9:2]];
      imem_err   <= imem_addr[31:10] != '0;
    end
    if (dmem_rvalid) d_owed <= 1'b0;
    if (dmem_req && dmem_gnt) begin
      d_owed     <= 1'b1;
      dmem_err   <= !(is_ram(dmem_addr) || dmem_addr == Lines ||
                      (dmem_addr[31:10] == '0 && !dmem_we));
      dmem_rdata <= is_ram(dmem_addr) ? ram[dmem_addr[10:2]] : itcm[dmem_addr[9:2]];
      if (dmem_we && dmem_addr == Lines) lines <= dmem_wdata[2:0];
      if (dmem_we && is_ram(dmem_addr))
        for (int i = 0; i < 4; i++)
          if (dmem_be[i]) ram[dmem_addr[10:2]][8*i +: 8] <= dmem_wdata[8*i +: 8];
    end
    if (dbg_write) itcm[dbg_addr[7:0]] <= dbg_data;
    if (!rst_n || !core_rst_n) begin
      i_owed <= 1'b0;
      d_owed <= 1'b0;
    end
  end

  // -------------------------------------------------------------- core and port
  logic [2:0]  op = '0;
  logic        run, quiet, inject_on, ebreak_on, flush, taken, busy, hit, trap;
  logic        stopped, halted, was_hit, fault, sleeping, retire;
  logic [31:0] retire_pc, pc, insn, value;
  assign pc[0] = 1'b0;

  tern_core u_core (
    .clk_i(clk), .rst_ni(core_rst_n), .boot_pc_i(32'd0), .hart_id_i(32'd7),
    .imem_req_o(imem_req), .imem_addr_o(imem_addr), .imem_gnt_i(imem_gnt),
    .imem_rvalid_i(imem_rvalid), .imem_rdata_i(imem_rdata), .imem_err_i(imem_err),
    .dmem_req_o(dmem_req), .dmem_we_o(dmem_we), .dmem_be_o(dmem_be), .dmem_addr_o(dmem_addr),
    .dmem_wdata_o(dmem_wdata), .dmem_gnt_i(dmem_gnt), .dmem_rvalid_i(dmem_rvalid),
    .dmem_rdata_i(dmem_rdata), .dmem_err_i(dmem_err),
    .irq_timer_i(lines[0]), .irq_software_i(lines[1]), .irq_external_i(lines[2]),
    .sleep_o(sleeping), .retire_o(retire), .retire_pc_o(retire_pc),
    .dbg_run_i(run), .dbg_quiet_i(quiet), .dbg_inject_i(inject_on), .dbg_ebreak_i(ebreak_on),
    .dbg_flush_i(flush), .dbg_taken_o(taken), .dbg_busy_o(busy), .dbg_hit_o(hit),
    .dbg_trap_o(trap), .dbg_pc_o(pc[31:1]), .dbg_insn_o(insn), .dbg_value_o(value)
  );

  tern_core_debug u_debug (
    .clk_i(clk), .rst_ni(rst_n), .op_i(op),
    .run_o(run), .quiet_o(quiet), .inject_o(inject_on), .ebreak_o(ebreak_on), .flush_o(flush),
    .taken_i(taken), .busy_i(busy), .hit_i(hit), .trap_i(trap), .write_o(dbg_write),
    .stopped_o(stopped), .halted_o(halted), .hit_o(was_hit), .fault_o(fault)
  );

  // All retired instructions of the program itself, in order.
  logic [31:0] path [$];
  always @(posedge clk) if (core_rst_n && retire && !inject_on) path.push_back(retire_pc);

  // --------------------------------------------------------- a small debugger
  task automatic send(input int unsigned code);
    @(negedge clk) op = 3'(code);
    @(negedge clk) op = 3'(tern_abi_pkg::DBG_NONE);
  endtask

  task automatic wait_halted(input string what);
    int left;
    left = Patience;
    repeat (2) @(negedge clk);
    while (!halted && left > 0) begin
      @(negedge clk);
      left--;
    end
    expect_true(halted, {"never halted: ", what});
  endtask

  task automatic stop();
    send(tern_abi_pkg::DBG_HALT);
    wait_halted("halt");
  endtask

  task automatic step();
    send(tern_abi_pkg::DBG_STEP);
    wait_halted("step");
  endtask

  task automatic patch(input logic [31:0] addr, input logic [31:0] word);
    dbg_addr = addr[14:2];
    dbg_data = word;
    send(tern_abi_pkg::DBG_WRITE);
  endtask

  task automatic inject(input logic [31:0] code);
    patch(0, code);
    send(tern_abi_pkg::DBG_INJECT);
    wait_halted("injected instruction");
  endtask

  function automatic logic [31:0] addi(input logic [4:0] rd, input logic [4:0] rs,
                                       input logic [11:0] imm);
    return {imm, rs, 3'b000, rd, 7'h13};
  endfunction

  function automatic logic [31:0] lui(input logic [4:0] rd, input logic [31:0] v);
    return {v[31:12] + 20'(v[11]), rd, 7'h37};
  endfunction

  function automatic logic [31:0] load_word(input logic [4:0] rd, input logic [4:0] rs);
    return {12'd0, rs, 3'b010, rd, 7'h03};
  endfunction

  function automatic logic [31:0] store_word(input logic [4:0] data, input logic [4:0] base);
    return {7'd0, data, base, 3'b010, 5'd0, 7'h23};
  endfunction

  function automatic logic [31:0] jal0(input logic [31:0] to);
    return {to[20], to[10:1], to[11], to[19:12], 5'd0, 7'h6f};
  endfunction

  task automatic get(input logic [4:0] r, output logic [31:0] v);
    inject(addi(0, r, 0));
    v = value;
  endtask

  task automatic set(input logic [4:0] r, input logic [31:0] v);
    inject(lui(r, v));
    inject(addi(r, r, v[11:0]));
  endtask

  task automatic get_csr(input logic [11:0] csr, output logic [31:0] v);
    inject({csr, 5'd0, 3'b010, 5'd0, 7'h73});
    v = value;
  endtask

  task automatic set_csr(input logic [11:0] csr, input logic [31:0] v);
    set(T0, v);
    inject({csr, T0, 3'b001, 5'd0, 7'h73});
  endtask

  task automatic peek_memory(input logic [31:0] a, output logic [31:0] v);
    set(T0, a);
    inject(load_word(T1, T0));
    get(T1, v);
  endtask

  task automatic poke_memory(input logic [31:0] a, input logic [31:0] v);
    set(T0, a);
    set(T1, v);
    inject(store_word(T1, T0));
  endtask

  // Restores the first word and halts at `at` again; the first word is not part of the program.
  task automatic leave_at(input logic [31:0] at);
    inject(jal0(at));
    patch(0, image[0]);
    wait_halted("back");
    expect_true(pc == at, "the pc was not set");
  endtask

  // ------------------------------------------------------------------- running
  task automatic restart(input bit flag);
    @(negedge clk);
    rst_n      = 1'b0;
    core_rst_n = 1'b0;
    lines      = '0;
    repeat (4) @(negedge clk);
    for (int i = 0; i < RamWords; i++) ram[i] = '0;
    for (int i = 0; i < ItcmWords; i++) itcm[i] = image[i];
    ram[Flag[10:2]] = 32'(flag);
    path.delete();
    rst_n      = 1'b1;
    core_rst_n = 1'b1;
  endtask

  task automatic run_to_end(input string what);
    int left;
    left = 200000;
    while (ram[Done[10:2]] == '0 && left > 0) begin
      @(negedge clk);
      left--;
    end
    expect_true(left > 0, {"no end: ", what});
    repeat (20) @(negedge clk);
  endtask

  logic [31:0] good_path [$];
  logic [31:0] good_sum, good_traps, good_count;

  task automatic same_outcome(input string what);
    expect_true(ram[64] == good_sum, {what, ": another sum"});
    expect_true(ram[65] == good_traps, {what, ": another number of traps"});
    expect_true(ram[66] == good_count, {what, ": another minstret"});
  endtask

  // Addresses in the table of debug.S.
  logic [31:0] four, across, two, sleeps, behind, handler, calls, ending, quietly;

  task automatic read_table();
    four    = image[16];
    across  = image[17];
    two     = image[18];
    sleeps  = image[19];
    behind  = image[20];
    handler = image[21];
    calls   = image[22];
    ending  = image[23];
    quietly = image[24];
  endtask

  // --------------------------------------------------------------------- tests
  task automatic undisturbed();
    restart(1'b1);
    run_to_end("undisturbed");
    good_sum   = ram[64];
    good_traps = ram[65];
    good_count = ram[66];
    while (path.size() > 0 && path[path.size() - 1] == ending) path.pop_back();
    good_path = path;
    expect_true(good_traps == 40, "the program went wrong");
    tap("the program runs");
  endtask

  // Halts at random places, reads everything, continues: the program's path must not change.
  task automatic halts_anywhere();
    logic [31:0] at, t0, t1, v, count0, count1;
    int halts;
    restart(1'b1);
    halts = 0;
    while (ram[Done[10:2]] == '0 && halts < 3000) begin
      repeat (below(40)) @(negedge clk);
      stop();
      at = pc;
      if (at >= 4) begin
        get(T0, t0);
        get(T1, t1);
        get_csr(Minstret, count0);
        for (int r = 1; r < 8; r++) get(5'(below(32)), v);
        peek_memory(Flag, v);
        expect_true(v == 1, "memory not read");
        peek_memory(32'h40, v);
        expect_true(v == four, "instruction memory not read");
        get_csr(Minstret, count1);
        expect_true(count0 == count1, "injected instructions are counted");
        set(T0, t0);
        set(T1, t1);
        leave_at(at);
      end
      send(tern_abi_pkg::DBG_GO);
      halts++;
    end
    run_to_end("halted often");
    same_outcome("halted often");
    expect_true(halts > 50, "hardly any halts");
    $display("# evidence B3.5.4 halts=%0d", halts);
    tap("halts anywhere, and nobody notices");
  endtask

  // Steps from reset to the end, over branches, loads, traps, divisions, wfi.
  task automatic steps_all();
    int n;
    restart(1'b1);
    stop();
    while (pc != 0 && !(pc == good_path[path.size()])) step();
    n = 0;
    while (pc != ending && n < 5000) begin
      n++;
      step();
    end
    expect_true(pc == ending, "stepping does not arrive");
    expect_true(path.size() == good_path.size(), "another number of instructions");
    for (int i = 0; i < path.size() && i < good_path.size(); i++)
      expect_true(path[i] == good_path[i], "another way");
    same_outcome("stepped");
    expect_true(n > 900, "hardly any steps");
    $display("# evidence B3.5.4 steps=%0d", n);
    tap("steps one instruction at a time");
  endtask

  // Breaks at an address with a 32-bit or a 16-bit ebreak, `rounds` times, stepping over it.
  task automatic breaks(input logic [31:0] at, input bit wide, input int rounds);
    logic [31:0] word, first, second, code;
    code   = wide ? 32'h0010_0073 : 32'h0000_9002;
    word   = itcm[at[9:2]];
    first  = at[1] ? {code[15:0], word[15:0]} :
             wide  ? code : {word[31:16], code[15:0]};
    second = {itcm[at[9:2] + 1][31:16], code[31:16]};
    for (int i = 0; i < rounds; i++) begin
      patch(at, first);
      if (at[1] && wide) patch(at + 4, second);
      send(tern_abi_pkg::DBG_GO);
      wait_halted("break");
      expect_true(was_hit, "halted, but not by the ebreak");
      expect_true(pc == at, "halted elsewhere");
      patch(at, word);
      if (at[1] && wide) patch(at + 4, image[at[9:2] + 1]);
      leave_at(at);
      expect_true(!was_hit, "still says ebreak");
      step();
      expect_true(pc == at + (image[at[9:2]] >> (at[1] ? 16 : 0) & 3) / 3 * 2 + 2, "step over");
    end
  endtask

  task automatic breakpoints();
    restart(1'b1);
    stop();
    breaks(four, 1'b1, 5);
    breaks(two, 1'b0, 5);
    breaks(across, 1'b1, 5);
    breaks(across, 1'b0, 5);
    send(tern_abi_pkg::DBG_GO);
    run_to_end("broken");
    same_outcome("broken");
    tap("ebreak halts, 16 and 32 bits wide, and does not count");
  endtask

  // Without a debugger an ebreak is a trap again; the program's handler steps over it.
  task automatic detached();
    restart(1'b1);
    stop();
    patch(four, 32'h0010_0073);
    send(tern_abi_pkg::DBG_DETACH);
    run_to_end("detached");
    expect_true(ram[65] == good_traps + 40, "ebreak did not trap after detaching");
    expect_true(!halted, "halted after detaching");
    stop();
    tap("ebreak traps when no debugger is there");
  endtask

  // Injects faulting instructions: each is reported, and no CSR changes.
  task automatic injects_faults();
    logic [31:0] status, epc, cause, tval, v;
    logic [31:0] bad [8];
    restart(1'b1);
    repeat (400) @(negedge clk);
    stop();
    get_csr(Mstatus, status);
    get_csr(Mepc, epc);
    get_csr(Mcause, cause);
    get_csr(Mtval, tval);
    set(T0, Nowhere);
    bad[0] = load_word(T1, T0);
    bad[1] = store_word(T1, T0);
    bad[2] = load_word(T1, T0) | 32'h0010_0000;    // misaligned
    bad[3] = 32'h0000_0000;
    bad[4] = 32'hffff_ffff;
    bad[5] = 32'h0000_0073;                        // ecall
    bad[6] = 32'h7c00_2073;                        // no such CSR
    bad[7] = store_word(T1, T0) | 32'h0000_0080;   // misaligned
    set(T1, 32'h1234_5678);
    for (int i = 0; i < 8; i++) begin
      inject(bad[i]);
      expect_true(fault, $sformatf("no fault from %08x", bad[i]));
      get(T1, v);
      expect_true(v == 32'h1234_5678, "a fault changed a register");
      expect_true(!fault, "a good instruction faults");
    end
    get_csr(Mstatus, v);
    expect_true(v == status, "mstatus moved");
    get_csr(Mepc, v);
    expect_true(v == epc, "mepc moved");
    get_csr(Mcause, v);
    expect_true(v == cause, "mcause moved");
    get_csr(Mtval, v);
    expect_true(v == tval, "mtval moved");
    inject(32'h1050_0073);
    expect_true(!fault, "an injected wfi is no fault");
    $display("# evidence B3.5.4 faults=%0d", $size(bad));
    tap("exceptions of injected instructions are told and change nothing");
  endtask

  // An interrupt is delayed until stepping ends; CSRs can be written.
  task automatic interrupts();
    logic [31:0] v;
    restart(1'b0);
    repeat (20000) @(negedge clk);
    stop();
    expect_true(pc >= quietly && pc < sleeps, "not in the loop");
    set_csr(Mie, 32'h800);
    get_csr(Mie, v);
    expect_true(v == 32'h800, "mie not written");
    set_csr(Mstatus, 32'h8);
    leave_at(quietly);
    lines = 3'b100;
    repeat (6) @(negedge clk);
    for (int i = 0; i < 10; i++) begin
      step();
      expect_true(pc >= quietly && pc < sleeps, "an interrupt was taken in a step");
    end
    patch(handler, 32'h0010_0073);
    send(tern_abi_pkg::DBG_GO);
    wait_halted("handler");
    expect_true(was_hit && pc == handler, "the interrupt was not taken when running");
    get_csr(Mcause, v);
    expect_true(v == 32'h8000_000b, "mcause of the interrupt");
    tap("interrupts wait while stepping");
  endtask

  // Tests wfi: halts the core out of it, and steps over it.
  task automatic sleeps_and_halts();
    restart(1'b0);
    repeat (20000) @(negedge clk);
    stop();
    inject(jal0(sleeps));
    patch(0, image[0]);
    step();
    expect_true(pc == behind, "wfi not stepped over");
    leave_at(sleeps);
    lines = '0;
    send(tern_abi_pkg::DBG_GO);
    repeat (100) @(negedge clk);
    expect_true(sleeping && !halted && !stopped, "not asleep");
    stop();
    // The instruction in decode after it still runs.
    expect_true((pc == behind || pc == behind + 4) && !sleeping, "not halted out of wfi");
    tap("wfi ends at a halt and in a step");
  endtask

  // Reset of the core alone: it stays halted, at the first instruction.
  task automatic halted_over_reset();
    restart(1'b1);
    stop();
    @(negedge clk) core_rst_n = 1'b0;
    repeat (5) @(negedge clk);
    expect_true(!halted, "halted in reset");
    core_rst_n = 1'b1;
    wait_halted("reset");
    expect_true(pc == 0 && stopped, "not at the first instruction");
    path.delete();
    repeat (50) @(negedge clk);
    expect_true(path.size() == 0, "runs out of reset");
    send(tern_abi_pkg::DBG_PEEK);
    wait_halted("peek");
    expect_true(pc == 0 && insn == image[0], "the first word is not shown");
    send(tern_abi_pkg::DBG_GO);
    run_to_end("reset");
    same_outcome("reset");
    tap("stays halted over a reset of the core");
  endtask

  // The port cannot write anything while the core runs.
  task automatic no_write_running();
    restart(1'b1);
    patch(four, 32'h0010_0073);
    run_to_end("running");
    same_outcome("running");
    expect_true(itcm[four[9:2]] == image[four[9:2]], "written while running");
    tap("writes nothing while the core runs");
  endtask

  string hex_file;
  int    seed_arg;

  initial begin
    if (!$value$plusargs("hex=%s", hex_file)) hex_file = "build/core/debug.hex";
    if (!$value$plusargs("seed=%d", seed_arg)) seed_arg = 1;
    seed(seed_arg);
    for (int i = 0; i < ItcmWords; i++) image[i] = '0;
    $readmemh(hex_file, image);
    read_table();
    for (int pass = 0; pass < 2; pass++) begin
      stalls = pass == 1;
      undisturbed();
      halts_anywhere();
      steps_all();
      breakpoints();
      detached();
      injects_faults();
      interrupts();
      sleeps_and_halts();
      halted_over_reset();
      no_write_running();
    end
    finish();
  end
endmodule

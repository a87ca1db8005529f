// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_key: rights are enforced for every table and every request.
//
// The table's memory is replaced by constant words of any value, so one check represents all. From
// any state in which a request is accepted, whatever else is requested, the requester gets an
// answer in time that agrees with the contract. Granted bytes are, to the last byte, in a valid
// region with the right owner, rights and tag; and a valid request is not refused.
`default_nettype none

module key_proof (
  input logic         clk_i,
  // the table: entry by entry, word by word, low halves and high halves
  input logic [511:0] low_i, high_i,
  input logic [3:0]   ask_i,                // the requester
  input logic [127:0] key_i,
  input logic [255:0] addr_i,
  input logic [127:0] bytes_i,
  input logic [31:0]  fn_i,
  input logic [3:0]   fn_any_i,
  input logic [3:0]   offset_i,
  input logic [31:0]  right_i
);

  localparam int unsigned Regions = 4;
  localparam int unsigned Takes   = 6;      // cycles from a request to its answer

  logic [2:0]   age_q = 3'd0;               // cycles since the request was taken
  logic         first;
  logic [511:0] low_q, high_q, low, high;
  logic [3:0]   ready, done, asked_q, taken_q, fn_any_q, fn_any, offset_q, offset;
  logic [127:0] key_q, key_all, bytes_q, bytes_all;
  logic [255:0] addr_q, addr_all;
  logic [31:0]  fn_q, fn_all, right_q, right_all;
  logic [7:0]   status, owner;
  logic [63:0]  haddr;
  logic [15:0]  counter;
  logic         mm_ready, mm_rvalid, st_check, st_refused;
  logic [31:0]  mm_rdata;

  // ---- request and table: any value, constant ---------------------------------------------------
  assign first = age_q == 3'd0;
  assign {low, high} = first ? {low_i, high_i} : {low_q, high_q};
  assign {key_all, addr_all, bytes_all, fn_all, right_all, fn_any, offset} =
         first ? {key_i, addr_i, bytes_i, fn_i, right_i, fn_any_i, offset_i} :
                 {key_q, addr_q, bytes_q, fn_q, right_q, fn_any_q, offset_q};

  always_ff @(posedge clk_i) begin
    {low_q, high_q} <= {low, high};
    {key_q, addr_q, bytes_q, fn_q, right_q, fn_any_q, offset_q} <=
      {key_all, addr_all, bytes_all, fn_all, right_all, fn_any, offset};
    if (age_q != 3'(Takes + 1)) age_q <= age_q + 3'd1;
    if (first) {asked_q, taken_q} <= {ask_i, ready};
    assume (!first || ready != '0);                                  // one request is accepted
    assume (low[64 +: 32] == '0 && high[64 +: 32] == '0);            // entry 0 has iova 0
  end

  tern_key #(.NumRegions(Regions)) dut (
    .clk_i, .rst_ni(1'b1), .low_i(low), .high_i(high),
    .ck_valid_i(first ? ask_i : 4'd0), .ck_ready_o(ready), .ck_key_i(key_all), .ck_addr_i(addr_all),
    .ck_bytes_i(bytes_all), .ck_fn_i(fn_all), .ck_fn_any_i(fn_any), .ck_offset_i(offset),
    .ck_right_i(right_all), .ck_done_o(done), .ck_status_o(status), .ck_haddr_o(haddr),
    .ck_fn_o(owner), .ck_ctr_o(counter), .mm_valid_i(1'b0), .mm_we_i(1'b0), .mm_addr_i(16'd0),
    .mm_wdata_i(32'd0), .mm_ready_o(mm_ready), .mm_rvalid_o(mm_rvalid), .mm_rdata_o(mm_rdata),
    .st_check_o(st_check), .st_refused_o(st_refused)
  );

  // ---- expected answer, by plain arithmetic -----------------------------------------------------
  logic [1:0]   who;
  logic [31:0]  key, bytes;
  logic [63:0]  addr, base, iova, meta;
  logic [47:0]  length;
  logic [15:0]  tag;
  logic [64:0]  off, left, host;
  logic [7:0]   fn, right, due;
  logic         known, mine, allowed, fits;

  assign who   = taken_q[3] ? 2'd3 : taken_q[2] ? 2'd2 : taken_q[1] ? 2'd1 : 2'd0;
  assign key   = key_q[32*who +: 32];
  assign addr  = addr_q[64*who +: 64];
  assign bytes = bytes_q[32*who +: 32];
  assign fn    = fn_q[8*who +: 8];
  assign right = right_q[8*who +: 8];

  assign base          = {high_q[128*key[1:0] +: 32], low_q[128*key[1:0] +: 32]};
  assign {tag, length} = {high_q[128*key[1:0]+32 +: 32], low_q[128*key[1:0]+32 +: 32]};
  assign iova          = offset_q[who] ? '0
      : {high_q[128*key[1:0]+64 +: 32], low_q[128*key[1:0]+64 +: 32]};
  assign meta          = {high_q[128*key[1:0]+96 +: 32], low_q[128*key[1:0]+96 +: 32]};

  // Bit 64: negative, or beyond the last address.
  assign off     = {1'b0, addr} - {1'b0, iova};
  assign left    = {17'd0, length} - {1'b0, off[63:0]};
  assign host    = {1'b0, base} + {1'b0, off[63:0]};
  assign known   = key[15:0] != '0 && key[15:0] < 16'(Regions) && tag == key[31:16] && meta[63];
  assign mine    = fn_any_q[who] || fn == meta[23:16];
  assign allowed = (right & ~meta[39:32]) == '0;
  assign fits    = !off[64] && !left[64] && (left[63:32] != '0 || left[31:0] >= bytes) &&
                   {1'b0, addr} + 65'(bytes) <= {1'b1, 64'd0} && !host[64];
  assign due     = !known ? tern_abi_pkg::ST_BAD_KEY : !mine ? tern_abi_pkg::ST_NOT_OWNER :
                   !allowed ? tern_abi_pkg::ST_BAD_RIGHTS : !fits ? tern_abi_pkg::ST_BAD_RANGE
                   : tern_abi_pkg::ST_OK;

  always_ff @(posedge clk_i) begin
    if (!first && age_q < 3'(Takes)) NotBefore: assert (age_q == 3'd1 || done == '0);
    if (age_q == 3'(Takes)) begin
      Asker:   assert (done == taken_q && (taken_q & ~asked_q) == '0 &&
                       (taken_q & (taken_q - 4'd1)) == '0);
      Verdict: assert (status == due);
      Place:   assert (status != '0 || haddr == host[63:0]);
      Owner:   assert (status != '0 || (owner == meta[23:16] && counter == meta[15:0]));
      Counted: assert (st_check && st_refused == (due != '0));
    end
  end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
// Retry buffer: keeps sent packets until the peer acknowledges them, to send them again
// (go-back-N).
//
// The buffer stores each beat taken (`we_i`), which also leaves at once unless a retry is in
// progress. A packet gets the next of 64 sequence numbers with its first beat. The peer reports the
// number it expects next (`ack_i`), and earlier packets are dropped. A retry starts on `nak_i`, or
// after 2^RetryLog2 cycles without progress. At the end of the current packet, all packets from the
// expected number on are sent again; no new beat is taken meanwhile.
//
// `room_o`: a whole packet fits. Beats to be sent again come on `again_*`, one a cycle.
`default_nettype none

module tern_link_replay #(
  parameter int unsigned DataW     = 64,
  parameter int unsigned Beats     = 512,
  parameter int unsigned MaxBeats  = 69,
  parameter int unsigned RetryLog2 = 13
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  // beats sent for the first time
  output logic             open_o,       // they may come now
  input  logic             we_i,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [DataW-1:0] data_i,
  output logic [5:0]       seq_o,        // number of the packet that begins
  output logic             room_o,
  // from the peer
  input  logic             told_i,
  input  logic [5:0]       ack_i,
  input  logic             nak_i,
  // beats sent again
  output logic             again_valid_o,
  input  logic             again_ready_i,
  output logic             again_sop_o,
  output logic             again_eop_o,
  output logic             again_err_o,
  output logic [DataW-1:0] again_data_o
);

  localparam int unsigned PtrW    = $clog2(Beats);
  localparam int unsigned Packets = 16;

  // ----------------------------------------------------- contents and acknowledgements
  logic [PtrW-1:0] put_q, start, base;
  logic [5:0]      next_q, base_q, fresh, flying;
  logic            alive, midway_q, believed, progress, room_q;

  assign alive    = rst_ni && up_i;
  assign seq_o    = next_q;
  assign flying   = next_q - base_q;
  assign fresh    = ack_i - base_q;
  assign believed = told_i && fresh <= flying;
  assign progress = believed && fresh != '0;
  assign base     = flying == '0 ? put_q : start;

  tern_lutram #(.Width(PtrW), .Words(Packets)) u_starts (
    .clk_i,
    .raddr_i(base_q[3:0]), .rdata_o(start),
    .we_i(we_i && sop_i), .waddr_i(next_q[3:0]), .wdata_i(put_q)
  );

  // Room is up to two cycles old when a packet begins, hence a margin of a few beats.
  logic [PtrW-1:0] used_q;
  assign room_o = room_q;
  always_ff @(posedge clk_i) begin
    used_q <= put_q - base;
    room_q <= used_q < PtrW'(Beats - MaxBeats - 8) && flying < 6'(Packets - 2);
    if (!alive) begin
      put_q  <= '0;
      next_q <= '0;
      base_q <= '0;
    end else begin
      if (we_i) put_q <= put_q + 1'b1;
      if (we_i && sop_i) next_q <= next_q + 6'd1;
      if (believed) base_q <= ack_i;
    end
  end

  // ------------------------------------------------------------ start of a retry
  logic [RetryLog2:0] age_q;
  logic               back_q, behind_q, hold, go_back, loaded_q, take, load;
  logic [PtrW-1:0]    get_q;

  assign hold    = back_q && !midway_q;       // between packets: the retry starts here
  assign go_back = hold;
  assign open_o  = !behind_q && !hold;

  always_ff @(posedge clk_i) begin
    if (!alive || progress || flying == '0 || age_q[RetryLog2]) age_q <= '0;
    else                                                        age_q <= age_q + 1'b1;
    back_q <= alive && ((told_i && nak_i && fresh <= flying) || age_q[RetryLog2] ||
                        (back_q && !go_back));
    if (!alive)    midway_q <= 1'b0;
    else if (we_i) midway_q <= !eop_i;
    else if (take) midway_q <= !again_eop_o;
  end

  // ------------------------------------------------------------------ retry

  assign again_valid_o = loaded_q && !hold;
  assign take          = again_valid_o && again_ready_i;
  assign load          = behind_q && !hold && get_q != put_q && (take || !loaded_q);

  always_ff @(posedge clk_i) begin
    if (go_back)   get_q <= base;
    else if (load) get_q <= get_q + 1'b1;
    if (!alive) begin
      behind_q <= 1'b0;
      loaded_q <= 1'b0;
    end else if (go_back) begin
      behind_q <= 1'b1;
      loaded_q <= 1'b0;
    end else begin
      loaded_q <= load || (loaded_q && !take);
      if (!loaded_q && get_q == put_q) behind_q <= 1'b0;
    end
  end

  tern_ram #(.Width(DataW + 3), .Words(Beats), .Block(1'b1)) u_ram (
    .clk_i,
    .ren_i(load), .raddr_i(get_q),
    .rdata_o({again_sop_o, again_eop_o, again_err_o, again_data_o}),
    .we_i(we_i), .waddr_i(put_q), .wdata_i({sop_i, eop_i, err_i, data_i})
  );

  // New beats come only while allowed, and never overwrite beats that may be sent again.
  always_ff @(posedge clk_i) begin
    if (alive) begin
      OpenFirst: assert (!we_i || open_o);
      KeptAll:   assert (!we_i || flying == '0 || PtrW'(put_q + 1'b1) != base);
    end
  end

endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
// A wire with latency, noise (beats are damaged, lost, repeated or delayed) and a switch to cut it.
`default_nettype none

module net_wire #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  int               latency_i,   // cycles from output flop to input flop, 2 to 2100
  input  int               noise_i,     // damaged beats in 100000
  input  logic             cut_i,
  input  logic             valid_i,
  input  logic [1:0]       kind_i,
  input  logic [DataW-1:0] data_i,
  output logic             valid_o,
  output logic [1:0]       kind_o,
  output logic [DataW-1:0] data_o,
  output int               damaged_o
);

  logic [DataW+2:0] line [0:4095];
  logic [DataW+2:0] beat, held;   // held: sent in an idle cycle
  logic [11:0]      at;
  int               pick, place;

  always @(posedge clk_i) begin
    beat = {valid_i && !cut_i, kind_i, data_i};
    if (!rst_ni) begin
      at        <= '0;
      damaged_o <= 0;
      held      = '0;
      valid_o   <= 1'b0;
      for (int i = 0; i < 4096; i++) line[i] = '0;
    end else begin
      if (!beat[DataW+2]) begin
        beat = held;
        held = '0;
        if (cut_i) beat = '0;
      end else if ($urandom_range(99999) < noise_i) begin
        damaged_o <= damaged_o + 1;
        // Draws each number once: inside an expression a call may run several times.
        pick  = $urandom_range(9);
        place = $urandom_range(DataW-1);
        case (pick)
          0:       beat[DataW+2] = 1'b0;
          1:       beat[DataW+1:DataW] = 2'($urandom);
          2:       held = beat;
          3: begin
            held = beat;
            beat[DataW+2] = 1'b0;
          end
          default: beat[place] ^= 1'b1;
        endcase
      end
      line[at] = beat;
      at       <= at + 12'd1;
      {valid_o, kind_o, data_o} <= line[at - 12'(latency_i - 1)];
    end
  end

endmodule

`default_nettype wire

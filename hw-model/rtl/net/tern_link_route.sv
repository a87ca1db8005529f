// SPDX-License-Identifier: Apache-2.0
// Computes the copies a node owes of a packet that arrives at port `Port`, and checks that its
// addresses lie inside the torus.
//
// Bit 0 of `owed_o`: straight on, through the opposite port. Then two bits for each later
// dimension, up and down. The top bit: the node itself. With 32-bit beats the first beat brings the
// destination, which is kept until the second (box) arrives; with 64-bit beats both come at once.
// `inside_o` concerns the current beat.
`default_nettype none

module tern_link_route #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Port  = 0,
  parameter int unsigned Ports = 2
) (
  input  logic             clk_i,
  input  logic [14:0]      dims_i,
  input  logic [14:0]      node_i,
  input  logic             first_i,
  input  logic [DataW-1:0] data_i,
  output logic             inside_o,
  output logic [Ports-2*(Port/2)-1:0] owed_o
);

  localparam int unsigned Dim  = Port / 2;
  localparam int unsigned Dims = Ports / 2;
  localparam int unsigned Owed = Ports - 2 * Dim;
  localparam int unsigned Box  = tern_abi_pkg::PKT_BOX_LSB % DataW;

  logic [14:0]   box;
  logic          deposit_d, deposit;
  logic [Dims-1:0] dst_here_d, dst_here, box_here;
  logic          dst_in, box_in;

  assign box = data_i[Box +: 15];

  // An address inside the torus.
  function automatic logic in_torus(input logic [14:0] at, input logic [14:0] dims);
    in_torus = 1'b1;
    for (int unsigned k = 0; k < 3; k++) begin
      if (k < Dims) in_torus = in_torus && at[5*k +: 5] <= dims[5*k +: 5];
      else                in_torus = in_torus && at[5*k +: 5] == '0;
    end
  endfunction

  assign deposit_d = data_i[tern_abi_pkg::PKT_DEPOSIT_LSB];
  for (genvar k = 0; k < Dims; k++) begin : g_dim
    assign dst_here_d[k] = data_i[5*k +: 5] == node_i[5*k +: 5];
    assign box_here[k]   = box[5*k +: 5] == node_i[5*k +: 5];
  end
  assign dst_in = in_torus(data_i[tern_abi_pkg::PKT_DST_LSB +: 15], dims_i);
  assign box_in = !deposit || in_torus(box, dims_i);

  if (DataW == 64) begin : g_64
    assign deposit  = deposit_d;
    assign dst_here = dst_here_d;
    assign inside_o = dst_in && box_in;
    logic unused;
    assign unused = clk_i ^ first_i;
  end else begin : g_32
    logic            deposit_q;
    logic [Dims-1:0] dst_here_q;
    always_ff @(posedge clk_i) begin
      if (first_i) begin
        deposit_q  <= deposit_d;
        dst_here_q <= dst_here_d;
      end
    end
    assign deposit  = deposit_q;
    assign dst_here = dst_here_q;
    assign inside_o = first_i ? dst_in : box_in;
  end

  logic unused_node;
  assign unused_node = ^node_i;

  // A packet that enters through an odd port travels up.
  logic stops, turned;

  assign stops = deposit && Port % 2 == 0 ? box_here[Dim] : dst_here[Dim];
  always_comb begin
    owed_o    = '0;
    owed_o[0] = !stops;
    turned    = !dst_here[Dim];
    for (int unsigned k = Dim + 1; k < Dims; k++) begin
      owed_o[2*(k-Dim)-1] = deposit ? !dst_here[k] : !turned && !dst_here[k] && !box[k];
      owed_o[2*(k-Dim)]   = deposit ? !box_here[k] : !turned && !dst_here[k] && box[k];
      turned              = turned || !dst_here[k];
    end
    owed_o[Owed-1] = deposit || !turned;
  end

endmodule

`default_nettype wire

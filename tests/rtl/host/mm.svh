// SPDX-License-Identifier: Apache-2.0
// Accesses to a block's registers, for benches that name its ports mm_*. Included inside the bench
// module.

  task automatic mm(input bit we, input logic [15:0] addr, input logic [31:0] value,
                    output logic [31:0] got);
    mm_valid <= 1'b1;
    mm_we    <= we;
    mm_addr  <= addr;
    mm_wdata <= value;
    do @(posedge clk); while (!mm_ready);
    mm_valid <= 1'b0;
    while (!mm_rvalid) @(posedge clk);
    got = mm_rdata;
  endtask

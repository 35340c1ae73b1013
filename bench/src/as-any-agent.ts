import { type AddressInfo, connect, createServer } from "node:net";
import { testbedHeader } from "@assay/protocol";

/**
 * Stands in front of a test bed and takes away the header by which Assay knows it, so that it is tested like the agent of
 * anybody else: fewer requests at a time, and none that could hurt. Bytes pass as they are; the header keeps its length.
 * Called with the port of the test bed, it prints its own.
 */
const [port] = process.argv.slice(2);
const known = Buffer.from(`\r\n${testbedHeader}:`);
const hidden = Buffer.from(`\r\n${"X".padEnd(testbedHeader.length, "-")}:`);

const server = createServer((client) => {
  const agent = connect(Number(port), "127.0.0.1");
  client.on("data", (bytes) => agent.write(bytes)).on("close", () => agent.destroy());
  agent
    .on("data", (bytes: Buffer) => {
      const at = bytes.indexOf(known);
      if (at >= 0) hidden.copy(bytes, at);
      client.write(bytes);
    })
    .on("close", () => client.destroy());
  for (const socket of [client, agent]) socket.setNoDelay(true).on("error", () => {});
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

import { type AddressInfo, connect, createServer } from "node:net";
import { testbedHeader } from "@assay/protocol";

/**
 * Starts a proxy in front of a test bed that removes the header by which Assay recognises it. Assay then tests it like
 * any other agent: with fewer requests at a time, and none that could do harm. Bytes pass unchanged, and the header
 * keeps its length. The argument is the port of the test bed; the proxy prints its own.
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

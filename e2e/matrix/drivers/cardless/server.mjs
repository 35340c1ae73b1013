// A driver of no SDK: whatever it is asked for is not there.
import { createServer } from "node:http";

const server = createServer((_request, response) => response.writeHead(404).end("nothing here"));
server.listen(0, "127.0.0.1", () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const agents = { echo: `${base}/echo`, spec: `${base}/spec` };
  process.stdout.write(`${JSON.stringify({ ready: true, sdk: { name: "cardless", version: "1.0.0" }, agents })}\n`);
});
process.stdin.on("close", () => process.exit(0)).resume();

// A driver of no SDK: it reads cards, echoes what it is sent, and ends in the middle of a stream.
import { createInterface } from "node:readline";

const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

createInterface(process.stdin)
  .on("line", async (line) => {
    const { id, op, target } = JSON.parse(line);
    if (op === "stream") {
      process.stderr.write("out of streams\n");
      process.exit(7);
    }
    const answer = await fetch(`${target.card}/.well-known/agent-card.json`);
    if (op === "card") return write({ id, result: await answer.json() });
    write({ id, error: { kind: "unsupported", message: "It has no such method." } });
  })
  .on("close", () => process.exit(0));
write({ ready: true, sdk: { name: "dying", version: "1.0.0" }, model: "1.0" });

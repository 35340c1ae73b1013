/**
 * Our good client as a program that stays (`assay client --stdin`): it reads situations from stdin and answers each with one line.
 * With `--hang <situation>` it never answers that one, with `--die <situation>` it ends there. With `--once now` it
 * ends after its first answer, with `--once late` when it gets the second situation. It counts its starts in STARTS_FILE.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { runClient } from "./client.js";

const { values } = parseArgs({
  options: { hang: { type: "string" }, die: { type: "string" }, once: { type: "string" } },
});
let answered = 0;
if (process.env.STARTS_FILE) appendFileSync(process.env.STARTS_FILE, "started\n");

for await (const line of createInterface(process.stdin)) {
  const { id, environment } = JSON.parse(line);
  if (values.once === "late" && answered > 0) process.exit(0);
  if (environment.ASSAY_SITUATION === values.hang) continue;
  if (environment.ASSAY_SITUATION === values.die) process.exit(3);
  const [output, errors] = [[], []];
  const exit = await runClient({
    env: environment,
    print: (text) => output.push(text),
    complain: (text) => errors.push(text),
  });
  console.log(JSON.stringify({ id, exit, output: output.join("\n"), errors: errors.join("\n") }));
  answered += 1;
  if (values.once === "now") process.exit(0);
}

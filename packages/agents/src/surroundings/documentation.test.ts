import { resolve } from "node:path";
import { expect, test } from "vitest";
import { surroundingVariants } from "../variants/surroundings.ts";
import { surroundings } from "./index.ts";

const onTheWay = surroundings.map(({ id, what }) => `| \`${id}\` | ${what} |`).join("\n");
const inItsWords = surroundingVariants
  .map(({ id, base, does }) => `| [\`/variants/${id}\`](mutants.md) | /${base} | ${does} |`)
  .join("\n");

const page = `# Surroundings

The tables are written by \`packages/agents/src/surroundings/documentation.test.ts\`: after a change of the rows, run it
with \`npx vitest run packages/agents/src/surroundings/documentation.test.ts -u\`.

A good agent behind something unfortunate: a gateway that answers for it, a restart, a connection that is reset, a model that
thinks. None of it is the agent's fault, so a tester may accuse the agent of nothing, and a client has to live with it.

## On the way to the agent

| id | what a client meets |
| --- | --- |
${onTheWay}

They stand in front of an agent of the test bed, on a port of their own; the card of the agent then names that port. HTTP
requests are treated as the table says. gRPC is passed on byte by byte, and stops only where the table says so or nothing
listens any more.

\`\`\`ts
import { startTestbed } from "@assay/agents";
import { startSurroundings } from "@assay/agents/surroundings";

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
const proxy = await startSurroundings({ behind: \`\${bed.url}/spec\`, variant: "gateway-blip" });
// ... talk to proxy.url ...
await proxy.close();
\`\`\`

\`timeScale\` shortens every delay, \`successor\` is the same agent on another test bed (for \`restart-forgets\`), and
\`proxy.troubled\` says how many requests met something else than the agent as it is.

## In what the agent says

Served by every test bed, like all variants.

| where | made from | what it does |
| --- | --- | --- |
${inItsWords}

## How they are tested

\`e2e/surroundings\` runs the suite over each: no rule may fail, and the run comes to what its row says (\`rows.case.ts\`).
What the suite does not see through yet is listed in \`not-yet.case.ts\` with the rules that it blames; a row there that is not
needed any more fails its test. A new surrounding is a row in \`packages/agents/src/surroundings\`, one in
\`surroundings.test.ts\` beside it (what a client sees of it) and one in \`e2e/surroundings/rows.case.ts\`.
`;

test("docs/surroundings.md lists every surrounding", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/surroundings.md"));
});

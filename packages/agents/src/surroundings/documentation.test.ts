import { resolve } from "node:path";
import { expect, test } from "vitest";
import { surroundingVariants } from "../variants/surroundings.ts";
import { surroundings } from "./index.ts";

const onTheWay = surroundings.map(({ id, what }) => `| \`${id}\` | ${what} |`).join("\n");
const inItsWords = surroundingVariants
  .map(({ id, base, does }) => `| [\`/variants/${id}\`](mutants.md) | /${base} | ${does} |`)
  .join("\n");

const page = `# Surroundings

After reading this page you can put a good agent behind a faulty gateway, a restart or a broken connection, and see how your client or tester reacts.

\`\`\`ts
import { startTestbed } from "@assay/agents";
import { startSurroundings } from "@assay/agents/surroundings";

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
const proxy = await startSurroundings({ behind: \`\${bed.url}/spec\`, variant: "gateway-blip" });
// ... talk to proxy.url ...
await proxy.close();
\`\`\`

| Name | Meaning |
| --- | --- |
| \`timeScale\` | factor for every delay (default: 1) |
| \`successor\` | the same agent on another test bed, for \`restart-forgets\` |
| \`proxy.troubled\` | number of requests that did not reach the unchanged agent |

The agent is not at fault in any of them. A tester must not blame it, and a client must cope.

## On the way to the agent

| id | what happens |
| --- | --- |
${onTheWay}

Each runs in front of an agent of the test bed, on its own port, and the card of the agent names that port. HTTP
requests are treated as the table says. gRPC is passed on byte by byte. Assay cuts a gRPC connection only if the table says so, or if the agent no longer listens.

## In the responses of the agent

Every test bed serves these, like all variants.

| where | made from | what it does |
| --- | --- | --- |
${inItsWords}

## How they are tested

\`e2e/surroundings\` runs the suite on each. No rule may fail, and the result must be the one in \`rows.fixture.ts\`.

A new surrounding needs three rows:

- in \`packages/agents/src/surroundings\`: the surrounding;
- in \`surroundings.test.ts\` beside it: what a client sees;
- in \`e2e/surroundings/rows.fixture.ts\`: the result of a run.

The tables are generated. After a change, run \`npx vitest run packages/agents/src/surroundings/documentation.test.ts -u\`.
`;

test("docs/surroundings.md lists every surrounding", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/surroundings.md"));
});

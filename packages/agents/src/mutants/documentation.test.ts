import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Divergence } from "../definition/divergence.ts";
import { variants } from "../variants/index.ts";

const placeOf = ({ differs }: Divergence): string => Object.keys(differs(1).layers ?? {})[0] ?? "declaration";

const table = (members: readonly Divergence[]): string =>
  [
    "| id | made from | where | what it does |",
    "| --- | --- | --- | --- |",
    ...members.map((member) => `| \`${member.id}\` | /${member.base} | ${placeOf(member)} | ${member.does} |`),
  ].join("\n");

const page = `# Mutants and variants

After reading this page you can serve an agent that breaks one rule, or one that is unusual but correct, and test your own tester or client on it.

\`\`\`
assay serve
assay test http://127.0.0.1:4040/variants/pretty-json
\`\`\`

## Mutants (\`/mutants/<id>\`): each breaks one rule

- The id is the id of the rule and a word.
- \`GET /mutants\` lists them: id, address, base agent and behaviour. \`assay explain <rule>\` names those of a rule.
- \`assay serve --mutant <id>\` serves a mutant instead of its base agent.
- Rules that begin with \`V03\`, \`V02\` or \`V01\` exist in no later version.
- \`/mutants/<id>@spec03\` has the same fault in 0.3 and is made from \`/spec03\`. \`@0.3\` is the mutant itself as an agent of that version.

## Variants (\`/variants/<id>\`): unusual, but within the rules

Each has its source in [ambiguities.md](spec/ambiguities.md) (AMB-nn) or [real-world.md](spec/real-world.md) (A*n*);
the code names it. The column *where* is the layer that differs (\`packages/agents/src/definition/layers.ts\`), in the order of a request:

| Layer | Content |
| --- | --- |
| \`http\` | the bytes |
| \`grpc\` | frames and trailers |
| \`admission\` | authentication, version, extensions and tenant |
| \`operations\` | the operations of A2A |
| \`events\` | the events of a skill |
| \`codec\` | the JSON of responses |
| \`card\`, \`push\` | the card and push notifications |

${table(variants)}

The page is generated from the registries. After a change, run \`npx vitest run packages/agents/src/mutants/documentation.test.ts -u\`.
`;

test("docs/mutants.md lists every variant", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/mutants.md"));
});

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

Written by \`packages/agents/src/mutants/documentation.test.ts\` from the registries: after a change there, run it
with \`npx vitest run packages/agents/src/mutants/documentation.test.ts -u\`.

*Where* is the layer that differs (\`packages/agents/src/definition/layers.ts\`), in the order a request passes them: \`http\` the
bytes, \`grpc\` frames and trailers, \`admission\` authentication, version, extensions and tenant, \`operations\`, \`events\`
what a skill says, \`codec\` the JSON that is written; beside them \`card\` and \`push\`.

## Mutants (\`/mutants/<id>\`): each breaks one rule

The id is the rule's, and a word. \`assay serve --mutant <id>\` puts one in the place of the agent it is made from.
Rules that begin with \`V03\`, \`V02\` or \`V01\` are those that no later version has. \`/mutants/<id>@spec03\` misbehaves in the
same way in 0.3, made from \`/spec03\`; \`@0.3\` is the mutant itself as it would have been in that version.

\`GET /mutants\` of the test bed lists them: id, address, the agent it is made from, and what it does. \`assay explain <rule>\`
names those of a rule.

## Variants (\`/variants/<id>\`): odd, but within the rules

Each has its source in [ambiguities.md](spec/ambiguities.md) (AMB-nn) or [real-world.md](spec/real-world.md) (A*n*);
the code names it.

${table(variants)}
`;

test("docs/mutants.md lists every variant", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/mutants.md"));
});

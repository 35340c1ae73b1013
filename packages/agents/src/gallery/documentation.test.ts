import { resolve } from "node:path";
import { expect, test } from "vitest";
import { addressOf, commands, gallery, toldTo } from "./index.ts";

/** Writes one value if all commands share it; otherwise one for each group of commands. */
function cell(each: Readonly<Record<(typeof commands)[number], string | number>>): string {
  const values = [...new Set(commands.map((command) => each[command]))];
  if (values.length === 1) return String(values[0]);
  return values
    .map((value) => `${commands.filter((command) => each[command] === value).join(", ")}: ${value}`)
    .join("<br>");
}

const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<seconds>", "&lt;seconds&gt;");

const rows = gallery.map((exhibit) => {
  const { id, what, flags = [], says, todo = "nothing", exit } = exhibit;
  const address = addressOf(exhibit);
  const typed = [...(address === `/gallery/${id}` ? [] : [address]), ...flags].join(" ");
  const told = [what, cell(toldTo(says)), todo, cell(toldTo(exit))].map(escaped);
  return `| \`${id}\`${typed && `<br>${typed}`} | ${told.join(" | ")} |`;
});

const page = `# The gallery

Written by \`packages/agents/src/gallery/documentation.test.ts\` from the rows: after a change there, run it
with \`npx vitest run packages/agents/src/gallery/documentation.test.ts -u\`.

First contacts as the wild has them: the address, the card or the endpoint is not what it should be, or looks as if it were not.
Every test bed serves them below \`/gallery/<id>\`, and \`GET /gallery\` lists them. Each says what \`assay test <address> --depth quick\`,
\`assay card <address>\` and \`assay send <address> hello\` have to say about it, what to do, and how they end: 0 fine, 1 the agent is at fault, 2 there
is nothing to judge. \`{typed}\` is the address as it was typed (that of the exhibit, or what stands below its id), \`{at}\` the exhibit, \`{origin}\` and \`{host}\`
those of the test bed.

| exhibit | what is there | what is said | what to do | exit |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

\`e2e/gallery\` compares. What is not said yet is listed in \`not-yet.case.ts\` with what is said today; a row there that is not needed
any more fails its test. \`tls.test.ts\` adds certificates that are not to be trusted, which need a port of their own.
`;

test("docs/gallery.md lists every exhibit", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/gallery.md"));
});

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
  const { id, what, flags = [], says, fix = "nothing", exit } = exhibit;
  const address = addressOf(exhibit);
  const typed = [...(address === `/gallery/${id}` ? [] : [address]), ...flags].join(" ");
  const told = [what, cell(toldTo(says)), fix, cell(toldTo(exit))].map(escaped);
  return `| \`${id}\`${typed && `<br>${typed}`} | ${told.join(" | ")} |`;
});

const page = `# The gallery

After reading this page you can show your client wrong addresses, cards and endpoints as real agents have them, and see what Assay says about each.

\`\`\`
assay serve
assay test http://127.0.0.1:4040/gallery/card-404/.well-known/agent-card.json
\`\`\`

In each exhibit the address, the card or the endpoint is wrong, or looks wrong. Every test bed serves them below \`/gallery/<id>\`,
and \`GET /gallery\` lists them. The table shows the output of three commands, the fix and the exit code. If the commands differ, it shows each:

- \`assay test <address> --depth quick\`
- \`assay card <address>\`
- \`assay send <address> hello\`

| Exit code | Meaning |
| --- | --- |
| 0 | no problem |
| 1 | the agent is at fault |
| 2 | there is nothing to judge |

| Placeholder | Meaning |
| --- | --- |
| \`{typed}\` | the address as you typed it: the exhibit, or the address below its id |
| \`{at}\` | the address of the exhibit |
| \`{origin}\`, \`{host}\` | origin and host of the test bed |

| Exhibit | Situation | Output | Fix | Exit |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

\`e2e/gallery\` compares the table with the real output. \`tls.test.ts\` adds untrusted certificates, which need their own port.

The page is generated from the exhibits. After a change, run \`npx vitest run packages/agents/src/gallery/documentation.test.ts -u\`.
`;

test("docs/gallery.md lists every exhibit", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/gallery.md"));
});

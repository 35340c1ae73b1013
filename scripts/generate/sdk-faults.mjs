import { parse } from "yaml";

const languages = ["python", "js", "go", "java"];

/** Returns the table of `sdk-faults.yaml`. Throws for rows with unknown names. */
export function sdkFaultsIn(yaml, catalogues) {
  const { sdks, faults } = parse(yaml);
  const known = new Set(Object.values(catalogues).flatMap((rules) => rules.map(({ id }) => id)));
  for (const [name, { calls, marks, releases }] of Object.entries(sdks)) {
    if (calls !== undefined && !languages.includes(calls)) refuse(name, `has calls "${calls}"`);
    for (const { error, body } of marks) new RegExp(error ?? body ?? "");
    if (!releases.length) refuse(name, "has no release");
  }
  for (const row of faults) {
    const name = `${row.sdk} ${row.rules}`;
    const versions = sdks[row.sdk]?.releases.map(({ version }) => version) ?? [];
    if (row.versions.some((version) => !versions.includes(version))) refuse(name, "names an unknown release");
    const strange = row.rules.find((rule) => !known.has(rule) && !(rule === "*" && row.answer !== undefined));
    if (strange !== undefined) refuse(name, `names the unknown rule ${strange}`);
    for (const member of ["seen", "workaround"]) if (!row[member]) refuse(name, `needs ${member}`);
    if (!row.upstream?.title || !row.upstream.body) refuse(name, "needs upstream.title and upstream.body");
  }
  return { sdks, faults };
}

/** Returns the calls of `sdk-calls.yaml`, one for each language. */
export function sdkCallsIn(yaml, catalogues) {
  const calls = parse(yaml);
  const known = new Set(Object.values(catalogues).flatMap((rules) => rules.map(({ id }) => id)));
  for (const [rule, row] of Object.entries(calls)) {
    if (!known.has(rule)) refuse(rule, "is not a rule");
    if (languages.some((language) => !row[language])) refuse(rule, `needs ${languages.join(", ")}`);
  }
  return calls;
}

function refuse(name, because) {
  throw new Error(`sdk-faults: ${name} ${because}.`);
}

export function sdkFaultsOf({ sdks, faults }) {
  const facts = Object.entries(sdks).map(([name, { package: packageName, language, calls, releases }]) => [
    name,
    { package: packageName, language, ...(calls && { calls }), releases },
  ]);
  // Upstream issues are only on the page, not in reports.
  const rows = faults.map(({ upstream: _, ...row }) => row);
  return `
import type { KnownSdk, SdkFault } from "../report/sdk-faults.ts";

export const sdks: Readonly<Record<string, KnownSdk>> = ${JSON.stringify(Object.fromEntries(facts), null, 2)};

export const sdkFaults: readonly SdkFault[] = [
${rows.map((row) => `  ${JSON.stringify(row)},\n`).join("")}];
`;
}

export const sdkMarksOf = ({ sdks }) => `
import type { SdkMark } from "../sdk-faults/recognise-sdk.ts";

/** What only this SDK writes. */
export const sdkMarks: Readonly<Record<string, readonly SdkMark[]>> = ${JSON.stringify(
  Object.fromEntries(Object.entries(sdks).map(([name, { marks }]) => [name, marks])),
  null,
  2,
)};
`;

export const sdkCallsOf = (calls) => `
import type { SdkLanguage } from "../report/sdk-faults.ts";

/** The call of each SDK that avoids a failure, by rule. */
export const sdkCalls: Readonly<Record<string, Readonly<Record<SdkLanguage, string>>>> = ${JSON.stringify(calls, null, 2)};
`;

/** docs/known-sdk-faults.md */
export function sdkFaultsPage({ sdks, faults }) {
  const section = ([name, { package: packageName, language, marks, releases }]) => {
    const own = faults.filter(({ sdk }) => sdk === name);
    const pages = [...new Set(releases.flatMap((release) => release.pages))];
    return [
      `## ${packageName} (${language})`,
      "",
      `\`--sdk ${name}\`. Versions: ${releases.map(({ version }) => version).join(", ")}. ${
        marks.length ? "Assay recognises it." : "Assay cannot recognise it; state it with `--sdk`."
      } Findings: ${pages.map((page) => `[${page}](findings/${page})`).join(", ")}.`,
      "",
      ...own.flatMap(faultLines),
    ];
  };
  return `<!-- Generated from packages/suite/src/sdk-faults/sdk-faults.yaml by \`npm run generate\`. Do not edit. -->
${intro}
${Object.entries(sdks).flatMap(section).join("\n").trim()}
`;
}

const faultLines = ({ versions, rules, bindings, dialects, seen, workaround, upstream }) => [
  `### ${rules.filter((rule) => rule !== "*").join(", ")}: ${seen.replace(/\.$/, "")}`,
  "",
  `- **On:** ${versions.join(", ")}; A2A ${dialects.join(", ")}; ${bindings ? bindings.join(", ") : "every binding"}`,
  `- **Workaround:** ${workaround}`,
  `- **Upstream issue:** ${upstream.title}`,
  "",
  `  > ${upstream.body.trim()}`,
  "",
];

const intro = `
# Known SDK faults

Some failures are faults of the SDK or framework that an agent is built with, and its author cannot fix them. Assay knows the
faults below. When a failure matches one, every report says so and names a workaround:

    known   known fault of a2a-sdk 1.3.0, not your code. Workaround: …

The failure still counts. Two flags change what Assay does (\`sdk\` in \`assay.yaml\` and the library option \`sdk\` do the same as the first):

| flag | effect |
|---|---|
| \`--sdk a2a-python@1.3.0\` | state the SDK and its version; without a version, the newest one below that speaks the agent's protocol version |
| \`--ignore-known-sdk\` | accept known SDK faults as a baseline does: they are \`expected\`, and the exit code is 0 when nothing else fails |

Without \`--sdk\`, Assay recognises an SDK by what only this SDK writes: error messages, the form of answers, members of the card. Two such
marks are needed, and no mark of another SDK may appear. Headers such as \`server: uvicorn\` are never enough. A recognised SDK has
no version, so the newest release that speaks the agent's protocol version is assumed.

Each fault has the text of an issue for the SDK's project.
`;

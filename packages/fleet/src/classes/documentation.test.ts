import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type AgentClass, agentClasses } from "./agent-class.ts";
import { type ReasonCode, reasons } from "./reasons.ts";

/** What each class says about an agent, in a sentence. */
const meanings: Record<AgentClass, string> = {
  working: "It answers in A2A, and breaks no rule that was examined.",
  "rules-broken": "It answers in A2A, and breaks rules.",
  "login-required": "It works only for callers with credentials. That is not a failure.",
  "payment-required": "It works only for callers that pay. That is not a failure.",
  "card-invalid": "There is a card, and it is none.",
  "no-usable-interface": "Its card leads to no address that can be called.",
  "endpoint-missing": "Nothing is served where its card belongs, or where it leads.",
  "something-else": "What answers is not A2A, or another version of it than its card says.",
  "timed-out": "It takes longer than we wait. A slow agent is not an unreachable one.",
  unreachable:
    "The agent did not answer: the connection failed, its name did not resolve, or its certificate is invalid.",
  "refused-by-guard": "We do not contact that address unasked. That says nothing about the agent.",
  "opted-out": "It does not want to be examined. That says nothing about the agent.",
  "not-examined": "We could not, or did not, examine it. That says nothing about the agent.",
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

const sections = agentClasses.map((named) => {
  const codes = (Object.keys(reasons) as ReasonCode[]).filter((code) => reasons[code].class === named);
  const rows = codes.map((code) => {
    const { says, remedy, mayPass } = reasons[code];
    return `| \`${code}\` | ${cell(says)} | ${cell(remedy)} | ${mayPass ? "yes" : ""} |`;
  });
  return `## ${named}\n\n${meanings[named]}\n\n| reason | what was seen | what to do | tried again |\n|---|---|---|---|\n${rows.join("\n")}\n`;
});

const page = `# The classes of a fleet

Written by \`packages/fleet/src/classes/documentation.test.ts\` from \`reasons.ts\`: after a change there, run it
with \`npx vitest run packages/fleet/src/classes/documentation.test.ts -u\`.

Every agent of a sweep is in one class, for one reason. Facts and codes decide the class, never the text of a message. A reason belongs to exactly one class.
A reason marked "tried again" may be temporary. Assay tries the agent up to \`--attempts\` times, with pauses, before the reason counts ([fleet.md](fleet.md)).

${sections.join("\n")}`;

test("docs/fleet-classes.md has every reason", async () => {
  await expect(page).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../docs/fleet-classes.md"));
});

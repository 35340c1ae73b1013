import { existsSync, writeFileSync } from "node:fs";
import { usualConfig } from "@assay/library/config";
import { type Connection, clientOptions, connect, findCard, parseAddress, readCard } from "@assay/library/connection";
import { reasonOf } from "@assay/library/runs";
import { version } from "@assay/library/version";
import type { NormalisedCard } from "@assay/protocol";
import { jsonText } from "@assay/protocol/escape";
import { hasKeywordSkills, readsText, testAgent } from "@assay/suite";
import type { LearnedPrompt } from "@assay/suite/report";
import type { FoundCard } from "@assay/wire";
import type { InitFlags } from "../commands/init.ts";
import { addToAgentsMd } from "../config/agents-md.ts";
import { type AgentSketch, templateFor } from "../config/template.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `assay init`: writes assay.yaml for the agent, the paragraph for coding agents, or both. */
export async function initProject(url: string | undefined, flags: InitFlags, screen: Screen): Promise<ExitCode> {
  if (url === undefined && !flags.agentsMd)
    throw new UsageError("No agent to read.", "Pass its address: assay init http://127.0.0.1:9999");
  if (url !== undefined) await writeConfig(url, flags, screen);
  if (flags.agentsMd) screen.line(addToAgentsMd());
  return exitCodes.fine;
}

/** Finds the card, learns from a few messages, and writes suitable settings. */
async function writeConfig(url: string, flags: InitFlags, screen: Screen): Promise<void> {
  const file = flags.config ?? usualConfig();
  const refuse = (): never => {
    throw new UsageError(
      `${file} already exists`,
      "Overwrite it with --force, or write another file with --config <file>.",
    );
  };
  // Fail before Assay contacts the agent.
  if (!flags.force && existsSync(file)) refuse();
  const connection = await connect(url, flags, screen);
  try {
    const found = await findCard(url, connection);
    const read = sketchOf(parseAddress(url), found, await readCard(connection, found));
    const sketch = { ...read, learned: await learnedOf(read, connection, flags, screen) };
    const text = templateFor(connection.mask.value(sketch));
    if (connection.mask.text(sketch.url) !== sketch.url)
      screen.complain(`The address contains a secret, which Assay does not save. Complete url in ${file}.`);
    try {
      writeFileSync(file, text, { flag: flags.force ? "w" : "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") refuse();
      throw new UsageError(`Cannot write ${file} (${reasonOf(error as NodeJS.ErrnoException)})`);
    }
  } finally {
    await connection.clients.close();
  }
  screen.line(`Wrote ${file}. Review it, then run: assay test${flags.config === undefined ? "" : ` --config ${file}`}`);
}

/** The default number of messages to learn from. */
const usualBudget = 8;

/** Tries messages in the same order as a test does. */
async function learnedOf(
  agent: Pick<AgentSketch, "url" | "skills">,
  { headers, query, secrets }: Connection,
  flags: InitFlags,
  screen: Screen,
): Promise<readonly LearnedPrompt[]> {
  const { budget = usualBudget, useExamples, trustHosts } = flags;
  // For these skills, the messages are known.
  if (budget === 0 || hasKeywordSkills(agent)) return [];
  screen.line(
    `Trying messages to learn how the agent behaves: at most ${plural(budget, "message")}. --budget 0 sends none.`,
  );
  const run = testAgent({
    url: agent.url,
    run: "init",
    version,
    connection: clientOptions([new URL(agent.url)], flags),
    headers,
    query,
    secrets,
    ...(trustHosts && { trustHosts }),
    depth: "full",
    // A test uses an eighth of its budget to try messages. The plain message comes before these.
    budget: Math.max(1, 8 * (budget - 1)),
    learnOnly: true,
    ...(useExamples && { useExamples }),
  });
  let learned: readonly LearnedPrompt[] = [];
  for await (const event of run) {
    if (event.event === "learned") learned = event.prompts;
    if (event.event === "run-finished" && event.message !== undefined) screen.line(escapeText(event.message));
  }
  return learned;
}

/** Reads the relevant members of the card, also from cards of older versions and with errors. */
function sketchOf(url: URL, { json }: FoundCard, { card, interfaces }: NormalisedCard): Omit<AgentSketch, "learned"> {
  const hosts = interfaces.flatMap((each) => (URL.canParse(each.url) ? [new URL(each.url).hostname] : []));
  return {
    url: url.href,
    name: text(json["name"]),
    version: text(json["version"]),
    skills: (card?.skills ?? []).map(({ id, name, examples }) => ({
      id: text(id),
      name: text(name),
      examples: (examples ?? []).map(text).filter(Boolean),
    })),
    logins: Object.values(card?.securitySchemes ?? {}).flatMap(loginOf),
    needsLogin: (card?.securityRequirements ?? []).length > 0,
    otherHosts: [...new Set(hosts.filter((host) => host && host !== url.hostname))].slice(0, 10),
    hasPush: card?.capabilities?.pushNotifications === true,
    readsText: readsText({ inputModes: card?.defaultInputModes ?? [], skills: card?.skills ?? [] }),
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

type Scheme = NonNullable<NonNullable<NormalisedCard["card"]>["securitySchemes"]>[string];

/** Returns the assay.yaml line with credentials for a security scheme. */
function loginOf(scheme: Scheme): string[] {
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = scheme;
  // Cards of 0.1 only have names of schemes, and this is one of them.
  if (http && /^api-?key$/i.test(http.scheme ?? "")) return ["apiKey: X-API-Key=env:AGENT_KEY"];
  if (http) return [/^basic$/i.test(http.scheme ?? "") ? "basic: user:env:AGENT_PASSWORD" : "bearer: env:AGENT_TOKEN"];
  if (key)
    return /^[\w-]+$/.test(key.name ?? "") ? [`apiKey: ${keyPlaces[key.location] ?? ""}${key.name}=env:AGENT_KEY`] : [];
  if (scheme.mtlsSecurityScheme) return ["cert: agent.pem\nkey: agent.key"];
  const { oauth2SecurityScheme: oauth, openIdConnectSecurityScheme: openId } = scheme;
  if (!oauth && !openId) return [];
  const tokenUrl = oauth?.flows?.clientCredentials?.tokenUrl;
  // The second line becomes a comment: the operator decides where a secret goes, not the card.
  return [
    "bearer: env:AGENT_TOKEN",
    ...(tokenUrl === undefined
      ? []
      : [`oauth: { client: me, secret: env:AGENT_SECRET, tokenUrl: ${jsonText(text(tokenUrl))} }`]),
  ];
}

/** Returns the prefix of an API key that is not in a header. */
const keyPlaces: Readonly<Record<string, string>> = { query: "query:", cookie: "cookie:" };

import { existsSync, writeFileSync } from "node:fs";
import type { NormalisedCard } from "@assay/protocol";
import { readsText } from "@assay/suite";
import type { FoundCard } from "@assay/wire";
import type { InitFlags } from "../commands/init.ts";
import { usualConfig } from "../config/assay-yaml.ts";
import { type AgentSketch, templateFor } from "../config/template.ts";
import { connect, findCard, parseAddress, readCard } from "../connection.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { reasonOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

/** The whole command: find the card, and write down what it says about testing the agent. */
export async function writeConfig(url: string, flags: InitFlags, screen: Screen): Promise<ExitCode> {
  const file = flags.config ?? usualConfig;
  const refuse = (): never => {
    throw new UsageError(
      `${file} is there already`,
      "Nothing was written. --force writes over it, --config elsewhere.",
    );
  };
  // Said before the agent is asked for anything.
  if (!flags.force && existsSync(file)) refuse();
  const connection = await connect(url, flags, screen);
  try {
    const found = await findCard(url, connection);
    const sketch = sketchOf(parseAddress(url), found, await readCard(connection, found));
    const text = templateFor(connection.mask.value(sketch));
    if (connection.mask.text(sketch.url) !== sketch.url)
      screen.complain(`The address holds a secret, which is not written down: url in ${file} wants to be completed.`);
    try {
      writeFileSync(file, text, { flag: flags.force ? "w" : "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") refuse();
      throw new UsageError(`${file} cannot be written (${reasonOf(error as NodeJS.ErrnoException)})`);
    }
  } finally {
    await connection.clients.close();
  }
  screen.line(`${file} is written. Look through it, then: assay test`);
  return exitCodes.fine;
}

/** What the card says, as far as it matters here; cards of every age and with every fault are read. */
function sketchOf(url: URL, { json }: FoundCard, { card, interfaces }: NormalisedCard): AgentSketch {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
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

type Scheme = NonNullable<NonNullable<NormalisedCard["card"]>["securitySchemes"]>[string];

/** The line of assay.yaml by which a scheme is served. */
function loginOf(scheme: Scheme): string[] {
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = scheme;
  // Cards of 0.1 have names alone, and this is one of them.
  if (http && /^api-?key$/i.test(http.scheme ?? "")) return ["apiKey: X-API-Key=env:AGENT_KEY"];
  if (http) return [/^basic$/i.test(http.scheme ?? "") ? "basic: user:env:AGENT_PASSWORD" : "bearer: env:AGENT_TOKEN"];
  if (key)
    return key.location === "header" && /^[\w-]+$/.test(key.name ?? "") ? [`apiKey: ${key.name}=env:AGENT_KEY`] : [];
  return scheme.oauth2SecurityScheme || scheme.openIdConnectSecurityScheme ? ["bearer: env:AGENT_TOKEN"] : [];
}

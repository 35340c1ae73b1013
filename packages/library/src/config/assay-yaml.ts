import { existsSync } from "node:fs";
import { UsageError } from "@assay/protocol/assay-error";
import { type Operation, operations } from "@assay/protocol/core";
import { promptKinds } from "@assay/suite";
import { type FileOptions, helpOf, optionNames, optionOf, seconds } from "@assay/suite/options";
import { z } from "zod";
import { schemaOf } from "./kind-schema.ts";
import { readYaml } from "./read-yaml.ts";

/** File names of a project's settings. The second is for projects in which another tool already uses the first. */
export const configNames = ["assay.yaml", "a2a-assay.yaml"] as const;

/** Returns the settings file of the working directory, or the name for a new one. Two files are an error. */
export function usualConfig(): string {
  const [first, second] = configNames.filter((name) => existsSync(name));
  if (second !== undefined) {
    throw new UsageError(`Found both ${first} and ${second}`, "Remove one of them, or choose one: --config <file>.");
  }
  return first ?? configNames[0];
}

const text = z.string().min(1, { message: "some text" });

const principal = z.strictObject({
  bearer: text.optional(),
  /** name=secret, query:name=secret or cookie:name=secret */
  apiKey: text.optional(),
  /** user:secret */
  basic: text.optional(),
  headers: z.record(z.string(), text).optional(),
  oauth: z
    .strictObject({
      client: text,
      secret: text.regex(/^(env:|@)/, { message: "env:NAME or @file" }),
      tokenUrl: z.url({ protocol: /^https?$/, message: "the URL of the token endpoint" }),
      scope: text.optional(),
    })
    .optional(),
  /** files of a client certificate and its key, from the folder of this file */
  cert: text.optional(),
  key: text.optional(),
});

/** A message part in the format of A2A 1.0. */
const part = z
  .strictObject({
    text: text.optional(),
    data: z.json().optional(),
    raw: z.base64({ message: "the bytes of a file in base64" }).optional(),
    url: z.url({ message: "the address of a file" }).optional(),
    mediaType: text.optional(),
    filename: text.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
  })
  .refine(
    ({ text: said, data, raw, url }) => [said, data, raw, url].filter((content) => content !== undefined).length === 1,
    { message: "one of text, data, raw and url" },
  );

const prompt = z.union([text, z.strictObject({ parts: z.array(part).min(1, { message: "at least one part" }) })], {
  error: "a text, or parts: a list of parts with text, data, raw or url",
});

const prompts = Object.fromEntries(promptKinds.map((kind) => [kind, prompt.optional()])) as Record<
  (typeof promptKinds)[number],
  z.ZodOptional<typeof prompt>
>;

/** Facts that only the operator of the agent knows. */
const expectations = z.strictObject({
  recall: z.strictObject({ ask: text, expect: text }).optional(),
  refinement: text.optional(),
  ambiguous: text.optional(),
  approvals: text.optional(),
  privilegedSkills: z.array(text).optional(),
  forbiddenOperations: z.array(z.enum(Object.keys(operations) as Operation[])).optional(),
  protectedMethods: z.array(text).optional(),
  otherCards: z.array(z.url({ protocol: /^https?$/, message: "the address of a card" })).optional(),
  silentBindings: z.array(text).optional(),
});

/** Returns the options that assay.yaml accepts below this name, or at its top level. */
function keysBelow(parent: string): Record<string, z.ZodOptional> {
  const keys = optionNames.flatMap((name) => {
    const { key = "", is, ...row } = optionOf(name);
    const [own = "", above = ""] = key.split(".").toReversed();
    const description = helpOf(row).replace(" (repeatable)", "");
    return own && above === parent ? [[own, schemaOf(is).describe(description).optional()]] : [];
  });
  return Object.fromEntries(keys);
}

/** Settings that have no command-line option. */
const ownShape = {
  url: text.describe("the agent's address, its card, or its host").optional(),
  prompts: z.strictObject(prompts).describe("prompts that trigger a behaviour").optional(),
  relay: text
    .describe(
      "prompt that makes the agent call another agent, for assay interop and --peer: {url} is its address, {text} the text to send",
    )
    .optional(),
  expectations: expectations.describe("facts that only the operator of the agent knows").optional(),
  principals: z
    .strictObject({
      default: principal.optional(),
      second: principal.optional(),
      restricted: principal.optional(),
      invalid: z.record(text, principal).optional(),
    })
    .describe(
      "credentials to call the agent with; under `invalid`, credentials that it must reject, by reason; secrets as env:NAME or @file",
    )
    .optional(),
};

/** The settings of one agent. Editors show these descriptions, which they read from `schemas/assay-yaml.json`. */
const agentShape = {
  ...ownShape,
  ...keysBelow(""),
  webhook: z
    .strictObject(keysBelow("webhook"))
    .describe("address of Assay's webhook as the agent reaches it, and the address it listens on")
    .optional(),
  timeouts: z
    .strictObject({
      ...keysBelow("timeouts"),
      start: schemaOf(seconds).describe("time limit for an agent that Assay starts, until it answers").optional(),
    })
    .describe("in seconds: idle (nothing arrives), task (until a task ends), run (the whole run), grace, start")
    .optional(),
};

/**
 * Settings that belong to one agent. At the top level of a file with several agents, they would apply to all of them.
 */
const ownKeys = ["url", "card", "principals", "trustHosts", "baseline"] as const;

const agent = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]+$/, { message: "a name of letters, digits, - and _" })
    .describe("name of the agent in the output and in file names of reports"),
  ...agentShape,
  url: text.describe("the agent's address, its card, or its host"),
});

/** The whole file. */
export const assayYamlSchema = z
  .strictObject({
    ...agentShape,
    agents: z
      .array(agent)
      .min(1, { message: "at least one agent" })
      .describe("several agents, tested one after the other; settings of one agent win over the settings above")
      .optional(),
  })
  .superRefine((said, { addIssue }) => {
    const { agents, ...above } = said as AssayYaml;
    if (!agents) return;
    for (const key of ownKeys) {
      if (above[key] !== undefined)
        addIssue({ code: "custom", path: [key], message: `no ${key} next to agents: each agent has its own` });
    }
    for (const [index, { name }] of agents.entries()) {
      if (agents.findIndex((other) => other.name === name) < index)
        addIssue({ code: "custom", path: ["agents", index, "name"], message: "a unique name" });
    }
  });

/** The settings of a project, so that its users need not repeat them on the command line. */
export interface AssayYaml extends AgentYaml {
  readonly agents?: readonly (AgentYaml & { readonly name: string })[];
}
interface AgentYaml extends z.infer<z.ZodObject<typeof ownShape>>, FileOptions {
  readonly timeouts?: { readonly start?: number };
}
export type PrincipalSettings = z.infer<typeof principal>;

/** Reads the settings of a project: the named file, or ./assay.yaml or ./a2a-assay.yaml if one exists. */
export function readAssayYaml(named?: string | false): AssayYaml & { readonly file?: string } {
  if (named === false) return {};
  const file = named ?? usualConfig();
  if (!existsSync(file)) {
    if (named === undefined) return {};
    throw new UsageError(`--config: file not found: ${named}`, "Create it: assay init <url>");
  }
  // An empty file is valid and sets nothing.
  return { ...readYaml(file, assayYamlSchema.nullable() as unknown as z.ZodType<AssayYaml | null>), file };
}

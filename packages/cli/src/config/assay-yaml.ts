import { existsSync } from "node:fs";
import { type Operation, operations } from "@assay/protocol/core";
import { promptKinds } from "@assay/suite";
import { depths, failOnChoices, requirableLevels } from "@assay/suite/report";
import { z } from "zod";
import { UsageError } from "../exit.ts";
import { readYaml } from "./read-yaml.ts";

/** Where settings are looked for unless told otherwise. */
export const usualConfig = "assay.yaml";

const text = z.string().min(1, { message: "some text" });
const seconds = z.number().positive({ message: "a number of seconds above 0" });
const whole = z.int({ message: "a whole number" }).nonnegative({ message: "a whole number from 0" });

/** YAML reads an unquoted 1.0 as the number 1. */
const dialect = z.preprocess(
  (value) => (typeof value === "number" ? value.toFixed(1) : value),
  z.enum(["0.1", "0.2", "0.3", "1.0"]),
);

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
      tokenUrl: z.url({ protocol: /^https?$/, message: "the address that gives tokens" }),
      scope: text.optional(),
    })
    .optional(),
  /** files of a client certificate and its key, from the folder of this file */
  cert: text.optional(),
  key: text.optional(),
});

/** A part as A2A 1.0 writes it. */
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

/** What only those can know who run the agent. */
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

/** What can be said of one agent. The descriptions are those that an editor shows, by `schemas/assay-yaml.json`. */
const agentShape = {
  url: text.describe("the agent, its card, or its host").optional(),
  start: text
    .describe("a command that starts the agent, run in the folder of this file and ended afterwards")
    .optional(),
  card: text.describe("where the card is, when it cannot be found from the address").optional(),
  depth: z
    .enum(depths)
    .describe("how much is asked of the agent: card, free (0 messages), quick (at most 8 messages) or full")
    .optional(),
  bindings: z
    .array(z.enum(["JSONRPC", "HTTP+JSON", "GRPC"]))
    .describe("test only these bindings")
    .optional(),
  dialects: z.array(dialect).describe("test only these protocol versions").optional(),
  skill: z
    .union([text, z.array(text).min(1)])
    .describe("the skill to speak to; a list, or all: try each with its first example")
    .optional(),
  prompts: z.strictObject(prompts).describe("what to say to bring a behaviour about").optional(),
  relay: text
    .describe(
      "what makes the agent ask another one, for assay interop and --peer: {url} is its address, {text} what to say",
    )
    .optional(),
  expectations: expectations.describe("what only those can know who run the agent").optional(),
  convention: z.enum(["tck", "acts"]).describe("the agent answers to the messages of this suite").optional(),
  useExamples: z.boolean().describe("the examples of the card's skills may be sent as messages").optional(),
  only: z
    .array(text)
    .describe("only these rules: ids, LIST-*, categories and tags such as security, sections such as §3.1.4")
    .optional(),
  skip: z.array(text).describe("all but these rules").optional(),
  principals: z
    .strictObject({
      default: principal.optional(),
      second: principal.optional(),
      restricted: principal.optional(),
      invalid: z.record(text, principal).optional(),
    })
    .describe(
      "in whose name the agent is called, and under `invalid` credentials that it must refuse, by what is wrong with them; secrets as env:NAME or @file",
    )
    .optional(),
  webhook: z
    .strictObject({ url: text.optional(), listen: text.optional() })
    .describe("where the agent reaches our webhook, and where that listens")
    .optional(),
  timeouts: z
    .strictObject({
      idle: seconds.optional(),
      task: seconds.optional(),
      run: seconds.optional(),
      grace: seconds.optional(),
      start: seconds.optional(),
    })
    .describe("in seconds: idle (nothing heard), task (until a task ends), run (all of it), grace, start")
    .optional(),
  allowHosts: z.array(text).describe("further hosts that may be contacted; they see no credentials").optional(),
  trustHosts: z.array(text).describe("further hosts, or host:port, that may see the credentials").optional(),
  contact: text.describe("goes into our User-Agent, for those who run the agent").optional(),
  budget: whole.describe("at most so many messages").optional(),
  concurrency: whole
    .describe(
      "calls at a time, and messages at a time, at most (unless given, 4 calls, and 2 to 8 messages as the agent keeps up)",
    )
    .optional(),
  rate: z
    .number()
    .positive({ message: "a number of requests a second above 0" })
    .describe("at most so many requests a second")
    .optional(),
  strict: z.boolean().describe("where the specification is unclear, take the stricter reading").optional(),
  spec: z.enum(["1.0.1-r1", "1.0.0-r1"]).describe("judge by the rules of this published text").optional(),
  production: z.boolean().describe("a production deployment: TLS and the like are expected of it").optional(),
  baseline: text.describe("a file of failures that are known and do not count").optional(),
  failOn: z.enum(failOnChoices).describe("what makes the exit code 1 besides a broken MUST").optional(),
  requireLevel: z.enum(requirableLevels).describe("the exit code is 1 below this level of conformance").optional(),
  minExamined: z
    .number()
    .min(0, { message: "a percentage from 0 to 100" })
    .max(100, { message: "a percentage from 0 to 100" })
    .describe("the exit code is 1 when a smaller share of the rules that apply was examined, in percent")
    .optional(),
};

/** What is one agent's own: an address, and what belongs to it alone. Said above several, it would go to all of them. */
const ownKeys = ["url", "card", "principals", "trustHosts", "baseline"] as const;

const agent = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]+$/, { message: "a name of letters, digits, - and _" })
    .describe("what it is called in the output and in the names of its reports"),
  ...agentShape,
  url: text.describe("the agent, its card, or its host"),
});

/** The whole file. */
export const assayYamlSchema = z
  .strictObject({
    ...agentShape,
    agents: z
      .array(agent)
      .min(1, { message: "at least one agent" })
      .describe(
        "several agents, tested one after the other; what one of them says takes the place of what stands above",
      )
      .optional(),
  })
  .superRefine(({ agents, ...above }, { addIssue }) => {
    if (!agents) return;
    for (const key of ownKeys) {
      if (above[key] !== undefined)
        addIssue({ code: "custom", path: [key], message: `no ${key} beside agents, each of which has its own` });
    }
    for (const [index, { name }] of agents.entries()) {
      if (agents.findIndex((other) => other.name === name) < index)
        addIssue({ code: "custom", path: ["agents", index, "name"], message: "a name that no other agent has" });
    }
  });

/** What a project says about its agent, so that nobody has to type it again. */
export type AssayYaml = z.infer<typeof assayYamlSchema>;
export type PrincipalSettings = z.infer<typeof principal>;

/** The settings of a project: of the file that was named, or of ./assay.yaml when there is one. */
export function readAssayYaml(named?: string | false): AssayYaml & { readonly file?: string } {
  if (named === false) return {};
  const file = named ?? usualConfig;
  if (!existsSync(file)) {
    if (named === undefined) return {};
    throw new UsageError(`--config: there is no file ${named}`, "assay init <url> writes one.");
  }
  // An empty file is a project that has nothing to say.
  return { ...readYaml(file, assayYamlSchema.nullable() as z.ZodType<AssayYaml | null>), file };
}

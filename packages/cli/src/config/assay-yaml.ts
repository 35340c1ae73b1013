import { existsSync } from "node:fs";
import { promptKinds } from "@assay/suite";
import { depths } from "@assay/suite/report";
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
  /** name=secret */
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
  protectedMethods: z.array(text).optional(),
  otherCards: z.array(z.url({ protocol: /^https?$/, message: "the address of a card" })).optional(),
  silentBindings: z.array(text).optional(),
});

const schema = z.strictObject({
  url: text.optional(),
  card: text.optional(),
  depth: z.enum(depths).optional(),
  bindings: z.array(z.enum(["JSONRPC", "HTTP+JSON", "GRPC"])).optional(),
  dialects: z.array(dialect).optional(),
  skill: text.optional(),
  prompts: z.strictObject(prompts).optional(),
  expectations: expectations.optional(),
  convention: z.enum(["tck", "acts"]).optional(),
  useExamples: z.boolean().optional(),
  only: z.array(text).optional(),
  skip: z.array(text).optional(),
  principals: z
    .strictObject({ default: principal.optional(), second: principal.optional(), restricted: principal.optional() })
    .optional(),
  webhook: z.strictObject({ url: text.optional(), listen: text.optional() }).optional(),
  timeouts: z
    .strictObject({
      idle: seconds.optional(),
      task: seconds.optional(),
      run: seconds.optional(),
      grace: seconds.optional(),
      start: seconds.optional(),
    })
    .optional(),
  allowHosts: z.array(text).optional(),
  trustHosts: z.array(text).optional(),
  contact: text.optional(),
  budget: whole.optional(),
  concurrency: whole.optional(),
  rate: z.number().positive({ message: "a number of requests a second above 0" }).optional(),
  strict: z.boolean().optional(),
  spec: z.enum(["1.0.1-r1", "1.0.0-r1"]).optional(),
  production: z.boolean().optional(),
  baseline: text.optional(),
});

/** What a project says about its agent, so that nobody has to type it again. */
export type AssayYaml = z.infer<typeof schema>;
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
  return { ...readYaml(file, schema.nullable() as z.ZodType<AssayYaml | null>), file };
}

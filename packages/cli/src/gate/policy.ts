import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readYaml } from "@assay/library/config";
import { requirableLevels } from "@assay/suite/report";
import { z } from "zod";
import { UsageError } from "../exit.ts";

const percentage = "a percentage from 0 to 100";
const text = z.string().min(1, "a text");
const atLeastOne = "a whole number above 0";

const testGate = z.strictObject({
  depth: z.enum(["card", "free", "quick", "full"]).optional(),
  failOn: z.enum(["must", "should", "not-examined"]).optional(),
  requireLevel: z.enum(requirableLevels).optional(),
  minExamined: z.number().min(0, percentage).max(100, percentage).optional(),
});

const diffGate = z.strictObject({
  released: text,
  failOn: z.enum(["breaking", "risky"]).optional(),
});

const signatureGate = z.strictObject({ key: text.optional() });

const forecastGate = z.strictObject({
  clients: z.array(text).min(1, "at least one client").optional(),
  minWorking: z.number().int(atLeastOne).min(1, atLeastOne).optional(),
});

/** A policy in the form of its file. */
export const policySchema = z.strictObject({
  test: testGate.optional(),
  cardDiff: diffGate.optional(),
  signature: signatureGate.optional(),
  forecast: forecastGate.optional(),
});

/** The requirements for an agent before its release. An absent gate is not required. */
export type GatePolicy = z.infer<typeof policySchema>;

/** Reads a policy. Files in it are relative to its folder. */
export function readPolicy(file: string): GatePolicy {
  if (!existsSync(file))
    throw new UsageError(`Policy not found: ${file}`, "Create it: docs/gate.md has an example, with all gates.");
  // A gate without a value would be dropped silently, and the release would pass without it.
  const { cardDiff, signature, ...policy } = readYaml(file, policySchema, { blanks: "keep" });
  const near = (name: string): string => resolve(dirname(file), name);
  if (policy.forecast && policy.forecast.clients === undefined && policy.forecast.minWorking === undefined)
    throw new UsageError(
      `${file}: forecast demands nothing`,
      "Add clients (a list of names) or minWorking (a number).",
    );
  if (!cardDiff && !signature && !policy.test && !policy.forecast)
    throw new UsageError(`${file}: the policy demands nothing`, "Add a gate: test, cardDiff, signature or forecast.");
  return {
    ...policy,
    ...(cardDiff && { cardDiff: { ...cardDiff, released: near(cardDiff.released) } }),
    ...(signature && {
      signature: signature.key?.match(/[\\/]|\.(json|jwks?|pem)$/i) ? { key: near(signature.key) } : signature,
    }),
  };
}

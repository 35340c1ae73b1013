import { isObject, type JsonValue } from "@assay/protocol";
import type { Test, TestPreconditions, Transport } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";
import type { ActsAgent } from "./agent.ts";

export const bindingOf = { jsonrpc: "JSONRPC", rest: "HTTP+JSON", grpc: "GRPC" } as const satisfies Record<
  Transport,
  string
>;

/** The facts of an agent that decide which tests apply. */
interface Gated {
  readonly facts: Pick<ActsAgent["facts"], "card" | "skills" | "extensions">;
  readonly targets: readonly Pick<ActsAgent["targets"][number], "on">[];
}

/** Returns why a test does not apply to an agent; undefined if it does. */
export function unmet(test: Test, { facts, targets }: Gated, apply: (rule: QuirkRule) => void): string | undefined {
  const { preconditions } = test;
  for (const [name, wanted] of Object.entries(preconditions.capabilities)) {
    const has = name === "authentication" ? asksForLogin(facts.card) : capabilityOf(facts.card, name);
    if (!fits(wanted, has))
      return name === "authentication"
        ? `the card requires ${has === true ? "" : "no "}credentials`
        : `the card ${has === true ? "declares" : "does not declare"} ${name}`;
  }
  const skill = preconditions.skills.find((id) => !facts.skills.some((each) => each.id === id));
  if (skill !== undefined) return `the card has no skill ${skill}`;
  const extension = preconditions.extensions.find((uri) => !facts.extensions.some((each) => each.uri === uri));
  if (extension !== undefined) return `the card does not declare the extension ${extension}`;
  const missing = preconditions.transports.find((each) => !targets.some(({ on }) => on.binding === bindingOf[each]));
  if (missing !== undefined) return `the card declares no ${bindingOf[missing]} interface`;
  return impliedlyUnmet(test, facts.card, apply);
}

/** Rule `authentication-capability`: schemes alone may be for the extended card. */
const asksForLogin = (card: ActsAgent["facts"]["card"]): boolean =>
  [card["securityRequirements"], card["security"]].some((each) => Array.isArray(each) && each.length > 0);

const fits = (wanted: JsonValue, has: JsonValue | undefined): boolean =>
  // An absent capability is not supported.
  wanted === false ? has !== true : JSON.stringify(wanted) === JSON.stringify(has);

function capabilityOf(card: ActsAgent["facts"]["card"], name: string): JsonValue | undefined {
  const capabilities = card["capabilities"];
  return isObject(capabilities) ? (capabilities[name] as JsonValue | undefined) : undefined;
}

/** Rule `implied-capability`. */
function impliedlyUnmet(
  { steps, preconditions }: Test,
  card: ActsAgent["facts"]["card"],
  apply: (rule: QuirkRule) => void,
): string | undefined {
  const needs: Readonly<Record<string, RegExp>> = {
    streaming: /^(send_streaming_message|subscribe_to_task)$/,
    pushNotifications: /push_config/,
  };
  for (const [name, operations] of Object.entries(needs)) {
    if (Object.hasOwn(preconditions.capabilities, name) || capabilityOf(card, name) === true) continue;
    if (!steps.some((step) => step.is === "operation" && operations.test(step.operation))) continue;
    apply("implied-capability");
    return `the card does not declare ${name}`;
  }
  return undefined;
}

/** Returns the second run that could meet a test's preconditions. */
export function secondRunFor({ capabilities }: TestPreconditions): "auth" | "reduced" | undefined {
  if (capabilities["authentication"] === true) return "auth";
  return Object.values(capabilities).includes(false) ? "reduced" : undefined;
}

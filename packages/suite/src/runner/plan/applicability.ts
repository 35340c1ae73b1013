import type { AgentFacts } from "../../card/agent-facts.ts";
import type { Expectations } from "../../define/expectations.ts";
import { type Finding, notApplicable, notExamined } from "../../define/finding.ts";
import type { PromptNeed } from "../../define/observation.ts";
import { patienceMs } from "../../define/target.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";
import { type CredentialOptions, showsCredentials } from "../credentials.ts";
import type { TestOptions } from "../options.ts";

/** What the preconditions of a rule are held against. */
export interface Preconditions {
  readonly facts: AgentFacts;
  readonly stimuli: Stimuli;
  readonly options: CredentialOptions & Pick<TestOptions, "production" | "grace" | "expectations" | "rude">;
  /** a receiver that the agent may be able to reach */
  readonly hasWebhook: boolean;
}

/** Why a rule cannot be examined on this agent, by what it requires; undefined where nothing stands in the way. */
export function unmetPrecondition(requires: readonly string[], preconditions: Preconditions): Finding | undefined {
  for (const need of requires) {
    // How a scenario is brought about is known to the observations: several of them may do.
    if (need.startsWith("scenario:")) continue;
    const found = need.startsWith("expectation:")
      ? lackOfWord(need.slice("expectation:".length) as keyof Expectations, preconditions)
      : (onCard(need, preconditions.facts) ?? byOperator(need, preconditions));
    if (found) return found;
  }
  return undefined;
}

function onCard(need: string, facts: AgentFacts): Finding | undefined {
  const claims: Record<string, boolean> = {
    streaming: facts.streaming,
    pushNotifications: facts.pushNotifications,
    extendedAgentCard: facts.extendedAgentCard,
  };
  const isNegated = need.startsWith("no-");
  const claimed = claims[isNegated ? need.slice("no-".length) : need];
  if (claimed !== undefined) {
    if (claimed !== isNegated) return undefined;
    return notApplicable(`the card ${claimed ? "claims" : "does not claim"} ${isNegated ? need.slice(3) : need}`);
  }
  const present: Record<string, [boolean, string]> = {
    extensions: [facts.extensions.length > 0, "the card declares no extension"],
    requiredExtension: [facts.extensions.some(({ required }) => required), "the card requires no extension"],
    signedCard: [facts.signed, "the card is not signed"],
    securityRequirements: [facts.secured, "the card asks for no authentication"],
    tenant: [facts.declared.some(({ tenant }) => tenant !== undefined), "the card names no tenant"],
    multiBinding: [new Set(facts.tested.map(({ binding }) => binding)).size > 1, "only one binding is tested"],
    "interface-0.3": [facts.declared.some(({ dialect }) => dialect === "0.3"), "the card declares no 0.3 interface"],
    customBinding: [
      facts.declared.some(({ binding }) => !["JSONRPC", "HTTP+JSON", "GRPC"].includes(binding)),
      "the card declares no custom binding",
    ],
  };
  const [holds, because] = present[need] ?? [true, ""];
  return holds ? undefined : notApplicable(because);
}

function byOperator(need: string, { facts, options, hasWebhook }: Preconditions): Finding | undefined {
  const { principals, production, grace = 0 } = options;
  switch (need) {
    case "credentials":
      return showsCredentials(options)
        ? undefined
        : notExamined("credentials", "no credentials were given", "--bearer env:TOKEN, --api-key or --basic");
    case "two-principals":
      if (!facts.secured) return notApplicable("the card asks for no authentication");
      return principals?.second
        ? undefined
        : notExamined("credentials", "a second principal is needed", "principals.second in assay.yaml");
    case "restricted-principal":
      if (!facts.secured) return notApplicable("the card asks for no authentication");
      return principals?.restricted
        ? undefined
        : notExamined("credentials", "a principal with fewer rights is needed", "principals.restricted in assay.yaml");
    case "two-tenants":
      return new Set(facts.declared.flatMap(({ tenant }) => tenant ?? [])).size > 1
        ? undefined
        : notApplicable("the card names fewer than two tenants");
    case "production":
      return production ? undefined : notApplicable("not tested as a production deployment");
    // Not of the catalogue: for what takes longer than a user waits unasked.
    case "patience":
      return grace >= patienceMs
        ? undefined
        : notExamined("depth", "it takes a minute to see", `--grace ${patienceMs / 1_000}`);
    case "publicWebhook":
      return hasWebhook
        ? undefined
        : notExamined("webhook", "the agent cannot reach us with notifications", "--webhook-url <public address>");
    default:
      return undefined;
  }
}

/** Not of the catalogue: what a check has to be told by the operator. */
function lackOfWord(name: keyof Expectations, { options }: Preconditions): Finding | undefined {
  if (options.expectations?.[name] !== undefined) return undefined;
  return notExamined("prompt", "only the operator can say what to expect here", `expectations.${name} in assay.yaml`);
}

/** What to write into assay.yaml so that a behaviour can be brought about. */
export function promptMissing(needs: readonly PromptNeed[], stimuli: Stimuli): Finding | undefined {
  const [missing] = needs.flatMap((need) => ([need].flat().some((kind) => stimuli[kind]) ? [] : [need].flat()[0]!));
  if (missing === undefined) return undefined;
  return notExamined(
    "prompt",
    `no message is known that makes this agent show it (${missing})`,
    `prompts.${missing} in assay.yaml`,
  );
}

import type { AgentFacts } from "../../card/agent-facts.ts";
import type { Expectations } from "../../define/expectations.ts";
import { type Finding, notApplicable, notExamined } from "../../define/finding.ts";
import type { PromptNeed } from "../../define/observation.ts";
import { patienceMs } from "../../define/target.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";
import { type CredentialOptions, showsCredentials } from "../credentials.ts";
import type { TestOptions } from "../options.ts";

/** The facts that the preconditions of a rule are compared with. */
export interface Preconditions {
  readonly facts: AgentFacts;
  readonly stimuli: Stimuli;
  readonly options: CredentialOptions & Pick<TestOptions, "production" | "grace" | "expectations" | "rude">;
  /** there is a receiver that the agent may be able to reach */
  readonly hasWebhook: boolean;
}

/** Returns why the preconditions of a rule exclude it for this agent; undefined if they hold. */
export function unmetPrecondition(requires: readonly string[], preconditions: Preconditions): Finding | undefined {
  for (const need of requires) {
    // The observations know how to trigger a scenario, in several ways.
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
  const { isMet, because } = present[need] ?? {};
  return !isMet || isMet(facts) ? undefined : notApplicable(because!);
}

const present: Readonly<Record<string, { isMet(facts: AgentFacts): boolean; readonly because: string }>> = {
  extensions: { isMet: ({ extensions }) => extensions.length > 0, because: "the card declares no extension" },
  requiredExtension: {
    isMet: ({ extensions }) => extensions.some(({ required }) => required),
    because: "the card requires no extension",
  },
  signedCard: { isMet: ({ signed }) => signed, because: "the card is not signed" },
  securityRequirements: { isMet: ({ secured }) => secured, because: "the card asks for no authentication" },
  tenant: {
    isMet: ({ declared }) => declared.some(({ tenant }) => tenant !== undefined),
    because: "the card names no tenant",
  },
  multiBinding: {
    isMet: ({ tested }) => new Set(tested.map(({ binding }) => binding)).size > 1,
    because: "Assay tests only one binding",
  },
  "interface-0.3": {
    isMet: ({ declared }) => declared.some(({ dialect }) => dialect === "0.3"),
    because: "the card declares no 0.3 interface",
  },
  customBinding: {
    isMet: ({ declared }) => declared.some(({ binding }) => !["JSONRPC", "HTTP+JSON", "GRPC"].includes(binding)),
    because: "the card declares no custom binding",
  },
};

function byOperator(need: string, { facts, options, hasWebhook }: Preconditions): Finding | undefined {
  const { principals, production, grace = 0 } = options;
  switch (need) {
    case "credentials":
      return showsCredentials(options)
        ? undefined
        : notExamined("credentials", "credentials are missing", "--bearer env:TOKEN, --api-key or --basic");
    case "two-principals":
      if (!facts.secured) return notApplicable("the card asks for no authentication");
      return principals?.second
        ? undefined
        : notExamined("credentials", "needs a second principal", "principals.second in assay.yaml");
    case "restricted-principal":
      if (!facts.secured) return notApplicable("the card asks for no authentication");
      return principals?.restricted
        ? undefined
        : notExamined("credentials", "needs a principal with fewer rights", "principals.restricted in assay.yaml");
    case "two-tenants":
      return new Set(facts.declared.flatMap(({ tenant }) => tenant ?? [])).size > 1
        ? undefined
        : notApplicable("the card names fewer than two tenants");
    case "production":
      return production ? undefined : notApplicable("the run does not test a production deployment");
    // Not in the catalogue: for rules that take longer than users usually wait.
    case "patience":
      return grace >= patienceMs
        ? undefined
        : notExamined("depth", "takes a minute to see", `--grace ${patienceMs / 1_000}`);
    case "publicWebhook":
      return hasWebhook
        ? undefined
        : notExamined("webhook", "the agent cannot reach the webhook of Assay", "--webhook-url <public address>");
    default:
      return undefined;
  }
}

/** Not in the catalogue: a fact that only the operator knows. */
function lackOfWord(name: keyof Expectations, { options }: Preconditions): Finding | undefined {
  if (options.expectations?.[name] !== undefined) return undefined;
  return notExamined("prompt", "only the operator knows what to expect here", `expectations.${name} in assay.yaml`);
}

/** Returns the line for assay.yaml that would trigger a behaviour. */
export function promptMissing(needs: readonly PromptNeed[], stimuli: Stimuli): Finding | undefined {
  const [missing] = needs.flatMap((need) => ([need].flat().some((kind) => stimuli[kind]) ? [] : [need].flat()[0]!));
  if (missing === undefined) return undefined;
  return notExamined(
    "prompt",
    `no known message makes this agent show it (${missing})`,
    `prompts.${missing} in assay.yaml`,
  );
}

import { brief } from "../../answers/loose-json.ts";
import { cardDigest } from "../../card/card-digest.ts";
import { ruleSetOf } from "../../card/declared-draft.ts";
import { checks as allChecks } from "../../checks/index.ts";
import type { AgentFound, Depth, Learned, Planned, ResumedRun, RunStarted } from "../../report/events.ts";
import { catalogues, defaultRuleSet, ruleSetFor } from "../../rules/catalogue.ts";
import { permissions } from "../../rules/permissions.ts";
import type { LearnedPrompt } from "../../stimuli/learned.ts";
import type { DiscoveredAgent } from "../discover/discover-agent.ts";
import type { VersionUnderTest } from "../discover/versions-under-test.ts";
import { askedFor } from "../earlier-run.ts";
import { interfaceName } from "../interface-name.ts";
import type { TestOptions } from "../options.ts";
import type { Plan } from "../plan/plan.ts";

/** The first event of a run. `versions` is absent if no agent was found. */
export const runStarted = (
  options: TestOptions,
  {
    versions,
    depth,
    at,
    resumes,
  }: {
    readonly versions?: readonly VersionUnderTest[];
    readonly depth: Depth;
    readonly at: Date;
    readonly resumes?: ResumedRun | undefined;
  },
): RunStarted => ({
  event: "run-started",
  run: options.run,
  at: at.toISOString(),
  tool: { name: "assay", version: options.version },
  ruleSet: versions ? ruleSetsOf(versions, options) : (options.ruleSet ?? defaultRuleSet),
  agentUrl: options.url,
  depth,
  strict: options.strict ?? false,
  ...((options.only?.length || options.skip?.length) && { filtered: true }),
  ...(options.ignoreKnownSdk && { ignoreKnownSdk: true }),
  asked: askedFor(options, depth),
  ...(resumes && { resumes }),
});

const ruleSetsOf = (versions: readonly VersionUnderTest[], { ruleSet }: TestOptions): string =>
  versions.length ? versions.map((version) => ruleSetOf(version, ruleSet)).join("+") : ruleSetFor("1.0", ruleSet);

export function agentFound({ versions, leftOut, facts, found }: DiscoveredAgent): AgentFound {
  const claims = (capability: "streaming" | "pushNotifications" | "extendedAgentCard"): boolean =>
    versions.some((version) => version.facts[capability]);
  return {
    event: "agent-found",
    cardUrl: facts.cardUrl,
    cardDigest: cardDigest(found.json),
    name: brief(facts.name, 200),
    version: brief(facts.version, 100),
    dialects: versions.map(({ dialect, because, declared, card }) => ({
      dialect,
      because: because,
      ...(declared && { declared }),
      ...(card && { cardUrl: card.url }),
    })),
    interfaces: versions.flatMap(({ interfaces }) => interfaces.map(interfaceName)),
    leftOut,
    capabilities: {
      streaming: claims("streaming"),
      pushNotifications: claims("pushNotifications"),
      extendedAgentCard: claims("extendedAgentCard"),
    },
  };
}

export function planned({ checks, allowance }: Plan, versions: readonly VersionUnderTest[]): Planned {
  const contacts = new Set(checks.flatMap(({ shownBy = [] }) => shownBy.flatMap((one) => one.contacts ?? [])));
  return {
    event: "planned",
    checks: checks.length,
    rules: new Set(checks.map(({ check, version }) => `${check.id} ${version.preconditions.facts.dialect}`)).size,
    workingMessages: allowance.messages,
    ...(allowance.mayAccept?.length && { ifAccepted: allowance.mayAccept.length }),
    ...(contacts.size > 0 && { contacts: [...contacts] }),
    withoutCheck: withoutCheck(versions),
  };
}

export const learnedEvent = (prompts: readonly LearnedPrompt[]): Learned => ({ event: "learned", prompts });

/** Returns the number of rules about agents that have no check yet. */
function withoutCheck(versions: readonly VersionUnderTest[]): number {
  const checked = new Set(allChecks.map(({ id }) => id));
  const rules = versions.flatMap(({ dialect }) => catalogues[dialect]);
  const missing = rules.filter(
    ({ id, actor, testability }) =>
      actor !== "client" && testability !== "unobservable" && !checked.has(id) && !permissions[id],
  );
  return new Set(missing.map(({ id }) => id)).size;
}

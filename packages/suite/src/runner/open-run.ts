import { setTimeout as delay } from "node:timers/promises";
import { createMasker, type FoundCard } from "@assay/wire";
import { checks as allChecks } from "../checks/index.ts";
import type { PassiveCheck } from "../define/check.ts";
import type { Finding } from "../define/finding.ts";
import type { Target } from "../define/target.ts";
import type { RunEvent } from "../report/events.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import { AgentNotFound } from "./agent-not-found.ts";
import { discoverAgent } from "./discover/discover-agent.ts";
import type { VersionUnderTest } from "./discover/versions-under-test.ts";
import { ExchangeLog } from "./execute/exchange-log.ts";
import { type PassiveChecks, passiveChecksOn } from "./execute/passive-checks.ts";
import { maskedEvent } from "./masked-event.ts";
import type { TestOptions } from "./options.ts";
import { Budget } from "./plan/budget.ts";
import { planRun } from "./plan/plan.ts";
import { type Reporting, reportingFor } from "./reporting.ts";
import { clientsFor } from "./run-clients.ts";
import { RunContext } from "./run-context.ts";

/** An agent that a script calls freely. The passive checks judge every call. */
export interface OpenRun {
  readonly card: FoundCard;
  readonly versions: readonly VersionUnderTest[];
  /** one per interface */
  readonly targets: readonly Target[];
  readonly webhook: WebhookReceiver | undefined;
  /** Emits the findings of the passive checks. Checks without anything to judge stay silent. */
  conclude(): void;
  /** Ends what was started. Returns what could not be ended. */
  close(): Promise<string[]>;
}

/** Opens a run for a caller's own script. Throws AgentNotFound if there is no agent. */
export async function openRun(options: TestOptions, tell: (event: RunEvent) => void): Promise<OpenRun> {
  const masker = createMasker(options.secrets ?? []);
  const emit = (event: RunEvent): void => tell(maskedEvent(event, masker));
  const log = new ExchangeLog(masker, emit);
  const clients = clientsFor(options, log.recording);
  const signal = options.signal ?? new AbortController().signal;
  try {
    const agent = await discoverAgent(clients.http, options, (ms) => delay(ms));
    if (!agent.found) throw new AgentNotFound(agent.ending, masker.text(agent.message), masker.text(agent.hint));
    const context = await RunContext.open({
      options: { ...options, signal },
      versions: agent.versions,
      clients,
      log,
      isTestbed: agent.isTestbed,
      receives: true,
      // A script makes its own observations and decides itself how long it waits.
      literal: true,
      observe: (one, target) => one.make(target.forObservation(one)),
    });
    context.budget = new Budget({ messages: Number.POSITIVE_INFINITY });
    const listeners = listenersFor(context, (on) => reportingFor(context.versionOf(on), options, masker, emit));
    context.onCall((call) => {
      for (const { checks, tell } of listeners) if (checks.isOn(call)) checks.judge(call, tell);
    });
    return {
      card: agent.found,
      versions: agent.versions,
      targets: context.targets,
      webhook: context.webhook,
      conclude() {
        log.writeRest();
        for (const { checks, tell } of listeners)
          for (const conclusion of checks.conclude())
            if ("finding" in conclusion && isAboutAgent(conclusion.finding)) tell(conclusion.check, conclusion.finding);
      },
      async close() {
        const notEnded = await context.end();
        log.writeRest();
        await context.close();
        await clients.close();
        return notEnded.map((text) => masker.text(text));
      },
    };
  } catch (error) {
    await clients.close();
    throw error;
  }
}

interface Listener {
  readonly checks: PassiveChecks;
  readonly tell: (check: PassiveCheck, finding: Finding) => void;
}

/** Returns the passive checks of each interface. */
function listenersFor(context: RunContext, reportOn: (on: Target["on"]) => Reporting): Listener[] {
  const { checks: planned } = planRun({
    checks: allChecks.filter(({ kind }) => kind === "passive"),
    filtered: [],
    versions: context.versions,
    depth: "full",
    budget: undefined,
    rude: false,
  });
  return context.targets.map(({ on }) => {
    const report = reportOn(on);
    return {
      checks: passiveChecksOn(on, planned, { ...report.context, depth: "full" }),
      tell: (check, finding) => report.finding({ check, on }, finding),
    };
  });
}

const isAboutAgent = ({ is }: Finding): boolean => is !== "not-examined" && is !== "not-applicable";

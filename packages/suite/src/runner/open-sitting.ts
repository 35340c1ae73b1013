import { createMasker, createPeerClients, type FoundCard } from "@assay/wire";
import type { PassiveCheck } from "../check.ts";
import { checks as allChecks } from "../checks/index.ts";
import type { RunEnding, RunEvent } from "../report/events.ts";
import { ruleSetFor } from "../rules/catalogue.ts";
import { isTestbed } from "../stimuli/prompts.ts";
import type { Target } from "../target.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import { Budget } from "./budget.ts";
import { Diary } from "./diary.ts";
import { findAgent } from "./find-agent.ts";
import type { TestOptions } from "./options.ts";
import { planRun } from "./plan.ts";
import { Reporting } from "./reporting.ts";
import { isOnThisMachine, Sitting } from "./sitting.ts";
import { type Visit, visitsTo } from "./visits.ts";
import { Watchers } from "./watchers.ts";

/** There is nobody to talk to: what happened, and what to do. */
export class NobodyThere extends Error {
  override readonly name = "NobodyThere";
  readonly ending: RunEnding;
  readonly hint: string;

  constructor(ending: RunEnding, message: string, hint: string) {
    super(message);
    this.ending = ending;
    this.hint = hint;
  }
}

/** An agent to talk to in whatever way one likes; the checks that read any traffic listen. */
export interface OpenSitting {
  readonly card: FoundCard;
  readonly visits: readonly Visit[];
  /** one for each interface */
  readonly targets: readonly Target[];
  readonly webhook: WebhookReceiver | undefined;
  /** Tells, as events, what the listening checks found; those that had no occasion keep silent. */
  conclude(): void;
  /** Puts back what was set in motion; says what could not be. */
  close(): Promise<string[]>;
}

/** Opens a conversation with an agent for those who bring their own script. Throws NobodyThere where there is none. */
export async function openSitting(options: TestOptions, emit: (event: RunEvent) => void): Promise<OpenSitting> {
  const masker = createMasker(options.secrets ?? []);
  const diary = new Diary(masker, emit);
  const clients = createPeerClients({ ...options.connection, recording: diary.recording });
  const signal = options.signal ?? new AbortController().signal;
  try {
    const search = await findAgent(clients.http, options, (ms) => new Promise((done) => setTimeout(done, ms)));
    if (!search.found) throw new NobodyThere(search.ending, masker.text(search.message), masker.text(search.hint));
    const { visits } = await visitsTo(clients.http, search, options);
    const first = visits[0]?.facts;
    const sitting = await Sitting.open({
      options: { ...options, signal },
      visits,
      clients,
      diary,
      isOurs: first !== undefined && isTestbed(first) && isOnThisMachine(options),
      receives: true,
      // A script makes its own observations.
      observe: (one, target) => one.make(target.during(one)),
    });
    sitting.allow(new Budget(Number.POSITIVE_INFINITY));
    const listeners = listenersFor(sitting, options, new Map(visits.map((visit) => [visit, reportFor(visit)])));
    sitting.listen((call) => {
      for (const { watchers, tell } of listeners)
        if (watchers.isOn(call)) watchers.see(call, (check, finding) => tell(check, finding));
    });
    return {
      card: search.found,
      visits,
      targets: sitting.targets,
      webhook: sitting.webhook,
      conclude() {
        diary.writeRest();
        for (const { watchers, tell } of listeners)
          for (const said of watchers.conclude())
            if ("finding" in said && said.finding.is !== "not-examined" && said.finding.is !== "not-applicable")
              tell(said.check, said.finding);
      },
      async close() {
        const undone = await sitting.tidy();
        diary.writeRest();
        await sitting.close();
        await clients.close();
        return undone;
      },
    };
  } catch (error) {
    await clients.close();
    throw error;
  }

  function reportFor({ dialect, declared }: Visit): Reporting {
    const ruleSet = ruleSetFor(dialect, options.ruleSet);
    const today = new Date().toISOString().slice(0, 10);
    const context = { masker, strict: options.strict ?? false, baseline: options.baseline ?? [], today };
    return new Reporting({ ...context, dialect, declared, ruleSet }, emit);
  }
}

interface Listener {
  readonly watchers: Watchers;
  readonly tell: (check: PassiveCheck, finding: Parameters<Reporting["finding"]>[1]) => void;
}

function listenersFor(sitting: Sitting, options: TestOptions, reports: ReadonlyMap<Visit, Reporting>): Listener[] {
  const { checks } = planRun({
    checks: allChecks.filter(({ kind }) => kind === "passive"),
    filtered: [],
    visits: sitting.places.map((place) => ({
      ...place,
      interfaces: place.visit.interfaces,
      ruleSet: ruleSetFor(place.visit.dialect, options.ruleSet),
      hasCard: place.visit.card !== undefined,
      declared: place.visit.declared,
    })),
    depth: "full",
    budget: undefined,
    rude: false,
  });
  return sitting.targets.map(({ on }) => {
    const here = checks.filter((entry) => entry.on === on && !entry.instead).map(({ check }) => check as PassiveCheck);
    const report = reports.get(sitting.placeOf(on).visit)!;
    return {
      watchers: new Watchers(on, here, { ...report.context, depth: "full" }),
      tell: (check, finding) => report.finding({ check, on }, finding),
    };
  });
}

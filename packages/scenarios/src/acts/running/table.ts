import { setMaxListeners } from "node:events";
import { AgentNotFound, type OpenRun, openRun, type TestOptions } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import type { RunName } from "../reporting/outcome.ts";
import { type ActsAgent, agentOf, exchangeName } from "./agent.ts";

/**
 * Returns how to reach an agent, by its path below the address and by the run; undefined if there is none.
 */
export type Directions = (path: string | undefined, run: RunName) => Promise<TestOptions | undefined>;

/** Every call and pause listens to the signal: many listeners at a time are not a leak. */
function audible(options: TestOptions): TestOptions {
  const signal = options.signal ?? new AbortController().signal;
  setMaxListeners(0, signal);
  return { ...options, signal };
}

function renamed(event: RunEvent, named: (id: string) => string): RunEvent {
  if (event.event === "exchange") return { ...event, id: named(event.id) };
  if (event.event !== "check-finished") return event;
  return { ...event, result: { ...event.result, evidence: event.result.evidence.map(named) } };
}

/** The agents of a run: each is opened on first use, and closed with the others. */
export class Table {
  readonly #directions: Directions;
  readonly #emit: (event: RunEvent) => void;
  readonly #open = new Map<string, Promise<OpenRun | undefined>>();

  constructor(directions: Directions, emit: (event: RunEvent) => void) {
    this.#directions = directions;
    this.#emit = emit;
  }

  readonly agent = async (path: string | undefined, run: RunName): Promise<ActsAgent | undefined> => {
    const key = JSON.stringify([path, run]);
    let opened = this.#open.get(key);
    if (!opened) {
      opened = this.#openAgent(path, run);
      // Reported to the caller below.
      opened.catch(() => {});
      this.#open.set(key, opened);
    }
    const found = await opened;
    return found && agentOf(found);
  };

  async #openAgent(path: string | undefined, run: RunName): Promise<OpenRun | undefined> {
    const options = await this.#directions(path, run);
    if (!options) return undefined;
    const named = (id: string): string => exchangeName(path, run, id);
    const opened = await openRun(audible(options), (event) => this.#emit(renamed(event, named)));
    if (path === undefined || opened.card.url.startsWith(options.url.replace(/\/+$/, ""))) return opened;
    // An agent without a card gets that of its host, which belongs to another agent.
    await opened.close();
    throw new AgentNotFound(
      "no-card",
      `No agent card at ${options.url}.`,
      "Set its address with --agent <name>=<path>.",
    );
  }

  async #opened(): Promise<OpenRun[]> {
    const settled = await Promise.allSettled(this.#open.values());
    return settled.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : []));
  }

  /** Emits the findings of the passive checks as events. */
  async conclude(): Promise<void> {
    for (const opened of await this.#opened()) opened.conclude();
  }

  /** Cleans up; returns what could not be. */
  async close(): Promise<string[]> {
    const all = await this.#opened();
    this.#open.clear();
    return (await Promise.all(all.map((opened) => opened.close()))).flat();
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { defined } from "@assay/protocol";
import { type ClientTestOutcome, runThroughClient, type Test } from "@assay/scenarios";
import { factsOf } from "@assay/suite";
import { createMasker } from "@assay/wire";
import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { DriverDied } from "../driver/client-driver.ts";
import { unsupportedBy } from "../driver/description.ts";
import type { ServerDriver } from "../driver/server-driver.ts";
import { opOf } from "../driver/translate.ts";
import { agentFor } from "./agent-for.ts";
import { DrivenClient } from "./driven-client.ts";
import { ObservedAgents } from "./observed-agents.ts";
import type { Pairing, PairingTools } from "./pairing.ts";

/** The result of a scenario. */
type CellResult = Omit<Cell, "seal" | "blame" | "known">;

/** The result of a pairing. */
export interface PairingResult {
  readonly cells: readonly CellResult[];
  readonly exchanges: readonly MatrixExchange[];
  readonly causes: readonly Omit<MatrixCause, "cells" | "blame">[];
  /** of the spec agent, as served */
  readonly card?: unknown;
}

type Cause = PairingResult["causes"][number];

/** Runs every scenario of a pairing one after the other, so that each exchange belongs to one step. */
export async function runPairing(pairing: Pairing, tools: PairingTools): Promise<PairingResult> {
  return new PairingRun(pairing, tools).run();
}

class PairingRun {
  readonly #pairing: Pairing;
  readonly #tools: PairingTools;
  readonly #exchanges: MatrixExchange[] = [];
  readonly #cells: CellResult[] = [];
  #agents: ObservedAgents | undefined;
  #server: ServerDriver | undefined;
  #openings = 0;
  #card: unknown;

  constructor(pairing: Pairing, tools: PairingTools) {
    this.#pairing = pairing;
    this.#tools = tools;
  }

  async run(): Promise<PairingResult> {
    const causes: Cause[] = [];
    try {
      const cause = await this.#probe();
      if (cause) causes.push(cause);
      for (const test of this.#tools.tests) {
        const outcome = cause && !(cause.kind === "card" && readsCardOnly(test)) ? blockedBy(cause) : undefined;
        this.#cells.push(outcome ? this.#cellOf(test, outcome, cause) : await this.#runCell(test));
      }
    } catch (error) {
      if (!(error instanceof DriverDied)) throw error;
      const cause = this.#lost(error);
      causes.push(cause);
      const done = new Set(this.#cells.map(({ scenario }) => scenario));
      for (const test of this.#tools.tests)
        if (!done.has(test.id)) this.#cells.push(this.#cellOf(test, blockedBy(cause), cause));
    } finally {
      await this.#closeAgents();
    }
    return { cells: this.#cells, exchanges: this.#exchanges, causes, card: this.#card };
  }

  /** Returns the cause for an unavailable program. */
  #lost({ role, message, stderr }: DriverDied): Cause {
    const { name } = this.#pairing[role];
    return {
      id: `not-started/${role}/${name}`,
      kind: "not-started",
      [role]: name,
      says: message,
      ...(stderr !== "" && { stderr }),
      exchanges: [],
    };
  }

  /** Returns the agents of the running server. */
  async #ready(): Promise<{ readonly server: ServerDriver; readonly agents: ObservedAgents }> {
    const server = await this.#tools.server.get();
    if (server !== this.#server || !this.#agents) {
      await this.#closeAgents();
      this.#server = server;
      this.#openings += 1;
      const { id, binding, version } = this.#pairing;
      this.#agents = new ObservedAgents({
        agents: server.agents,
        spoken: { binding, version },
        idPrefix: `${id}/${this.#openings > 1 ? `${this.#openings}-` : ""}`,
        version: this.#tools.version,
      });
    }
    return { server, agents: this.#agents };
  }

  async #closeAgents(): Promise<void> {
    const agents = this.#agents;
    this.#agents = undefined;
    if (agents) this.#exchanges.push(...(await agents.close()));
  }

  /** Sends one message first, to see if the client gets that far. */
  async #probe(): Promise<Cause | undefined> {
    const { client, server: peer, binding, version, id } = this.#pairing;
    const { server, agents } = await this.#ready();
    const agent = agentFor("spec", version, server.agents);
    const card = await this.#tools.cardOf(server.agents[agent]!);
    this.#card = card;
    const watched = await agents.of(agent, false);
    const driven = new DrivenClient(client, await this.#tools.client.get(), watched, { binding, version });
    const message = { messageId: "matrix-probe", role: "ROLE_USER", parts: [{ text: "message-only first contact" }] };
    const ask = (
      operation: "send_message" | "get_agent_card",
      request: Record<string, never> | { message: typeof message },
    ) => driven.ask({ operation, request, headers: {}, timeoutMs: 20_000 });
    const sent = await ask("send_message", { message }).catch(asAnswer);
    if (!sent?.given.error || sent.given.error.kind === "unsupported" || sent.wire) return undefined;
    const read = await ask("get_agent_card", {}).catch(asAnswer);
    const { error } = read?.given ?? {};
    const kind = error && error.kind !== "unsupported" ? "card" : "no-interface";
    const { message: says } = kind === "card" ? error! : sent.given.error;
    return {
      // A card that cannot be read cannot be read over any binding.
      id: kind === "card" ? `card/${client.name}/${peer.name}/${version}` : `${kind}/${id}`,
      kind,
      client: client.name,
      server: peer.name,
      says: `${client.name} sends nothing to ${peer.name}: ${says}`,
      exchanges: [...sent.exchanges, ...(read?.exchanges ?? [])],
    };
  }

  /**
   * Runs a cell, and repeats a failure once: a busy machine may be late, and a program may have crashed for
   * another reason. What fails twice is judged.
   */
  async #runCell(test: Test): Promise<CellResult> {
    const first = await this.#attempt(test);
    if (!("died" in first) && first.verdict !== "fail") return this.#cellOf(test, first);
    const second = await this.#attempt(test);
    if (!("died" in second)) return this.#cellOf(test, second);
    const { died } = second;
    const { role } = died;
    const name = this.#pairing[role].name;
    const outcome: ClientTestOutcome = {
      verdict: "fail",
      reason: died.message,
      failure: {
        step: test.steps[0]?.id ?? "",
        code: "died",
        message: `the program of ${name} exited during this scenario, twice: ${died.message}`,
        onTheWire: "unseen",
      },
      steps: [],
      durationMs: 0,
    };
    return { ...this.#cellOf(test, outcome), ...(died.stderr !== "" && { stderr: { [role]: died.stderr } }) };
  }

  async #attempt(test: Test): Promise<ClientTestOutcome | Death> {
    const { client, binding, version } = this.#pairing;
    const { signal, file, cardOf } = this.#tools;
    const { server, agents } = await this.#ready();
    const driver = await this.#tools.client.get();
    const agent = agentFor(test.agent ?? "spec", version, server.agents);
    const url = server.agents[agent];
    if (signal.aborted) return nothing("error", "interrupted");
    if (url === undefined) return nothing("not-applicable", `the server has no agent ${agent}`);
    const why = unsupportedBy(this.#pairing.server, this.#pairing, ({ scenario }) => scenario === test.id);
    if (why !== undefined) return nothing("unsupported", why);
    if (test.agent === "spec03" && agent !== "spec03" && this.#pairing.server.server?.speaks["1.0"])
      return nothing("not-applicable", "the server supports 1.0 too, and its card is a 1.0 card");
    const card = await cardOf(url);
    const watched = await agents.of(agent, readsCardOnly(test));
    const on = { url, binding, dialect: version };
    try {
      const outcome = await runThroughClient(test, {
        client: new DrivenClient(client, driver, watched, { binding, version }),
        on,
        facts: factsOf(card ?? {}, url, [on], version),
        file,
        masker: createMasker([]),
        sleep: (ms) =>
          delay(ms, undefined, { signal }).then(
            () => {},
            () => {},
          ),
      });
      if (outcome.verdict === "fail" && server.end)
        return { died: new DriverDied(this.#pairing.server.name, "server", server.end) };
      return outcome;
    } catch (error) {
      if (error instanceof DriverDied) return { died: error };
      throw error;
    }
  }

  #cellOf(test: Test, outcome: ClientTestOutcome, cause?: Cause): CellResult {
    const { id, client, server, binding, version } = this.#pairing;
    const { verdict, reason, failure, steps, durationMs } = outcome;
    return {
      id: `${id}/${test.id}`,
      client: client.name,
      server: server.name,
      binding,
      version,
      scenario: test.id,
      outcome: cause ? "blocked" : outcomes[verdict],
      ...(reason !== undefined && { because: reason }),
      duration_ms: durationMs,
      steps: steps.map(({ id: step, operation, verdict: said, durationMs: took, request, given, exchanges, note }) => ({
        id: step,
        op: opOf[operation].op,
        verdict: said,
        duration_ms: took,
        ...defined({ params: request, answer: given }),
        exchanges,
        ...(note !== undefined && { note }),
      })),
      exchanges: cause ? [] : steps.flatMap((step) => step.exchanges),
      ...(failure && { failure }),
      ...(cause && { cause: cause.id }),
    };
  }
}

interface Death {
  readonly died: DriverDied;
}

const outcomes = {
  pass: "passed",
  fail: "failed",
  unsupported: "unsupported",
  "not-applicable": "not-applicable",
  error: "not-run",
} as const satisfies Record<ClientTestOutcome["verdict"], Cell["outcome"]>;

const nothing = (verdict: "error" | "not-applicable" | "unsupported", reason: string): ClientTestOutcome => ({
  verdict,
  reason,
  steps: [],
  durationMs: 0,
});

const blockedBy = ({ says }: Cause): ClientTestOutcome => nothing("error", says);

/** The scenarios find a client that crashes at the first contact one by one. */
function asAnswer(error: unknown): undefined {
  if (!(error instanceof DriverDied)) throw error;
  return undefined;
}

/** Returns true if a scenario only looks at the card. */
const readsCardOnly = ({ steps }: Test): boolean =>
  steps.every((step) => step.is === "operation" && step.operation === "get_agent_card");

import { randomUUID } from "node:crypto";
import { defined, type JsonObject, type JsonValue } from "@assay/protocol";
import type { AgentFacts } from "@assay/suite";
import type { Exchange, Masker, PeerInterface } from "@assay/wire";
import type { ActsFile, ExpectStream, NamedAssertion, OperationStep, Test } from "../model.ts";
import { answerOf, brief, eventView, rawAnswer, type StepAnswer } from "../running/answer.ts";
import { unmet } from "../running/gating.ts";
import { Judge } from "../running/judge.ts";
import { operationOf, requestOf } from "../running/operations.ts";
import { pauseAfter } from "../running/repeating.ts";
import { Failed } from "../running/verdicts.ts";
import { valueAt } from "../values/path.ts";
import { referencesIn, VariableScope } from "../values/scope.ts";
import { holds } from "../values/until.ts";
import type { ClientAnswer, Given, ScenarioClient } from "./client.ts";
import { isAfter, isDue, leftOutIn } from "./due.ts";
import type { ClientFailure, ClientFailureCode, ClientStepOutcome, ClientTestOutcome } from "./outcome.ts";
import { surfacingOf } from "./surfaced-error.ts";

export interface ThroughClientPlace {
  readonly client: ScenarioClient;
  /** the interface offered to the client */
  readonly on: PeerInterface;
  /** facts from the server's card */
  readonly facts: Pick<AgentFacts, "card" | "skills" | "extensions">;
  readonly file: Pick<ActsFile, "variables">;
  readonly masker: Masker;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Default timeout of a client for one operation. */
const patienceMs = 20_000;

/**
 * Runs a scenario with a third-party client. Each response is judged twice: first the server's, from the
 * bytes, then the client's result. This shows which side causes a failure.
 */
export async function runThroughClient(test: Test, place: ThroughClientPlace): Promise<ClientTestOutcome> {
  const startedAt = performance.now();
  const run = new ClientRun(test, place);
  const judged = await run.conduct();
  return { ...judged, steps: run.steps, durationMs: Math.round(performance.now() - startedAt) };
}

type Judgement = Pick<ClientTestOutcome, "verdict" | "reason" | "failure">;

/** The judged view of a response. */
type View = "wire" | "given";

/** A failure with more facts than a judge provides. */
class ClientFailed extends Error {
  override readonly name = "ClientFailed";
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The scenario ends here without a failure. */
class Ended extends Error {
  override readonly name = "Ended";
  readonly verdict: "unsupported" | "error";

  constructor(verdict: Ended["verdict"], because: string) {
    super(because);
    this.verdict = verdict;
  }
}

interface Views {
  readonly wire?: StepAnswer;
  readonly given: StepAnswer;
}

class ClientRun {
  readonly steps: ClientStepOutcome[] = [];
  readonly #test: Test;
  readonly #place: ThroughClientPlace;
  readonly #scope: VariableScope;
  readonly #views = new Map<string, Views>();

  constructor(test: Test, place: ThroughClientPlace) {
    this.#test = test;
    this.#place = place;
    this.#scope = new VariableScope({ variables: place.file.variables, given: freshIds(place.file), env: {} });
  }

  async conduct(): Promise<Judgement> {
    const { facts, on } = this.#place;
    const reason = leftOutIn(this.#test, on.dialect) ?? unmet(this.#test, { facts, targets: [{ on }] }, () => {});
    if (reason !== undefined) return { verdict: "not-applicable", reason };
    try {
      for (const step of this.#test.steps) if (isDue(step, on.dialect)) await this.#take(step);
      for (const view of ["wire", "given"] as const) this.#assertAll(this.#test.assertions, view);
      return { verdict: "pass" };
    } catch (error) {
      if (error instanceof Ended) return { verdict: error.verdict, reason: error.message };
      if (error instanceof ClientFailed) return this.#failed(error.failure);
      throw error;
    }
  }

  #failed(failure: ClientFailure): Judgement {
    const { masker } = this.#place;
    const masked = masker.value(failure);
    return { verdict: "fail", reason: masked.message, failure: masked };
  }

  async #take(step: OperationStep): Promise<void> {
    const startedAt = performance.now();
    const { repeat, expectStream } = step;
    const request = requestOf(step.operation, this.#scope.fill(step.params), () => {});
    const exchanges: string[] = [];
    let given: Given | undefined;
    const done = (verdict: ClientStepOutcome["verdict"], note?: string): void => {
      this.steps.push({
        id: step.id,
        operation: step.operation,
        verdict,
        durationMs: Math.round(performance.now() - startedAt),
        request: this.#place.masker.value(request),
        ...(given && { given: this.#place.masker.value(given) }),
        exchanges,
        ...(note !== undefined && { note }),
      });
    };
    try {
      if (step.delayMs) await this.#place.sleep(step.delayMs);
      for (let attempt = 1; ; attempt++) {
        const answer = await this.#place.client.ask({
          operation: step.operation,
          request,
          headers: this.#scope.fill({ ...step.sentHeaders }),
          timeoutMs: expectStream?.timeoutMs ?? patienceMs,
          ...(expectStream?.leaveAfter !== undefined && { leaveAfter: expectStream.leaveAfter }),
        });
        ({ given } = answer);
        exchanges.push(...answer.exchanges);
        const root = given.result;
        const isOver = !repeat || given.error !== undefined || given.late || holds(repeat.until, root);
        if (!isOver && attempt < repeat.maxAttempts) {
          await this.#place.sleep(pauseAfter(attempt, repeat));
          continue;
        }
        const note = this.#examine(step, request, answer);
        if (!isOver)
          throw new ClientFailed({
            step: step.id,
            code: "answer",
            message: `after ${attempt} attempts this still does not hold: ${repeat.until.text}`,
            path: repeat.until.path,
            expected: repeat.until.text,
            actual: JSON.stringify(valueAt(root, repeat.until.path)) ?? "nothing",
            onTheWire: "fails",
          });
        done("pass", note);
        return;
      }
    } catch (error) {
      done(error instanceof Ended ? "skip" : "fail");
      throw error;
    }
  }

  /** Judges a response; returns a note about a correct one. */
  #examine(step: OperationStep, request: JsonObject, answer: ClientAnswer): string | undefined {
    const { given } = answer;
    if (given.error?.kind === "unsupported") throw new Ended("unsupported", given.error.message);
    if (given.error?.kind === "driver") throw new Ended("error", given.error.message);
    const wire = this.#wireView(step, request, answer);
    const views: Views = { ...(wire && { wire }), given: givenView(answer, wire) };
    this.#views.set(step.id, views);
    if (wire) {
      this.#isOffered(step, answer);
      this.#asFailure(step, "wire", views, () => this.#judgeWire(step, wire));
      this.#asFailure(step, "wire", views, () => this.#judgeHead(step, wire), "wire");
    }
    if (given.late) late(step, answer, wire);
    return this.#asFailure(step, "given", views, () => this.#judgeGiven(step, given, views));
  }

  #wireView({ operation }: OperationStep, request: JsonObject, { wire, given }: ClientAnswer): StepAnswer | undefined {
    if (!wire) return undefined;
    const sent = `${operationOf[operation]} ${brief(request)}`;
    if (wire.is === "card") return rawAnswer(wire.exchange, sent);
    const answer = answerOf(wire.exchange, wire.reply, wire.on, { sent, message: JSON.stringify(request) });
    // A client that hangs up keeps the server from finishing: that shows nothing about the server.
    return answer.trouble?.whose === "ours" && given.error ? undefined : answer;
  }

  /** Requires the client to use the offered interface. */
  #isOffered(step: OperationStep, { wire }: ClientAnswer): void {
    if (wire?.is !== "call") return;
    const { on } = this.#place;
    if (wire.on.binding === on.binding && wire.on.dialect === on.dialect) return;
    throw new ClientFailed({
      step: step.id,
      code: "other-interface",
      message: `the client was offered ${on.binding} in ${on.dialect}, but used ${wire.on.binding} in ${wire.on.dialect}`,
      expected: `${on.binding} ${on.dialect}`,
      actual: `${wire.on.binding} ${wire.on.dialect}`,
      onTheWire: "holds",
      exchange: wire.exchange.id,
    });
  }

  #judgeWire(step: OperationStep, answer: StepAnswer): undefined {
    const judge = this.#judge(step, answer);
    const isRefusal = judge.isWantedRefusal(step.expect?.status);
    if (answer.trouble && !isRefusal) judge.fail(answer.trouble.says, { actual: answer.saw });
    const { status: _, ...expected } = step.expect ?? {};
    if (step.expectError) judge.error(step.expectError, this.#place.on);
    else if (!isRefusal) judge.success(expected, this.#place.on, () => {});
    if (step.expectStream) judge.stream(this.#due(step.expectStream));
    if (answer.root !== undefined) this.#scope.capture(step.id, "response", answer.root);
    this.#capture(step, answer);
    this.#assertAll(step.assertions, "wire");
    return undefined;
  }

  /** Returns the stream expectations that the version defines. */
  #due(expected: ExpectStream): ExpectStream {
    const { dialect } = this.#place.on;
    return { ...expected, events: expected.events.filter(({ since }) => !isAfter(since, dialect)) };
  }

  /** Judges what only the bytes show: status and headers. */
  #judgeHead(step: OperationStep, answer: StepAnswer): void {
    const judge = this.#judge(step, answer);
    const { status } = step.expect ?? {};
    if (status) judge.success({ status }, this.#place.on, () => {});
    for (const each of [step.expect, step.expectError, step.expectStream]) judge.headers(each?.headers);
  }

  #judgeGiven(step: OperationStep, given: Given, { wire, given: answer }: Views): string | undefined {
    const judge = this.#judge(step, answer);
    if (step.expectError) return this.#judgeError(step, given, wire);
    if (wire && judge.isWantedRefusal(step.expect?.status)) {
      if (!given.error) fails(step, "no-error", "the server returned an error, but the client reported none", wire);
      return undefined;
    }
    if (given.error)
      fails(step, "unexpected-error", `the client reported an error: ${errorText(given)}`, wire, {
        expected: "a success",
        actual: errorText(given),
      });
    const isCard = step.operation === "get_agent_card";
    if (given.unreadable !== undefined && !isCard)
      fails(step, "answer", `the client's result is not valid A2A: ${given.unreadable}`, wire, {
        actual: given.unreadable,
      });
    if (step.expect?.body && (!isCard || this.#place.client.givesCardAsWritten))
      judge.success({ body: step.expect.body }, this.#place.on, () => {});
    if (step.expectStream) judge.stream(this.#due(step.expectStream));
    if (answer.root !== undefined) this.#scope.capture(step.id, "response", answer.root);
    this.#capture(step, answer, judge);
    if (!isCard || this.#place.client.givesCardAsWritten) this.#assertAll(step.assertions, "given");
    return undefined;
  }

  #judgeError(step: OperationStep, given: Given, wire: StepAnswer | undefined): string | undefined {
    const { expectError } = step;
    const wanted = expectError?.types?.join(" or ") ?? "an error";
    if (!given.error)
      fails(step, "no-error", `expected ${wanted}, but the client reported no error`, wire, { expected: wanted });
    const surfacing = surfacingOf(given.error, expectError!, wire?.error);
    const facts = { expected: wanted, actual: errorText(given) };
    if (!wire && surfacing.is !== "told")
      fails(step, "not-sent", `the client sent nothing and reported an error: ${errorText(given)}`, wire, facts);
    switch (surfacing.is) {
      case "told":
        return wire ? undefined : "the client rejects this itself and sends nothing";
      case "indistinct":
        return `the client does not say which A2A error it is: ${errorText(given)}`;
      case "other":
        return fails(step, "other-error", `expected ${wanted}, the client reports ${surfacing.name}`, wire, facts);
      case "unsurfaced":
        return fails(
          step,
          "error-not-surfaced",
          `the client reports the agent's error as a connection failure: ${errorText(given)}`,
          wire,
          facts,
        );
    }
  }

  /** Converts a judge's error, with its side of the wire. */
  #asFailure<T>(
    step: Pick<OperationStep, "id" | "expectError">,
    view: View,
    { wire }: Views,
    judge: () => T,
    code?: ClientFailureCode,
  ): T {
    try {
      return judge();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const { message, path, expected, actual } = error.detail;
      throw new ClientFailed({
        step: step.id,
        code: code ?? (view === "wire" ? codeOf(error, step) : "answer"),
        message,
        ...defined({ path, expected, actual }),
        onTheWire: view === "wire" ? "fails" : wire ? "holds" : "unseen",
        ...(view === "given" && wire && path !== undefined && { wire: shownAt(wire, path) }),
        ...(wire && { exchange: wire.exchange.id }),
      });
    }
  }

  #capture(step: OperationStep, { root, events }: StepAnswer, judge?: Judge): void {
    for (const [name, path] of Object.entries(step.captures)) {
      const value =
        valueAt(root, path) ?? events?.map((event) => valueAt(event, path)).find((each) => each !== undefined);
      if (value !== undefined) this.#scope.capture(step.id, name, value);
      else
        judge?.fail(`there is nothing at ${path} to capture as ${name}`, {
          path,
          expected: "a value",
          actual: "nothing",
        });
    }
  }

  /** Checks assertions on earlier steps, in one of the two views. */
  #assertAll(assertions: readonly NamedAssertion[], view: View): void {
    for (const [id, views] of this.#views) {
      const root = views[view]?.root;
      if (root !== undefined) this.#scope.capture(id, "response", root);
    }
    for (const assertion of assertions) {
      if (isAfter(assertion.since, this.#place.on.dialect)) continue;
      const [source] = referencesIn(assertion.source).map((each) => each.slice(0, each.lastIndexOf(".")));
      const views = source === undefined ? undefined : this.#views.get(source);
      const answer = views?.[view];
      if (!views || !answer || source === undefined) continue;
      const step = { id: source, at: assertion.at };
      this.#asFailure(step, view, views, () =>
        this.#judge(step, answer).assertion(assertion, this.#scope.fill(assertion.source as JsonValue)),
      );
    }
  }

  #judge(step: Pick<OperationStep, "id" | "at">, answer: StepAnswer): Judge {
    return new Judge(step, answer, { fill: (value) => this.#scope.fill(value), apply: () => {} });
  }
}

/**
 * Replaces a file's ids of missing tasks for each run, because others may use the same server at the same
 * time.
 */
const freshIds = ({ variables }: Pick<ActsFile, "variables">): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(([, value]) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value))
      .map(([name]) => [name, randomUUID()]),
  );

/** Converts a client's result for judging; status and headers are those of the wire. */
function givenView({ given }: ClientAnswer, wire: StepAnswer | undefined): StepAnswer {
  const events = given.events?.map(eventView);
  return {
    exchange: wire?.exchange ?? unseenExchange,
    sent: wire?.sent ?? "",
    status: wire?.status,
    root: events ? { events } : given.result,
    ...(events && { events }),
    saw: given.error
      ? errorText(given)
      : events
        ? `${events.length} events: ${brief(given.events, 400)}`
        : brief(given.result),
  };
}

/** Returns the value on the wire at a place. */
const shownAt = ({ root }: StepAnswer, path: string): string => brief(valueAt(root, path), 300);

const errorText = ({ error }: Given): string =>
  error
    ? `${error.type ?? error.kind}${error.code === undefined ? "" : ` ${error.code}`} (${brief(error.message, 200)})`
    : "";

/** Classifies a wrong response: an unexpected error, a missing error, or its content. */
function codeOf({ answer }: Failed, { expectError }: Pick<OperationStep, "expectError">): ClientFailureCode {
  if (expectError) return answer?.error ? "other-error" : "no-error";
  return answer?.error ? "unexpected-error" : "answer";
}

/** Replaces the exchange of a step for which a client sent nothing. */
const unseenExchange: Exchange = {
  id: "",
  transport: {
    sent: new Uint8Array(),
    sentTruncated: false,
    received: new Uint8Array(),
    receivedTruncated: false,
    reused: false,
  },
  http: { request: { method: "", url: "", headers: [], body: new Uint8Array(), bodyTruncated: false } },
  timing: { startedAt: "", end: 0 },
};

function late(step: OperationStep, { isPending, given }: ClientAnswer, wire: StepAnswer | undefined): never {
  const withheld = given.events?.length
    ? "did not tell its program that the stream ended"
    : "returned nothing to its program";
  const message = isPending
    ? "the server did not finish its response in time"
    : wire
      ? `the client ${withheld}, although the server's response was complete`
      : "the client sent nothing and returned nothing to its program";
  throw new ClientFailed({
    step: step.id,
    code: "late",
    message,
    onTheWire: isPending ? "fails" : wire ? "holds" : "unseen",
    ...(wire && { exchange: wire.exchange.id }),
  });
}

function fails(
  step: OperationStep,
  code: ClientFailureCode,
  message: string,
  wire: StepAnswer | undefined,
  facts: { expected?: string; actual?: string } = {},
): never {
  throw new ClientFailed({
    step: step.id,
    code,
    message,
    ...facts,
    onTheWire: wire ? "holds" : "unseen",
    ...(wire && { exchange: wire.exchange.id }),
  });
}

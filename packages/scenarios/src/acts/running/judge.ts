import { isObject, isTerminal, type JsonValue, type TaskState } from "@assay/protocol";
import type { PeerError, PeerInterface } from "@assay/wire";
import { errorNamesOf, isErrorNamed, wantedError } from "../error-types.ts";
import type { Expect, Expectation, ExpectError, ExpectStream, NamedAssertion, SourcePlace, Step } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";
import { describe, type Matching, type Mismatch, mismatches } from "../values/match.ts";
import { valuesAt } from "../values/path.ts";
import { brief, headersOf, type StepAnswer } from "./answer.ts";
import { Failed, together } from "./verdicts.ts";

/** Compares a response with the expectations of a step; throws one failure that lists all that do not hold. */
export class Judge {
  readonly #step: Pick<Step, "id" | "at">;
  readonly #answer: StepAnswer | undefined;
  readonly #matching: Matching;

  constructor(step: Pick<Step, "id" | "at">, answer: StepAnswer | undefined, matching: Matching) {
    this.#step = step;
    this.#answer = answer;
    this.#matching = matching;
  }

  fail(
    message: string,
    more: { path?: string; expected?: string; actual?: string; more?: string[]; at?: SourcePlace } = {},
  ): never {
    const { at = this.#step.at, more: others = [], ...facts } = more;
    const answer = this.#answer;
    throw new Failed(
      {
        step: this.#step.id,
        message,
        ...facts,
        more: others,
        at,
        ...(answer && { sent: answer.sent, saw: answer.saw, exchange: answer.exchange.id }),
      },
      answer,
    );
  }

  #held(what: string, found: readonly Mismatch[]): void {
    const [first, ...others] = found;
    if (!first) return;
    const { path, expected, actual, at } = first;
    const place = path === "" ? what : path;
    this.fail(`${place}: expected ${expected}, got ${actual}`, {
      ...(path !== "" && { path }),
      expected,
      actual,
      more: others.map((each) => `${each.path || what}: expected ${each.expected}, got ${each.actual}`),
      at,
    });
  }

  /** Returns true if the expected status is a failure, and this is it. */
  isWantedRefusal(status: Expectation | undefined): boolean {
    const got = this.#answer?.status;
    return status !== undefined && got !== undefined && got >= 400 && !mismatches(status, got, this.#matching).length;
  }

  headers(expected: Expectation | undefined): void {
    if (!expected || !this.#answer) return;
    this.#held("the headers", mismatches(expected, headersOf(this.#answer.exchange), this.#matching, "headers"));
  }

  /** Requires a success that matches. */
  success({ status, body }: Expect, on: PeerInterface, apply: (rule: QuirkRule) => void): void {
    const answer = this.#answer!;
    if (answer.error && !this.isWantedRefusal(status))
      this.fail(`expected a success, got an error: ${brief(answer.error.message, 200)}`, {
        expected: "a success",
        actual: answer.saw,
      });
    together([
      () => {
        if (!status) return;
        if (on.binding === "GRPC" && answer.exchange.http.request.method !== "GET") apply("http-status-over-grpc");
        if (isPlainOk(status) && isOther2xx(answer.status)) apply("any-success-status");
        else this.#held("the HTTP status", mismatches(status, answer.status, this.#matching));
      },
      () => body && this.#held("the answer", mismatches(body, answer.root, this.#matching)),
    ]);
  }

  /** Requires a matching raw response, without interpreting it. */
  raw({ status, body }: Expect): void {
    const answer = this.#answer!;
    together([
      () => status && this.#held("the HTTP status", mismatches(status, answer.status, this.#matching)),
      () => body && this.#held("the body", mismatches(body, answer.root, this.#matching)),
    ]);
  }

  error(expected: ExpectError, on: PeerInterface): void {
    const answer = this.#answer!;
    const { error } = answer;
    const wanted = (expected.types ?? []).flatMap((type) => errorNamesOf(type) ?? []);
    const named = wanted.map((name) => wantedError(name, on.binding)).join(" or ");
    const words = expected.types ? `${expected.types.join(" or ")} (${named})` : "an error";
    if (!error) this.fail(`expected ${words}, got no error`, { expected: words, actual: answer.saw });
    if (wanted.length && !wanted.some((name) => isErrorNamed(error, on, name)))
      this.fail(`expected ${words}, got another error: ${errorText(error)}`, { expected: words, actual: answer.saw });
    const { message, data, details } = expected;
    const held = (what: string, wanted: Expectation | undefined, value: JsonValue | undefined, path: string) => () =>
      wanted && this.#held(what, mismatches(wanted, value, this.#matching, path));
    together([
      held("the error's message", message, error.message, "message"),
      held("the error's data", data, dataOf(answer, on), "data"),
      held("the error's details", details, detailsOf(error), "details"),
    ]);
  }

  stream(expected: ExpectStream): void {
    const answer = this.#answer!;
    const events = answer.events ?? [];
    const { minCount = 0, maxCount = Number.POSITIVE_INFINITY, finalEvent, eachEvent } = expected;
    together([
      () => {
        if (events.length >= minCount && events.length <= maxCount) return;
        const wanted = Number.isFinite(maxCount) ? `${minCount} to ${maxCount} events` : `at least ${minCount} events`;
        this.fail(`expected ${wanted}, got ${events.length}`, { expected: wanted, actual: `${events.length} events` });
      },
      () => expected.ordering && this.#ordered(events),
      ...events.map(
        (event, index) => () =>
          eachEvent && this.#held("an event", mismatches(eachEvent, event, this.#matching, `events[${index}]`)),
      ),
      ...expected.events.map((each) => () => this.#event(each, events)),
      () => {
        if (!finalEvent) return;
        if (!events.length)
          this.fail("expected a final event, got an empty stream", { expected: "an event", actual: answer.saw });
        const path = `events[${events.length - 1}]`;
        this.#held("the final event", mismatches(finalEvent, events.at(-1), this.#matching, path));
      },
    ]);
  }

  /** Requires the event at an index, or any event of the stream, to match. */
  #event({ index, event, description }: ExpectStream["events"][number], events: readonly JsonValue[]): void {
    if (index !== undefined) {
      this.#held("the event", mismatches(event, events[index], this.#matching, `events[${index}]`));
      return;
    }
    if (events.some((each) => mismatches(event, each, this.#matching).length === 0)) return;
    this.fail(`no event of the stream matches: ${description ?? "as described"}`, {
      expected: description ?? "an event as described",
      ...(this.#answer && { actual: this.#answer.saw }),
      at: event.at,
    });
  }

  /** §7.1: no state returns to SUBMITTED, and none follows a terminal one. */
  #ordered(events: readonly JsonValue[]): void {
    let before: string | undefined;
    for (const [index, event] of events.entries()) {
      const state = stateOf(event);
      if (state === undefined) continue;
      const isBack = before !== undefined && before !== state && state === "TASK_STATE_SUBMITTED";
      const isAfterEnd = before !== undefined && before !== state && isTerminal(before as TaskState);
      if (isBack || isAfterEnd)
        this.fail(`events[${index}]: the state ${state} must not follow ${before}`, {
          path: `events[${index}].status.state`,
          expected: "states that never go back (monotonic_state)",
          actual: `${before}, then ${state}`,
        });
      before = state;
    }
  }

  /** Checks an assertion on an earlier step. */
  assertion(assertion: NamedAssertion, source: JsonValue | undefined): void {
    const { path, match, any, all, none, at } = assertion;
    const root = path === undefined ? source : valuesAt(source, path)[0]?.value;
    if (match) this.#held(path ?? "the source", mismatches(match, root, this.#matching, path ?? ""));
    const fits = (each: { value: JsonValue | undefined }, collection: NonNullable<typeof any>): boolean =>
      mismatches(collection.match, each.value, this.#matching).length === 0;
    if (any) {
      const found = valuesAt(root, any.path);
      if (!found.some((each) => fits(each, any)))
        this.fail(`none of the ${found.length} elements at ${any.path} matches`, {
          path: any.path,
          expected: `one element that is ${describe(any.match, this.#matching)}`,
          actual: brief(
            found.map(({ value }) => value),
            400,
          ),
          at,
        });
    }
    for (const each of all ? valuesAt(root, all.path) : [])
      this.#held(each.path, mismatches(all!.match, each.value, this.#matching, each.path));
    const unwanted = none && valuesAt(root, none.path).find((each) => fits(each, none));
    if (unwanted)
      this.fail(`${unwanted.path} matches, and no element may`, {
        path: unwanted.path,
        expected: `no element that is ${describe(none.match, this.#matching)}`,
        actual: brief(unwanted.value, 400),
        at,
      });
  }
}

const isPlainOk = (status: Expectation): boolean => status.is === "value" && status.value === 200;

const isOther2xx = (status: number | undefined): boolean => status !== undefined && status > 200 && status < 300;

const stateOf = (event: JsonValue): string | undefined => {
  const status = isObject(event) ? event["status"] : undefined;
  const state = isObject(status) ? status["state"] : undefined;
  return typeof state === "string" ? state : undefined;
};

const errorText = ({ code, grpc, http, reason, message }: PeerError): string =>
  `${code ?? grpc?.status ?? `HTTP ${http}`}${reason ? ` ${reason}` : ""} (${brief(message, 200)})`;

/** Returns the error's details as the binding carries them. */
function dataOf({ root, error }: StepAnswer, { binding }: PeerInterface): JsonValue | undefined {
  const inBody = isObject(root) && isObject(root["error"]) ? root["error"] : undefined;
  if (binding === "JSONRPC") return inBody?.["data"] as JsonValue | undefined;
  return error?.details as JsonValue;
}

/** Merges the members of all details, so that `reason` and `metadata` can be matched by name. */
const detailsOf = ({ details }: PeerError): JsonValue =>
  Object.assign({}, ...details.filter((each) => isObject(each))) as JsonValue;

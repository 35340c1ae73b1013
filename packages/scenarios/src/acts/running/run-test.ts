import { isTerminal, type JsonValue, type TaskState } from "@assay/protocol";
import { type Mailbox, Obstacle, type Target } from "@assay/suite";
import { repeatLine } from "@assay/suite/report";
import { type Masker, toHarEntry } from "@assay/wire";
import { isErrorNamed } from "../error-types.ts";
import type { AppliedRule, NamedAssertion, Step, Test, Transport } from "../model.ts";
import { defectOf, openStatus } from "../quirks/defects.ts";
import type { QuirkRule } from "../quirks/rules.ts";
import type { FailureDetail, RunName, StepOutcome, TestOutcome } from "../reporting/outcome.ts";
import { valueAt } from "../values/path.ts";
import { referencesIn, UnknownVariable, VariableScope } from "../values/scope.ts";
import { holds } from "../values/until.ts";
import { type ActsAgent, exchangeName } from "./agent.ts";
import { isLogin, type StepAnswer } from "./answer.ts";
import { askClient, askOperation, askRaw } from "./ask.ts";
import type { Duty } from "./duties/duty.ts";
import { duties } from "./duties/index.ts";
import { endedConfig, failsOnStatusAlone, forgetsEnded, forgetsTasks, isShyOfUs, shyOfUs } from "./excuses.ts";
import { Judge } from "./judge.ts";
import { pauseAfter } from "./repeating.ts";
import { Failed, Skipped, together } from "./verdicts.ts";

export interface TestPlace {
  readonly agent: ActsAgent;
  readonly target: Target;
  readonly run: RunName;
  readonly transport: Transport;
  /** of the file */
  readonly variables: Readonly<Record<string, string>>;
  /** of the user */
  readonly given: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sleep: (ms: number) => Promise<void>;
  /** masks secrets */
  readonly masker: Masker;
}

/** Runs one test on one binding and returns one verdict. */
export async function runTest(test: Test, place: TestPlace): Promise<TestOutcome> {
  const startedAt = performance.now();
  const run = new TestRun(test, place);
  const verdict = await run.conduct();
  const { id, name, level, at, specRef } = test;
  return {
    id,
    name,
    level,
    row: rowOf(test, place.transport),
    transport: place.transport,
    run: place.run,
    ...verdict,
    durationMs: Math.round(performance.now() - startedAt),
    steps: run.steps,
    rules: run.rules,
    notes: run.notes,
    at,
    ...(specRef !== undefined && { specRef }),
  };
}

export const rowOf = ({ id, rows }: Test, transport: Transport): string => `${rows ?? transport}/${id}`;

type Judgement = Pick<TestOutcome, "verdict" | "reason" | "failure">;

/** A running test: the responses and captures of its steps. */
export class TestRun {
  readonly test: Test;
  readonly place: TestPlace;
  readonly steps: StepOutcome[] = [];
  readonly rules: AppliedRule[];
  readonly notes: string[] = [];
  readonly answers = new Map<string, StepAnswer>();
  readonly scope: VariableScope;
  readonly #duty: Duty | undefined;
  #mailbox: Mailbox | undefined;
  #otherTask: string | undefined;
  #step: Step;

  constructor(test: Test, place: TestPlace) {
    this.test = test;
    this.place = place;
    this.rules = [...test.rules];
    this.#duty = Object.hasOwn(duties, test.id) ? duties[test.id] : undefined;
    this.#step = test.steps[0]!;
    const { variables, given, env } = place;
    this.scope = new VariableScope({
      variables,
      env,
      given: {
        SUT_BASE_URL: () => this.#given("suite-variable", place.agent.facts.cardUrl.split("/.well-known/")[0]),
        webhookUrl: () => this.#given("webhook-of-the-runner", this.mailbox?.url),
        otherUserTaskId: () => this.#otherTask,
        ...given,
      },
    });
  }

  #given(rule: QuirkRule, value: string | undefined): string | undefined {
    if (value !== undefined) this.apply(rule);
    return value;
  }

  readonly apply = (rule: QuirkRule): void => {
    if (!this.rules.some((each) => each.rule === rule)) this.rules.push({ rule });
  };

  /** Receives the notifications of this test. */
  get mailbox(): Mailbox | undefined {
    this.#mailbox ??= this.place.agent.webhook?.mailbox(this.#duty?.answers);
    return this.#mailbox;
  }

  async conduct(): Promise<Judgement> {
    try {
      await this.#prepare();
      for (const step of this.test.steps) await this.#take(step);
      for (const assertion of this.test.assertions) this.#assert(assertion);
      const note = this.#isDeaf
        ? "Assay cannot see notifications sent to --var webhookUrl"
        : await this.#duty?.after?.(this);
      if (note !== undefined) this.notes.push(note);
      const defect = defectOf(this.test);
      if (defect && !defect.conforms) return { verdict: "defect", reason: defect.reason };
      return { verdict: "pass" };
    } catch (error) {
      return this.#judgementOf(error);
    }
  }

  /** Returns true if the test reads notifications that go elsewhere. */
  get #isDeaf(): boolean {
    return this.#duty?.hears === true && this.place.given["webhookUrl"] !== undefined;
  }

  async #judgementOf(error: unknown): Promise<Judgement> {
    if (error instanceof Skipped) return { verdict: "skip", reason: error.message };
    if (error instanceof UnknownVariable) return withoutVariable(error);
    if (error instanceof Failed) return this.#failed(error);
    // An obstacle of the suite says why something could not be examined.
    if (error instanceof Obstacle && error.kind.is !== "network") return { verdict: "skip", reason: error.message };
    return { verdict: "error", reason: error instanceof Error ? error.message : String(error) };
  }

  async #failed({ detail, answer }: Failed): Promise<Judgement> {
    const defect = defectOf(this.test);
    const isThere = defect !== undefined && defect.step === detail.step;
    if (isThere && (!defect.conforms || (answer && defect.conforms(answer, this.place.target.on.binding))))
      return { verdict: "defect", reason: defect.reason };
    const step = this.test.steps.find(({ id }) => id === detail.step);
    const fill = (value: JsonValue): JsonValue => this.scope.fill(value);
    if (step && answer && failsOnStatusAlone(step, answer, this.place.target.on, fill))
      return { verdict: "defect", reason: openStatus };
    if (step && answer && this.#mailbox && isShyOfUs(step, answer, this.place))
      return { verdict: "skip", reason: shyOfUs };
    if (step && answer && this.#refusesEnded(step, answer)) return { verdict: "defect", reason: endedConfig };
    if (step && answer && (await this.#isForgotten(step, answer))) return { verdict: "skip", reason: forgetsEnded };
    const waived = answer && this.#duty?.waives?.(answer);
    if (waived) return { verdict: "skip", reason: waived };
    return { verdict: "fail", failure: this.#told(detail, answer) };
  }

  /** Returns true if the agent rejects a push configuration for an ended task, which has no more events. */
  #refusesEnded(step: Step, { error }: StepAnswer): boolean {
    if (step.is !== "operation" || step.operation !== "create_push_config" || !error) return false;
    const { on } = this.place.target;
    const isRefusal = (["TaskNotFound", "UnsupportedOperation"] as const).some((name) => isErrorNamed(error, on, name));
    return isRefusal && hasEnded(this.answers.values(), valueAt(this.scope.fill(step.params), "taskId"));
  }

  /**
   * Returns true if an ended task is missing on an agent that keeps none: only ACTS keywords can find that
   * out.
   */
  async #isForgotten(step: Step, { error, root }: StepAnswer): Promise<boolean> {
    const { target, agent } = this.place;
    if (step.is !== "operation" || !this.test.behaviours.length) return false;
    const isGone = error ? isErrorNamed(error, target.on, "TaskNotFound") : isEmptyList(step, root);
    return isGone && forgetsTasks(target, agent);
  }

  /** Masks a failure and adds the command that repeats it. */
  #told(detail: FailureDetail, answer: StepAnswer | undefined): FailureDetail {
    const repeat = answer && repeatLine(toHarEntry(this.place.masker.exchange(answer.exchange)), answer.message);
    return { ...this.#masked(detail), ...(repeat !== undefined && { repeat: this.place.masker.text(repeat) }) };
  }

  #masked(detail: FailureDetail): FailureDetail {
    const mask = (text: string): string => this.place.masker.text(text);
    const { exchange } = detail;
    const texts = Object.entries(detail).map(([name, value]) => [
      name,
      typeof value === "string" ? mask(value) : value,
    ]);
    // The same members, with masked texts.
    return {
      ...(Object.fromEntries(texts) as FailureDetail),
      more: detail.more.map(mask),
      ...(exchange !== undefined && { exchange: exchangeName(this.test.agent, this.place.run, exchange) }),
    };
  }

  /** Prepares what the first step needs. */
  async #prepare(): Promise<void> {
    const { target, given, agent } = this.place;
    if (this.#duty?.hears && !agent.webhook && !this.#isDeaf) throw new UnknownVariable("webhookUrl");
    const needed = new Set(referencesIn([this.test.steps, this.test.assertions]));
    if (needed.has("otherUserTaskId") && given["otherUserTaskId"] === undefined) {
      const second = target.as("second");
      const params = { message: { role: "ROLE_USER", parts: [{ text: "tck-complete-task of somebody else" }] } };
      const other =
        second && (await askOperation({ operation: "send_message" }, params, second, this.place.agent, () => {}));
      const id = other && valueAt(other.root, "task.id");
      if (typeof id === "string") this.#otherTask = id;
    }
  }

  async #take(step: Step): Promise<void> {
    this.#step = step;
    const startedAt = performance.now();
    const exchanges: string[] = [];
    const done = (verdict: StepOutcome["verdict"], failure?: FailureDetail): void => {
      this.steps.push({
        id: step.id,
        verdict,
        durationMs: Math.round(performance.now() - startedAt),
        exchanges,
        ...(failure && { failure: this.#masked(failure) }),
      });
    };
    try {
      await this.#duty?.before?.(step, this);
      for (let attempt = 1; ; attempt++) {
        const answer = await this.#ask(step);
        if (answer) {
          exchanges.push(exchangeName(this.test.agent, this.place.run, answer.exchange.id));
          this.answers.set(step.id, answer);
          if (answer.root !== undefined) this.scope.capture(step.id, "response", answer.root);
        }
        const repeat = step.is === "operation" ? step.repeat : undefined;
        const isDone = !repeat || holds(repeat.until, answer?.root);
        // The expectation is about the last response; but an agent that rejects the request is not
        // working.
        const isRefused = answer?.error !== undefined && step.is === "operation" && !step.expectError;
        if (isDone || isRefused || attempt >= repeat.maxAttempts) this.#examine(step, answer);
        if (isDone) break;
        if (attempt >= repeat.maxAttempts)
          this.#judge(answer).fail(`after ${attempt} attempts this still does not hold: ${repeat.until.text}`, {
            path: repeat.until.path,
            expected: repeat.until.text,
            actual: JSON.stringify(valueAt(answer?.root, repeat.until.path)) ?? "nothing",
          });
        await this.place.sleep(pauseAfter(attempt, repeat));
      }
      done("pass");
    } catch (error) {
      if (error instanceof Failed) done("fail", error.detail);
      else done(error instanceof Skipped || error instanceof UnknownVariable ? "skip" : "error");
      throw error;
    }
  }

  async #ask(step: Step): Promise<StepAnswer | undefined> {
    const { target, agent, sleep } = this.place;
    switch (step.is) {
      case "operation":
        if (step.delayMs) await sleep(step.delayMs);
        return askOperation(
          { ...step, sentHeaders: this.scope.fill({ ...step.sentHeaders }) },
          this.scope.fill(step.params),
          target,
          agent,
          this.apply,
        );
      case "raw": {
        const { method, body, bodyRaw } = step;
        const filled = {
          method,
          path: this.scope.fill(step.path),
          headers: this.scope.fill({ ...step.headers, ...step.sentHeaders }),
          ...(body !== undefined && { body: this.scope.fill(body) }),
          ...(bodyRaw !== undefined && { bodyRaw: this.scope.fill(bodyRaw) }),
        };
        return askRaw(filled, target, agent, { isAboutLogin: this.#isAboutLogin, apply: this.apply });
      }
      case "client":
        return askClient(step, this.scope.fill(step.payload), target);
      case "assertion":
        return undefined;
    }
  }

  #examine(step: Step, answer: StepAnswer | undefined): void {
    const judge = this.#judge(answer);
    if (answer?.trouble?.whose === "ours") throw new Error(answer.trouble.says);
    if (answer?.trouble?.whose === "neither") throw new Skipped(`not examined: ${answer.trouble.says}`);
    if (answer && this.#needsLogin(step, answer))
      throw new Skipped("the agent requires credentials: --bearer env:TOKEN, --api-key or --basic");
    const isRefusal = "expect" in step && judge.isWantedRefusal(step.expect?.status);
    if (answer?.trouble && !isRefusal) judge.fail(answer.trouble.says, { actual: answer.saw });
    const { on } = this.place.target;
    together([
      () => {
        if (step.is === "client") judge.raw({ body: step.expectParsed });
        else if (step.is === "raw" && step.expect) judge.raw(step.expect);
        else if (step.is === "operation" && !step.expectError) judge.success(step.expect ?? {}, on, this.apply);
      },
      () => "captures" in step && step.expectError && judge.error(step.expectError, on),
      () => "captures" in step && step.expectStream && judge.stream(step.expectStream),
      () => {
        if ("captures" in step)
          for (const each of [step.expect, step.expectError, step.expectStream]) judge.headers(each?.headers);
      },
      () => "captures" in step && answer && this.#capture(step.captures, step, answer, judge),
      ...step.assertions.map((assertion) => () => this.#assert(assertion)),
    ]);
  }

  get #isAboutLogin(): boolean {
    return this.test.tags.includes("auth") || this.test.preconditions.capabilities["authentication"] !== undefined;
  }

  /**
   * Returns true if credentials are missing in a test about something else: that does not count against the
   * agent.
   */
  #needsLogin(step: Step, answer: StepAnswer): boolean {
    if (!("captures" in step) || this.#isAboutLogin || !isLogin(answer)) return false;
    return !this.#judge(answer).isWantedRefusal(step.expect?.status);
  }

  #capture(captures: Readonly<Record<string, string>>, step: Step, { root, events }: StepAnswer, judge: Judge): void {
    for (const [name, path] of Object.entries(captures)) {
      // The root of a stream is each event (§4.2); `events[0].…` selects one.
      const value =
        valueAt(root, path) ?? events?.map((event) => valueAt(event, path)).find((each) => each !== undefined);
      if (value === undefined)
        judge.fail(`there is nothing at ${path} to capture as ${name}`, {
          path,
          expected: "a value",
          actual: "nothing",
        });
      this.scope.capture(step.id, name, value);
    }
  }

  /** The evidence of an assertion is the response that it is about. */
  #assert(assertion: NamedAssertion): void {
    const source = referencesIn(assertion.source).map((each) => this.answers.get(each.slice(0, each.lastIndexOf("."))));
    this.#judge(source[0] ?? this.answers.get(this.#step.id)).assertion(
      assertion,
      this.scope.fill(assertion.source as JsonValue),
    );
  }

  #judge(answer: StepAnswer | undefined): Judge {
    return new Judge(this.#step, answer, { fill: (value) => this.scope.fill(value), apply: this.apply });
  }

  /** Returns a judge of a step's response, for duties. */
  judgeOf(step: string): Judge {
    const found = this.test.steps.find(({ id }) => id === step) ?? this.#step;
    return new Judge(found, this.answers.get(found.id), { fill: (value) => this.scope.fill(value) });
  }
}

const isEmptyList = ({ is, ...step }: Step, root: JsonValue | undefined): boolean =>
  is === "operation" &&
  "operation" in step &&
  step.operation === "list_tasks" &&
  valueAt(root, "tasks[0]") === undefined;

function withoutVariable({ variable, message }: UnknownVariable): Judgement {
  const needs: Readonly<Record<string, string>> = {
    webhookUrl: "an address where the agent can reach Assay: --webhook-url <url>",
    insufficientAuthToken: "a valid token without enough permission: --var insufficientAuthToken=env:NAME",
    otherUserTaskId: "a task of another principal: --var otherUserTaskId=<id>",
  };
  const need = Object.hasOwn(needs, variable) ? needs[variable] : undefined;
  return need
    ? { verdict: "skip", reason: `needs ${need}` }
    : { verdict: "error", reason: `${message}: --var ${variable}=<value>` };
}

/** Returns true if an earlier step saw the task end. */
function hasEnded(answers: Iterable<StepAnswer>, id: JsonValue | undefined): boolean {
  return [...answers].some(({ root }) => {
    const task = valueAt(root, "task") ?? root;
    const state = valueAt(task, "status.state");
    return id !== undefined && valueAt(task, "id") === id && isTerminal(String(state) as TaskState);
  });
}

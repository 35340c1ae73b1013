import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { OperationStep, Step } from "../../model.ts";
import { valueAt } from "../../values/path.ts";
import { brief, eventView } from "../answer.ts";
import { requestOf } from "../operations.ts";
import type { TestRun } from "../run-test.ts";

/** Milliseconds for a stream to send something. */
const notified = 10_000;
/** Milliseconds for an agent to notice that a client has hung up. */
const noticed = 200;

/**
 * Opens another stream of the same task while both run. If the test's behaviour ends too soon, a slower one
 * is used.
 */
export async function compareStreams(run: TestRun): Promise<string | undefined> {
  const step = run.test.steps[0]!;
  if (step.is !== "operation") return undefined;
  const slow: JsonObject = { message: { role: "ROLE_USER", parts: [{ text: "tck-long-running two streams" }] } };
  const [own, slower] = [await twoStreams(run, step, run.scope.fill(step.params)), () => twoStreams(run, step, slow)];
  if (own === "compared") return undefined;
  return (await slower()) === "compared" ? "two streams were compared on tck-long-running" : `not examined: ${own}`;
}

async function twoStreams(run: TestRun, step: OperationStep, params: JsonObject): Promise<string> {
  const { target } = run.place;
  const first = await target.open(
    "SendStreamingMessage",
    requestOf(step.operation, params, () => {}),
  );
  const opening = await first.next(notified);
  const id = opening?.is === "result" ? taskIdOf(opening.json) : undefined;
  if (id === undefined) {
    await first.rest(notified);
    return "the stream has no task to subscribe to";
  }
  const second = await target.open("SubscribeToTask", { id }, { refusable: true, unrepeated: true });
  const [, whole] = await Promise.all([second.rest(target.taskTimeout), first.rest(target.taskTimeout)]);
  const events = (frames: typeof first.frames): string[] =>
    frames.flatMap((frame) => (frame.is === "result" ? [JSON.stringify(inOrder(frame.json))] : []));
  const [one, other] = [events(first.frames), events(second.frames)];
  if (!other.length) return "the task ended before a second stream could be opened";
  // The second stream begins with the current task; both must have received all later events.
  const heard = other.slice(1);
  const tail = one.slice(one.length - heard.length);
  if (heard.length <= one.length && heard.every((each, index) => each === tail[index])) return "compared";
  return run.judgeOf(step.id).fail("two streams of one task received different events", {
    expected: `the same events: ${brief(tail.join(" "), 400)}`,
    actual: `${brief(heard.join(" "), 400)} (exchange ${whole.exchange.id})`,
  });
}

export async function closeOneOfTwo(run: TestRun): Promise<string | undefined> {
  const step = run.test.steps[0]!;
  if (step.is !== "operation") return undefined;
  const { target } = run.place;
  const open = () =>
    target.open(
      "SendStreamingMessage",
      requestOf(step.operation, run.scope.fill(step.params), () => {}),
    );
  const [closed, other] = await Promise.all([open(), open()]);
  await closed.next(notified);
  await closed.hangUp();
  await other.rest(60_000);
  const last = other.frames.at(-1);
  const state = last?.is === "result" ? valueAt(eventView(last.json), "status.state") : undefined;
  if (typeof state === "string" && /COMPLETED|FAILED|CANCELED|REJECTED/.test(state)) return undefined;
  return run.judgeOf(step.id).fail("a stream did not reach its end after another one was closed", {
    expected: "a terminal state at the end",
    actual: typeof state === "string" ? state : "no state",
  });
}

/** Sorts members, whose order has no meaning. */
function inOrder(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(inOrder);
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, value]) => [name, inOrder(value)]));
}

function taskIdOf(event: JsonValue): string | undefined {
  const view = eventView(event);
  const id = isObject(view) ? (view["taskId"] ?? view["id"]) : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Subscribes, drops the stream after the first event, and lets the step subscribe again. */
export async function dropAndComeBack(step: Step, run: TestRun): Promise<void> {
  if (step.is !== "operation" || step.id !== "subscribe") return;
  const stream = await run.place.target.open("SubscribeToTask", run.scope.fill(step.params));
  await stream.next(notified);
  await stream.hangUp();
  // An agent that allows one stream per task must notice it first.
  await run.place.sleep(noticed);
}

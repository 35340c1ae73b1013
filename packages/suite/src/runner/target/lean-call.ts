import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { type Exchange, type FailureCode, type Reply, trim } from "@assay/wire";
import { asObject } from "../../answers/loose-json.ts";
import { tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/**
 * Of longer lists, the tasks behind these are kept by what lists are judged by: id, context, state and time. Tasks of this
 * run, by which what a list shows of a task is judged, are kept whole wherever they stand.
 */
const mostWhole = 1_000;

/** Of a stream that we hung up on because it was too large: what is kept of its bytes, and of each text in its events. */
const overflowed = { bytes: 64 * 1024, text: 1_024 };

/**
 * What is kept of calls for the rest of a run. Every call is judged whole when it arrives; those that look at it later need of
 * a long answer no more than is written down as evidence, and of a long list no more than what tells its tasks apart. So
 * the memory of a run does not grow with the number of tasks that an agent lists again and again.
 */
export class LeanCalls {
  /** the same task of two pages is one */
  readonly #tasks = new Map<string, JsonObject>();
  /** ids of tasks that were told of otherwise than by a list */
  readonly #ofRun = new Set<string>();

  /** The call as it is kept, with the exchange as it was written down. */
  of(call: Call, written: Exchange): Call {
    if (call.operation !== "ListTasks") for (const { id } of tasksIn(call)) this.#ofRun.add(id);
    const isOverflow = overflows.has(call.exchange.failure?.code);
    const isCut = weightOf(written) !== weightOf(call.exchange);
    const shorten = (reply: Reply): Reply => (isOverflow ? cutStream(reply) : this.#lean(reply));
    const reply = shorten(call.reply);
    const said = call.said === call.reply ? reply : shorten(call.said);
    if (!isCut && !isOverflow && reply === call.reply && said === call.said) return call;
    const exchange = isOverflow ? trim(written, overflowed.bytes) : isCut ? written : call.exchange;
    const lean: Call = { ...call, exchange, reply, said };
    wholeToLean.set(call, lean);
    return lean;
  }

  #lean(reply: Reply): Reply {
    if (reply.is !== "result") return reply;
    const json = asObject(reply.json);
    const tasks = json?.["tasks"];
    if (!json || !Array.isArray(tasks) || tasks.length <= mostWhole) return reply;
    const kept = tasks.map((task, index) => (index < mostWhole ? this.#shared(task) : this.#named(task)));
    return { ...reply, json: { ...json, tasks: kept } };
  }

  /** A task whole, once for all pages that show it alike. */
  #shared(task: JsonValue): JsonValue {
    return isObject(task) ? this.#once(JSON.stringify(task), () => task as JsonObject) : task;
  }

  #named(task: JsonValue): JsonValue {
    const json = asObject(task);
    const status = asObject(json?.["status"]);
    if (!json || !status || this.#ofRun.has(String(json["id"]))) return task;
    const { id = null, contextId = null } = json;
    const { state = null, timestamp = null } = status;
    return this.#once(JSON.stringify([id, contextId, state, timestamp]), () => ({
      id,
      contextId,
      status: { state, timestamp },
    }));
  }

  #once(key: string, make: () => JsonObject): JsonObject {
    const known = this.#tasks.get(key) ?? make();
    this.#tasks.set(key, known);
    return known;
  }
}

const overflows: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>(["too-large", "too-many-events"]);

/** The texts of such a stream prove nothing that its beginning does not: nothing of it is whole. */
function cutStream(reply: Reply): Reply {
  if (reply.is !== "stream") return reply;
  return {
    ...reply,
    events: reply.events.map((event) => (event.is === "result" ? { ...event, json: cutTexts(event.json) } : event)),
  };
}

function cutTexts(json: JsonValue): JsonValue {
  if (typeof json === "string")
    return json.length > overflowed.text ? Buffer.from(json.slice(0, overflowed.text)).toString() : json;
  if (Array.isArray(json)) return json.map(cutTexts);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, cutTexts(value as JsonValue)]));
}

/** Bodies in bytes, events and messages by their number: enough to tell that something was cut off. */
const weightOf = ({ http: { request, response, sse, grpc } }: Exchange): number =>
  request.body.length + (response?.body.length ?? 0) + (sse?.events.length ?? 0) + (grpc?.messages.length ?? 0);

/** While a call is judged whole, what is remembered of it is the lean one. */
const wholeToLean = new WeakMap<object, Call>();

/** What stands for a call, or an exchange, once it is judged. */
export const leanOf = <T extends object>(evidence: T): T | Call => wholeToLean.get(evidence) ?? evidence;

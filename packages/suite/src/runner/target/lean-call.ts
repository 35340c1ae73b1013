import { createHash } from "node:crypto";
import { isObject, type JsonObject, type JsonValue, writtenText } from "@assay/protocol";
import { type Exchange, type FailureCode, type Reply, trim } from "@assay/wire";
import { asList, asObject } from "../../answers/loose-json.ts";
import { tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";

/**
 * Beyond this number, the tasks of a list keep only what lists are judged by: id, context, state and time. Tasks of
 * this run stay complete, because checks compare them with the list.
 */
const mostWhole = 1_000;

/** The kept part of a stream that Assay closed because of its size: of its bytes, and of each text in its events. */
const overflowed = { bytes: 64 * 1024, text: 1_024 };

/**
 * Reduces the calls that a run keeps. Every call is judged completely when it arrives. Later readers need only the
 * evidence of a long response and the identity of listed tasks, so memory does not grow with repeated lists.
 */
export class LeanCalls {
  /** the long lists of artifacts and messages, by hash */
  readonly #lists = new Map<string, JsonValue>();
  /** shares equal tasks of several pages */
  readonly #tasks = new Map<string, JsonObject>();
  /** ids of tasks that appeared outside lists */
  readonly #ofRun = new Set<string>();

  /** Returns the reduced call, with the recorded exchange. */
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
    if (!json || !Array.isArray(tasks)) return this.#leanTask(reply, json);
    if (tasks.length <= mostWhole) return reply;
    const kept = tasks.map((task, index) => (index < mostWhole ? this.#shared(task) : this.#named(task)));
    return { ...reply, json: { ...json, tasks: kept } };
  }

  /** Keeps equal lists of very many artifacts or messages once: a run reads the same task dozens of times. */
  #leanTask(reply: ResultReply, json: JsonObject | undefined): Reply {
    const inner = asObject(json?.["task"]);
    const task = inner ?? json;
    const long = ["artifacts", "history"].filter((name) => asList(task?.[name]).length > mostWhole);
    if (!json || !task || long.length === 0) return reply;
    const shared = { ...task };
    for (const name of long) shared[name] = this.#sharedList(task[name]!);
    return { ...reply, json: inner ? { ...json, task: shared } : shared };
  }

  #sharedList(list: JsonValue): JsonValue {
    // The hash is kept instead of the text, which has megabytes.
    const key = createHash("sha256").update(JSON.stringify(list)).digest("base64");
    const known = this.#lists.get(key) ?? list;
    this.#lists.set(key, known);
    return known;
  }

  /** Returns one shared object for equal tasks. */
  #shared(task: JsonValue): JsonValue {
    return isObject(task) ? this.#once(JSON.stringify(task), () => task as JsonObject) : task;
  }

  #named(task: JsonValue): JsonValue {
    const json = asObject(task);
    const status = asObject(json?.["status"]);
    if (!json || !status || this.#ofRun.has(writtenText(json["id"]))) return task;
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

type ResultReply = Extract<Reply, { readonly is: "result" }>;

const overflows: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>(["too-large", "too-many-events"]);

/** The texts of an oversized stream prove no more than their beginning. */
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

/** Counts bytes of bodies, and events and messages: enough to detect that something was cut. */
const weightOf = ({ http: { request, response, sse, grpc } }: Exchange): number =>
  request.body.length + (response?.body.length ?? 0) + (sse?.events.length ?? 0) + (grpc?.messages.length ?? 0);

/** A call is judged complete, but only its lean form is remembered. */
const wholeToLean = new WeakMap<object, Call>();

/** Returns what replaces a call or exchange after it is judged. */
export const leanOf = <T extends object>(evidence: T): T | Call => wholeToLean.get(evidence) ?? evidence;

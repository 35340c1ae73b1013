/**
 * A client of A2A 1.0 over JSON-RPC and HTTP+JSON, written on plain fetch as an outsider would write it: it does what ASSAY_ACTION
 * asks for and prints the text of the answer. With `--wrong VER-001.no-version` it is the same client with one misbehaviour; each
 * stands where `wrong(…)` is asked. The proof runs it within its own process (`runClient`).
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { cardKeeper, openWebhook } from "./trust.js";

/** What went wrong, in words for the user. */
class CallError extends Error {}

const declined = 75;

const ended = ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED"];
const waiting = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** The verb and the path of each operation over HTTP+JSON. */
const routes = {
  SendMessage: () => ["POST", "/message:send"],
  SendStreamingMessage: () => ["POST", "/message:stream"],
  GetTask: ({ id }) => ["GET", `/tasks/${encodeURIComponent(id)}`],
  ListTasks: () => ["GET", "/tasks"],
  CancelTask: ({ id }) => ["POST", `/tasks/${encodeURIComponent(id)}:cancel`],
  SubscribeToTask: ({ id }) => ["POST", `/tasks/${encodeURIComponent(id)}:subscribe`],
  GetExtendedAgentCard: () => ["GET", "/extendedAgentCard"],
};

const isLike = (one) => (other) => one.protocolBinding === other.protocolBinding;

const textOf = (parts = []) => parts.flatMap(({ text }) => text ?? []).join("");

/**
 * Does what the environment asks for and gives the exit code. `misbehaviour` is the name of the one thing it does wrong, or
 * (`odd:…`) unusually and within the rules; `spoken` are the bindings that it speaks.
 */
export async function runClient({
  env,
  misbehaviour = "",
  spoken = ["JSONRPC", "HTTP+JSON"],
  print,
  complain,
  signal,
}) {
  const wrong = (name) => misbehaviour === name;
  const odd = (name) => misbehaviour === `odd:${name}`;
  const json = (value) => (odd("pretty-json") ? JSON.stringify(value, null, 2) : JSON.stringify(value));
  const known = (env.ASSAY_EXTENSIONS ?? "").split(",").filter(Boolean);

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const cardAt = cardKeeper({ wrong, signal });

  async function fetchCard() {
    const address = new URL(".well-known/agent-card.json", `${env.ASSAY_AGENT_URL}/`);
    if (odd("head-first")) await fetch(address, { method: "HEAD", signal });
    const card = await cardAt(address);
    if (wrong("DATA-015.strict-card") && Object.keys(card).some((name) => name.startsWith("x-")))
      throw new CallError("the card has an unknown member");
    return card;
  }

  /** The interfaces that it speaks, in the card's order. */
  function interfacesOf(card) {
    const usable = (card.supportedInterfaces ?? []).filter(
      (each) =>
        spoken.includes(each.protocolBinding) &&
        (each.protocolVersion === "1.0" || wrong("VER-015.any-version") || wrong("VER-016.older-unasked")),
    );
    if (!usable.length) throw new CallError("the agent offers no interface of A2A 1.0 that I speak");
    const required = (card.capabilities?.extensions ?? []).filter((each) => each.required).map(({ uri }) => uri);
    const unknown = required.find((uri) => !known.includes(uri));
    if (unknown && !wrong("EXT-016.ignores-required")) throw new CallError(`the agent requires ${unknown}`);
    if (wrong("LEG-006.prefers-url") && card.url) return [{ ...usable[0], url: card.url }];
    if (wrong("BIND-006.last-of-binding"))
      return usable.filter((each, index) => usable.findLastIndex(isLike(each)) === index);
    if (odd("own-port")) {
      const near = usable.filter(({ url }) => new URL(url).port === new URL(env.ASSAY_AGENT_URL).port);
      return near.length ? near : usable;
    }
    return wrong("BIND-006.last") || odd("own-order") ? usable.reverse() : usable;
  }

  class Connection {
    #on;
    #lastId = 0;

    constructor(on) {
      this.#on = on;
    }

    get #address() {
      const { url } = this.#on;
      return wrong("BIND-007.card-host") ? url.replace(new URL(url).origin, new URL(env.ASSAY_AGENT_URL).origin) : url;
    }

    /** It fell back to 0.3, in which it only sends messages. */
    get #isOlder() {
      return wrong("VER-016.older-unasked") && this.#on.protocolVersion === "0.3";
    }

    #headers(isGet, type, operation) {
      const own = this.#isOlder ? "0.3" : "1.0";
      const version = wrong("VER-002.library-version") ? "sdk-4.2" : wrong("VER-002.patch") ? "1.0.3" : own;
      const isVersioned = !wrong("VER-001.no-version") && !(wrong("REST-017.not-on-get") && isGet);
      const headers = new Headers({
        Accept: "application/json, text/event-stream",
        ...(type && { "Content-Type": type }),
        ...(isVersioned && !odd("version-in-query") && { "A2A-Version": version }),
        ...(odd("more-headers") && { "X-Request-Id": randomUUID(), "User-Agent": "strange/1 (client)", Cookie: "a=b" }),
      });
      const isAnonymous = wrong("AUTH-005.no-login") || (wrong("XCARD-011.anonymous") && /Card$/.test(operation));
      // The token is meant for the host that the user named. The card may name any other.
      const isForeign = new URL(this.#on.url).hostname !== new URL(env.ASSAY_AGENT_URL).hostname;
      const isKept = isForeign && !odd("token-for-any-host");
      if (env.ASSAY_BEARER && !isAnonymous && !isKept) headers.set("Authorization", `Bearer ${env.ASSAY_BEARER}`);
      const extensions = wrong("EXT-019.by-default") ? [...known, "urn:example:tracing"] : known;
      if (extensions.length)
        headers.set(wrong("EXT-004.older-name") ? "X-A2A-Extensions" : "A2A-Extensions", extensions.join(","));
      return headers;
    }

    #withTenant(params) {
      const { tenant } = this.#on;
      if (wrong("TEN-001.only-on-send") && !params.message) return params;
      if (wrong("TEN-002.default-tenant") && !tenant) return { ...params, tenant: "default" };
      if (odd("empty-tenant") && !tenant) return { ...params, tenant: "" };
      return !tenant || wrong("TEN-001.no-tenant") ? params : { ...params, tenant };
    }

    /** One request of an operation, over whichever binding. */
    async request(operation, given) {
      const hook = wrong("SEND-024.own-task")
        ? { taskId: randomUUID(), url: "https://client.example.com/hook" }
        : wrong("PUSH-040.plain-http") && { url: "http://client.example.com/hook" };
      const configuration = { taskPushNotificationConfig: hook };
      const params = this.#withTenant(hook && given.message ? { ...given, configuration } : given);
      return this.#on.protocolBinding === "JSONRPC"
        ? this.#overJsonRpc(operation, params)
        : this.#overRest(operation, params);
    }

    async #overJsonRpc(operation, params) {
      const url = new URL(wrong("BIND-007.card-address") ? env.ASSAY_AGENT_URL : this.#address);
      if (odd("version-in-query")) url.searchParams.set("A2A-Version", "1.0");
      if (wrong("VER-003.two-versions")) url.searchParams.set("A2A-Version", "0.3");
      const inMetadata = wrong("JSONRPC-020.version-in-metadata");
      const content = inMetadata ? { ...params, metadata: { "A2A-Version": "1.0" } } : params;
      const call = {
        jsonrpc: "2.0",
        ...(!wrong("JSONRPC-022.no-id") && { id: odd("text-ids") ? `call ${randomUUID()}` : ++this.#lastId }),
        method: this.#isOlder ? "message/send" : operation,
        params: wrong("JSONRPC-022.positional") ? [content] : content,
      };
      const headers = this.#headers(false, "application/json", operation);
      if (inMetadata) headers.delete("A2A-Version");
      if (wrong("EXT-017.two-fields") && known.length > 1) return inTwoFields(url, headers, json(call));
      return this.#sent(url, { method: "POST", headers, body: json(call), signal });
    }

    async #overRest(operation, params) {
      const [verb, path] = routes[operation](params);
      const { id: _inPath, tenant, ...rest } = params;
      const prefix = this.#isOlder ? "/v1" : tenant ? `/${encodeURIComponent(tenant)}` : "";
      const url = new URL(`${this.#address.replace(/\/$/, "")}${prefix}${path}`);
      const asked = odd("version-in-query") ? { ...rest, "A2A-Version": "1.0" } : rest;
      if (verb !== "GET" && odd("version-in-query")) url.searchParams.set("A2A-Version", "1.0");
      if (verb === "GET") {
        const pairs = Object.entries(asked).map(
          ([name, value]) => `${name}=${wrong("REST-025.unencoded") ? value : encodeURIComponent(value)}`,
        );
        if (wrong("REST-019.snake-query")) pairs.push("history_length=5");
        url.search = pairs.join("&");
        return fetch(url, { headers: this.#headers(true, undefined, operation), signal });
      }
      const type = wrong("REST-014.plain-text")
        ? "text/plain"
        : wrong("REST-014.plain-json")
          ? "application/json"
          : "application/a2a+json";
      const headers = this.#headers(false, type, operation);
      return this.#sent(url, { method: verb, headers, body: json(rest), signal });
    }

    /** Follows redirects as fetch does, which leaves the login behind when the host changes. */
    async #sent(url, request) {
      if (!wrong("AUTH-023.taken-along")) return fetch(url, request);
      const response = await fetch(url, { ...request, redirect: "manual" });
      const place = response.headers.get("location");
      return place ? fetch(new URL(place, url), request) : response;
    }

    /** The result of an operation; throws what the agent answers instead of one. */
    async call(operation, params) {
      for (let tries = 0; ; tries++) {
        const response = await this.request(operation, params);
        const json = await response.json();
        if (!json.error || !wrong("VER-018.tries-for-ever") || tries > 20) return this.#result(json, response.ok);
      }
    }

    #result(json, isOk = true) {
      if (json.error) {
        const { code, message, data, details = data } = json.error;
        const reason = Array.isArray(details) ? details.map((each) => each.reason ?? "").join(" ") : "";
        if (wrong("ERR-030.status-only")) throw new CallError("bad request");
        throw new CallError(`${code} ${reason} ${message}`);
      }
      if (!isOk) throw new CallError("the agent answered with an error that is none");
      return this.#on.protocolBinding === "JSONRPC" ? json.result : json;
    }

    async *stream(operation, params) {
      const response = await this.request(operation, params);
      if (!/^text\/event-stream/.test(response.headers.get("content-type") ?? "")) {
        this.#result(await response.json(), response.ok);
        throw new CallError("the agent did not answer with a stream");
      }
      for await (const data of eventsOf(response.body)) yield this.#result(JSON.parse(data));
    }
  }

  /** Fetch joins fields of one name; this does not. */
  async function inTwoFields(url, headers, body) {
    const { request } = await import("node:http");
    headers.delete("A2A-Extensions");
    const sent = request(url, { method: "POST", headers: { ...Object.fromEntries(headers), "A2A-Extensions": known } });
    sent.end(body);
    const [response] = await once(sent, "response");
    return new Response(Readable.toWeb(response), { status: response.statusCode });
  }

  /** The data of each server-sent event. */
  async function* eventsOf(body) {
    const decoder = new TextDecoder();
    let text = "";
    let data = [];
    let isAfterCr = false;
    for await (const bytes of body) {
      let piece = decoder.decode(bytes, { stream: true });
      if (wrong("JSONRPC-028.line-feeds-only")) {
        for (const event of piece.split("\n\n")) if (event.startsWith("data: ")) yield event.slice(6);
        continue;
      }
      // A CR ends a line; an LF behind it belongs to it, also across chunks.
      if (isAfterCr && piece.startsWith("\n")) piece = piece.slice(1);
      isAfterCr = piece.endsWith("\r");
      text += piece.replace(/\r\n?/g, "\n");
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        if (line === "") {
          if (data.length) yield data.join("\n");
          data = [];
        } else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      }
    }
  }

  function printParts(parts) {
    if (wrong("DATA-035.text-only")) return print(parts.map(({ text }) => text.toString()).join(""));
    const text = textOf(parts);
    if (text) print(text);
    for (const { data, url, raw } of parts) {
      if (data !== undefined) print(JSON.stringify(data));
      if (url !== undefined) print(url);
      if (raw !== undefined) print(Buffer.from(raw, "base64").toString());
    }
  }

  function printTask({ status, artifacts = [] }) {
    if (wrong("DATA-010.milliseconds-only") && !/\.\d{3}Z$/.test(status.timestamp ?? ".000Z"))
      throw new CallError("the time of the status cannot be read");
    for (const { parts } of artifacts) printParts(parts);
    if (status.state === "TASK_STATE_COMPLETED" || wrong("LIFE-012.always-well")) return;
    if (ended.includes(status.state) || waiting.includes(status.state))
      throw new CallError(
        odd("hides-reasons") ? status.state : `the task is ${status.state}: ${textOf(status.message?.parts)}`,
      );
  }

  function messageOf(text, more = {}) {
    const message = {
      messageId: wrong("SEND-021.no-id") ? "" : wrong("SEND-021.one-id") ? "my-message" : randomUUID(),
      role: wrong("SEND-022.agent") ? "ROLE_AGENT" : wrong("DATA-004.lower-case") ? "user" : "ROLE_USER",
      parts: [wrong("DATA-036.two-contents") ? { text, data: { text } } : { text }],
      ...(wrong("AUTH-005.in-message") && { metadata: { token: env.ASSAY_BEARER } }),
      ...(odd("more-parts") && { parts: [{ text, mediaType: "text/plain" }, { data: [1, null] }], metadata: { a: 1 } }),
      ...(odd("unknown-members") && { "x-vendor": { a: 1 }, extensions: [] }),
      ...(wrong("CTX-004.own-context") && { contextId: randomUUID() }),
      ...(wrong("CTX-017.own-task") && { taskId: randomUUID() }),
      ...more,
    };
    if (!wrong("DATA-002.snake-case")) return message;
    const { messageId, ...rest } = message;
    return { message_id: messageId, ...rest };
  }

  /** The generation of a task, as far as the agent counts it (draft of 1.1). */
  class Generations {
    #last;
    #isUseless = false;

    read({ generation }) {
      if (odd("ignores-generations")) return;
      if (generation === "0" && !wrong("GEN-022.zero")) this.#isUseless = true;
      this.#last = generation ?? this.#last;
    }

    /** Takes an event; true where one is missing before it. */
    take({ generation }) {
      if (generation === undefined || odd("ignores-generations")) return false;
      const [before, now] = [Number(this.#last ?? 0), Number(generation)];
      if ((now === 0 || now === before) && !wrong("GEN-022.repeated")) this.#isUseless = true;
      this.#last = generation;
      return before > 0 && now > before + 1 && !wrong("GEN-020.goes-on");
    }

    /** The value to send; undefined where the agent does not count. */
    get known() {
      return this.#isUseless ? undefined : this.#last;
    }
  }

  /** What a stream has told of a task. */
  class Following {
    id;
    status;
    counter = new Generations();
    isGapped = false;
    #artifacts = new Map();

    take({ task, statusUpdate, artifactUpdate }) {
      this.id ??= task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
      this.status = task?.status ?? statusUpdate?.status ?? this.status;
      if (task) this.counter.read(task);
      else if (this.counter.take(statusUpdate ?? artifactUpdate)) this.isGapped = true;
      for (const artifact of task?.artifacts ?? []) this.#artifacts.set(artifact.artifactId, artifact);
      const { artifact, append } = artifactUpdate ?? {};
      if (!artifact) return;
      const held =
        append && !wrong("STREAM-027.last-chunk-only") ? this.#artifacts.get(artifact.artifactId) : undefined;
      if (odd("prints-chunks")) for (const { text } of artifact.parts) print(text);
      const parts = held ? [...held.parts, ...artifact.parts] : artifact.parts;
      this.#artifacts.set(artifact.artifactId, { ...artifact, parts });
    }

    get isOver() {
      return [...ended, ...waiting].includes(this.status?.state);
    }

    get task() {
      return { status: this.status, artifacts: odd("prints-chunks") ? [] : [...this.#artifacts.values()] };
    }
  }

  /** Reads a stream; true where it was cut off. */
  async function follow(events, following) {
    try {
      for await (const event of events) {
        if (event.message) return printParts(event.message.parts);
        following.take(event);
      }
    } catch (error) {
      if (error instanceof CallError || !following.id) throw error;
    }
    return undefined;
  }

  /** After a stream that broke off: what became of the task is asked for. */
  async function recover(connection, following, ends = [...ended, ...waiting]) {
    if (wrong("SUB-009.sends-again")) return stream(connection);
    if (wrong("STREAM-025.waits")) await pause(60_000);
    const counter = following.counter ?? new Generations();
    for (let tries = 0; tries < 40; tries++) {
      const { known: currentGeneration } = counter;
      const task = await connection.call("GetTask", {
        id: following.id,
        ...(currentGeneration && { currentGeneration }),
      });
      counter.read(task);
      if (ends.includes(task.status.state)) return printTask(task);
      await pause(100);
    }
    throw new CallError("the task does not come to its end");
  }

  async function stream(connection) {
    const following = new Following();
    await follow(connection.stream("SendStreamingMessage", { message: messageOf(env.ASSAY_MESSAGE) }), following);
    // 0.3 told the last event by `final`, which 1.0 does not have.
    if (wrong("STREAM-026.waits-for-final")) await pause(60_000);
    if (!following.id) return;
    if (following.isGapped) printTask(await connection.call("GetTask", { id: following.id }));
    else if (following.isOver) printTask(following.task);
    else await recover(connection, following);
  }

  async function send(connection) {
    const answer = await connection.call("SendMessage", { message: messageOf(env.ASSAY_MESSAGE) });
    if (wrong("SEND-023.tasks-only")) return printTask(answer.task);
    if (answer.message) return printParts(answer.message.parts);
    const isElsewhere = answer.task.status.state === "TASK_STATE_AUTH_REQUIRED";
    if (isElsewhere && wrong("INTASK-010.stops")) return print("it is under way");
    // What the user agrees to elsewhere lets the task go on, and no word of it comes here.
    return isElsewhere ? recover(connection, answer.task, ended) : printTask(answer.task);
  }

  /** Two turns of a conversation that are far apart: each looks at the card. */
  async function repeat() {
    for (const _turn of [1, 2]) await send(new Connection(interfacesOf(await fetchCard())[0]));
  }

  /** Sends the message, and is told of the end of its task by a webhook. */
  async function notified(connection) {
    const expected = new Set();
    const token = wrong("PUSH-041.one-token") ? "my-token" : randomUUID();
    let isTold;
    let fails;
    const told = new Promise((resolve, reject) => {
      isTold = resolve;
      fails = reject;
    });
    const isHasty = wrong("PUSH-038.hasty") || wrong("PUSH-039.hasty") || wrong("PUSH-043.hasty");
    let isDone = false;
    const onEnd = async (task, isSound) => {
      if (isDone && isHasty) return;
      isDone = true;
      const isRead = wrong("PUSH-038.asks-for-it") || !task.artifacts;
      try {
        // It believes that the task is done and reads it too early, while it has no artifact.
        if (isHasty && !isSound) print("the task is done");
        else printTask(isRead ? await connection.call("GetTask", { id: task.id }) : task);
        isTold();
      } catch (error) {
        fails(error);
      }
    };
    const giveUp = (reason) => {
      complain(reason);
      isTold();
    };
    const onDoubt = odd("gives-up-on-forgery") ? giveUp : undefined;
    const hook = await openWebhook({ token, isExpected: (id) => expected.has(id), onEnd, onDoubt, wrong });
    signal?.addEventListener("abort", hook.close);
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: hook.url, token } };
    for (const _task of wrong("PUSH-041.one-token") ? [1, 2] : [1]) {
      const { task } = await connection.call("SendMessage", { message: messageOf(env.ASSAY_MESSAGE), configuration });
      expected.add(task.id);
    }
    await told;
    // What comes again comes soon. A client that records a repetition gives a busy machine more time for it.
    await pause(wrong("PUSH-037.counts-twice") ? 5_000 : 150);
    hook.close();
  }

  async function converse(connection) {
    const { task } = await connection.call("SendMessage", { message: messageOf(env.ASSAY_MESSAGE) });
    const { id: taskId, contextId } = task;
    const ids = wrong("CTX-017.new-task")
      ? { taskId: randomUUID() }
      : { taskId, contextId: wrong("CTX-004.tidied") ? contextId.replace(/[^\w-]/g, "") : contextId };
    const counter = new Generations();
    counter.read(task);
    const guarded = () => {
      const message = messageOf(env.ASSAY_REPLY, ids);
      const { known: ifGenerationMatch } = counter;
      return ifGenerationMatch ? { message, configuration: { ifGenerationMatch } } : { message };
    };
    const answer = await connection.call("SendMessage", guarded()).catch(async (error) => {
      if (!/TASK_GENERATION_MISMATCH/.test(error.message)) throw error;
      if (!wrong("GEN-021.sends-again")) counter.read(await connection.call("GetTask", { id: taskId }));
      return connection.call("SendMessage", guarded());
    });
    printTask(answer.task);
  }

  async function followUp(connection) {
    const message = messageOf(env.ASSAY_MESSAGE);
    const { task } = await connection.call("SendMessage", { message, configuration: { returnImmediately: true } });
    if (wrong("SEND-025.takes-it-for-the-end")) return print(task.status.state);
    return recover(connection, task);
  }

  async function refine(connection) {
    const { task } = await connection.call("SendMessage", { message: messageOf(env.ASSAY_MESSAGE) });
    const { id, contextId, artifacts } = task;
    const meant = { metadata: { taskId: id, artifactId: artifacts[0].artifactId } };
    const message = messageOf(env.ASSAY_REPLY, {
      contextId,
      ...(!wrong("CTX-016.no-reference") && { referenceTaskIds: [id] }),
      ...(!wrong("LIFE-010.no-artifact") && { parts: [{ text: env.ASSAY_REPLY, ...meant }] }),
    });
    const answer = await connection.call("SendMessage", { message });
    printTask(answer.task);
  }

  async function list(connection) {
    for (let pageToken = ""; ; ) {
      const page = await connection.call("ListTasks", { pageSize: 2, ...(pageToken && { pageToken }) });
      for (const { id } of page.tasks) print(id);
      pageToken = wrong("LIST-025.altered") ? page.nextPageToken.replace(/\W/g, "") : page.nextPageToken;
      if (!pageToken || (wrong("LIST-025.short-page") && page.tasks.length < 2)) return;
    }
  }

  const actions = {
    send,
    stream,
    follow: followUp,
    converse,
    refine,
    list,
    repeat,
    webhook: notified,
    "extended-card": async (connection) => print((await connection.call("GetExtendedAgentCard", {})).name),
    "extended-send": async (connection) => {
      const card = await connection.call("GetExtendedAgentCard", {});
      await send(wrong("XCARD-012.public-card") ? connection : new Connection(interfacesOf(card)[0]));
    },
    get: async (connection) => printTask(await connection.call("GetTask", { id: env.ASSAY_TASK })),
    cancel: async (connection) => print((await connection.call("CancelTask", { id: env.ASSAY_TASK })).status.state),
    subscribe: async (connection) => {
      const following = new Following();
      await follow(connection.stream("SubscribeToTask", { id: env.ASSAY_TASK }), following);
      printTask(following.task);
    },
  };

  try {
    const card = await fetchCard();
    const act = actions[env.ASSAY_ACTION];
    if (!act) return declined;
    const isStreamed = ["stream", "subscribe"].includes(env.ASSAY_ACTION);
    if (isStreamed && !card.capabilities?.streaming && !wrong("CAP-001.streams-anyway")) return declined;
    const [first, ...others] = interfacesOf(card);
    try {
      await act(new Connection(first));
    } catch (error) {
      // Nothing listens there: the card may name other ways.
      const isUnreachable = error instanceof TypeError && error.cause?.code === "ECONNREFUSED";
      if (!isUnreachable || !others.length || wrong("BIND-008.gives-up")) throw error;
      await act(new Connection(others[0]));
    }
    return 0;
  } catch (error) {
    complain(error instanceof CallError ? error.message : String(error.stack));
    return wrong("LIFE-012.always-well") ? 0 : 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { wrong: { type: "string" }, binding: { type: "string", multiple: true } } });
  process.exitCode = await runClient({
    env: process.env,
    ...(values.wrong && { misbehaviour: values.wrong }),
    ...(values.binding && { spoken: values.binding }),
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  });
}

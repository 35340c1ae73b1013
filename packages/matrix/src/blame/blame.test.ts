import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { blameOfCause } from "../causes/blame-of-cause.ts";
import { failedCell } from "../document/cell.fixture.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { blameOf } from "./blame.ts";
import { call, fetchCard, said, useRecorder } from "./recorded.fixture.ts";

const { record } = useRecorder();

/** Returns a summary: code, cause, and the basis of the first reason. */
function blamed(cell: Cell, evidence: readonly MatrixExchange[]): { code: string; cause: string; shownBy: string } {
  const { code, cause, reasons } = blameOf(cell, evidence);
  const shown = evidence.find(({ id }) => id === reasons[0]?.exchange);
  return { code, cause, shownBy: shown ? (shown.operation ?? new URL(shown.entry.request.url).pathname) : "nothing" };
}

test("the wire is right, and the client gives its program something else: the client", async () => {
  const evidence = await record("/spec", (url) => call(url, "GetTask", { id: "none" }));
  const error = { kind: "transport", type: "HttpError", message: "Unexpected status" } as const;
  const cell = failedCell(
    evidence,
    { op: "get", params: { id: "none" }, answer: { error } },
    { code: "error-not-surfaced", onTheWire: "holds", expected: "TaskNotFound" },
  );
  expect(blamed(cell, evidence)).toEqual({
    code: "surfaced-otherwise",
    cause: "client/a2a-one/surfaced/GetTask/error-not-surfaced/TaskNotFound",
    shownBy: "GetTask",
  });
});

test("the finding quotes the error of the client once", async () => {
  const evidence = await record("/spec", (url) => call(url, "GetTask", { id: "none" }));
  const error = { kind: "transport", type: "HttpError", message: "Unexpected status" } as const;
  const told = (message: string) =>
    blameOf(
      failedCell(
        evidence,
        { op: "get", answer: { error } },
        { code: "error-not-surfaced", onTheWire: "holds", message },
      ),
      evidence,
    ).explanation;
  const [without, within] = [
    told("the client reports no error"),
    told("the client reports HttpError (Unexpected status)"),
  ];
  expect(without).toContain("The program got an error (HttpError): Unexpected status");
  expect(within.split("Unexpected status")).toHaveLength(2);
});

test("a program that is not told of the end of a stream was still given its events", async () => {
  const evidence = await record("/spec", (url) => call(url, "SendStreamingMessage", said("streaming hi")));
  const answer = { events: [{}, {}], late: true } as const;
  const cell = failedCell(evidence, { op: "stream", answer }, { code: "late", onTheWire: "holds" });
  const { title, explanation } = blameOf(cell, evidence);
  expect(title).toBe("SendStreamingMessage: the client does not report the end of a stream to the program");
  expect(explanation).toContain("2 events, but not the end of the stream");
  const one = failedCell(
    evidence,
    { op: "stream", answer: { ...answer, events: [{}] } },
    { code: "late", onTheWire: "holds" },
  );
  expect(blameOf(one, evidence).explanation).toContain("got 1 event, but");
});

test("the client tells the error that the server wrote: neither is blamed for what no text says", async () => {
  const evidence = await record("/spec", (url) => call(url, "GetTask", { id: 7 }));
  const error = { kind: "protocol", type: "INVALID_PARAMS", message: "id is no text" } as const;
  const cell = failedCell(evidence, { op: "get", answer: { error } }, { code: "other-error", onTheWire: "holds" });
  expect(blameOf(cell, evidence)).toMatchObject({ whose: "unclear", code: "told-as-written" });
  const other = failedCell(
    evidence,
    { op: "get", answer: { error: { ...error, type: "TaskNotFound" } } },
    { code: "other-error", onTheWire: "holds" },
  );
  expect(blameOf(other, evidence)).toMatchObject({ whose: "client", code: "surfaced-otherwise" });
});

test("an answer that breaks a rule need not be understood: the server", async () => {
  const evidence = await record("/mutants/JSONRPC-004.id-as-text", (url) => call(url, "GetTask", { id: "none" }));
  const error = { kind: "transport", type: "ParseError", message: "the id is not that of the request" } as const;
  const cell = failedCell(
    evidence,
    { op: "get", params: { id: "none" }, answer: { error } },
    { code: "error-not-surfaced", onTheWire: "holds" },
  );
  expect(blamed(cell, evidence)).toEqual({
    code: "answer-breaks-rule",
    cause: "server/a2a-two/JSONRPC-004",
    shownBy: "GetTask",
  });
});

test("only the label of an answer is wrong, and the client does not read it: not clear", async () => {
  const mislabelled = await serverThat((_, answer) =>
    answer
      .setHeader("Content-Type", "text/plain")
      .end('{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Task not found"}}'),
  );
  const told = await exchangeOf(mislabelled, (url) => call(url, "GetTask", { id: "none" }));
  const broken = told.breaches.filter(({ severity }) => severity === "fail").map(({ rule }) => rule);
  expect(broken).toEqual(["JSONRPC-002"]);
  const error = { kind: "transport", type: "DecodeError", message: "data is no map" } as const;
  const failure = { code: "error-not-surfaced", onTheWire: "holds" } as const;
  expect(blameOf(failedCell([told], { op: "get", answer: { error } }, failure), [told])).toMatchObject({
    whose: "unclear",
    code: "label-wrong",
  });
});

const { message } = said("task-lifecycle hi");
const { messageId: _, ...incomplete } = message;

test("the request breaks a rule about clients: the client", async () => {
  const evidence = await record("/spec", (url) => call(url, "SendMessage", { message: incomplete }));
  const cell = failedCell(
    evidence,
    { op: "send", params: { message } },
    { code: "unexpected-error", onTheWire: "fails" },
  );
  const { code, cause } = blamed(cell, evidence);
  expect({ code, cause }).toEqual({ code: "request-breaks-rule", cause: "client/a2a-one/SEND-021" });
  expect(blameOf(cell, evidence).reasons[0]?.rule).toMatchObject({ id: "SEND-021", level: "MUST" });
});

test("the request breaks a rule and was served: what it leaves out is the cause", async () => {
  const evidence = await record("/spec", (url) => call(url, "SendMessage", said("task-lifecycle hi")));
  const unversioned = evidence.map((each) => ({
    ...each,
    breaches: [{ party: "client", rule: "VER-001", severity: "fail", message: "names no A2A-Version" }] as const,
  }));
  const params = { ...said("task-lifecycle hi"), configuration: { returnImmediately: true } };
  const cause = (code: "answer" | "unexpected-error"): string =>
    blamed(failedCell(unversioned, { op: "send", params }, { code, onTheWire: "fails" }), unversioned).cause;
  expect(cause("answer")).toBe("client/a2a-one/differs/SendMessage/configuration.returnImmediately");
  expect(cause("unexpected-error")).toBe("client/a2a-one/VER-001");
});

test("both sides break a rule in one exchange: both", async () => {
  const agent = "/mutants/JSONRPC-004.id-as-text";
  const evidence = await record(agent, (url) => call(url, "SendMessage", { message: incomplete }));
  const cell = failedCell(
    evidence,
    { op: "send", params: { message } },
    { code: "unexpected-error", onTheWire: "fails" },
  );
  expect(blamed(cell, evidence)).toMatchObject({
    code: "both-break-rules",
    cause: "both/a2a-one/a2a-two/SEND-021+JSONRPC-004",
  });
});

test("the answer breaks a rule about servers: the server", async () => {
  const params = said("streaming hi");
  const evidence = await record("/mutants/STREAM-003.status-first", (url) => call(url, "SendStreamingMessage", params));
  const cell = failedCell(
    evidence,
    { op: "stream", params },
    { code: "answer", onTheWire: "fails", path: "events[0].task" },
  );
  expect(blamed(cell, evidence)).toEqual({
    code: "answer-breaks-rule",
    cause: "server/a2a-two/STREAM-003",
    shownBy: "SendStreamingMessage",
  });
});

test("what the program asked for is not in the request: the client", async () => {
  const evidence = await record("/spec", (url) => call(url, "SendMessage", said("task-lifecycle hi")));
  const params = { ...said("task-lifecycle hi"), configuration: { returnImmediately: true } };
  const cell = failedCell(
    evidence,
    { op: "send", params },
    { code: "answer", onTheWire: "fails", path: "task.status.state" },
  );
  expect(blamed(cell, evidence)).toEqual({
    code: "request-differs",
    cause: "client/a2a-one/differs/SendMessage/configuration.returnImmediately",
    shownBy: "SendMessage",
  });
});

test("a number that no text allows and the program did not ask for: the client", async () => {
  const evidence = await record("/spec", (url) => call(url, "ListTasks", { pageSize: 0 }));
  const failure = { code: "unexpected-error", onTheWire: "fails" } as const;
  const cell = failedCell(evidence, { op: "list", params: {} }, failure);
  expect(blamed(cell, evidence)).toEqual({
    code: "request-differs",
    cause: "client/a2a-one/differs/ListTasks/pageSize",
    shownBy: "ListTasks",
  });
  const asked = failedCell(evidence, { op: "list", params: { pageSize: 0 } }, failure);
  expect(blameOf(asked, evidence).whose).toBe("server");
});

test("a stream that the program left is read to its end, and then it is too late: the client", async () => {
  const evidence = await record("/spec", async (url) => {
    const stream = await call(url, "SendStreamingMessage", said("streaming hi"));
    const [, id] = /"id":"([0-9a-f-]{36})"/.exec(stream)!;
    await call(url, "SubscribeToTask", { id });
  });
  const [stream, subscribe] = evidence.map(({ id }) => id);
  const steps = (events: number): Cell["steps"] => [
    {
      ...{ id: "stream", op: "stream", verdict: "pass", duration_ms: 1, exchanges: [stream!] },
      answer: { events: Array.from({ length: events }, () => ({})) },
    },
    { id: "step", op: "subscribe", verdict: "fail", duration_ms: 1, exchanges: [subscribe!] },
  ];
  const failure = { code: "unexpected-error", onTheWire: "fails" } as const;
  const left = failedCell(evidence, { op: "subscribe" }, failure, { steps: steps(2) });
  expect(blameOf(left, evidence)).toMatchObject({ whose: "client", code: "kept-reading" });
  const whole = failedCell(evidence, { op: "subscribe" }, failure, { steps: steps(7) });
  expect(blameOf(whole, evidence)).toMatchObject({ whose: "unclear", code: "ended-meanwhile" });
});

test("a well-formed answer that is not the one of the operation: the server", async () => {
  const params = said("task-lifecycle hi");
  const evidence = await record("/spec", (url) => call(url, "SendMessage", params));
  const cell = failedCell(
    evidence,
    { op: "send", params },
    { code: "answer", onTheWire: "fails", path: "task.status.state" },
  );
  const blame = blameOf(cell, evidence);
  expect(blame).toMatchObject({ whose: "server", code: "answer-differs" });
  expect(blame.reasons[0]?.at).toEqual({ answer: { path: "$.result.task.status.state" } });
});

test("another reading of an unclear text: the specification, and which place of it", async () => {
  const unclear = { code: "answer", onTheWire: "fails" } as const;
  const listed = await record("/mutants/LIST-003.no-token", (url) => call(url, "ListTasks", { pageSize: 1 }));
  const list = failedCell(listed, { op: "list" }, { ...unclear, path: "nextPageToken" });
  expect(blameOf(list, listed)).toMatchObject({ whose: "specification", ambiguity: "AMB-08" });
  const params = { id: "", historyLength: 2 };
  const read = await record("/spec", async (url) => {
    const { result } = JSON.parse(await call(url, "SendMessage", said("task-lifecycle hi")));
    params.id = result.task.id;
    await call(url, "GetTask", params);
  });
  const history = failedCell(
    read.slice(-1),
    { op: "get", params, answer: { result: { id: params.id } } },
    { ...unclear, path: "history" },
  );
  expect(blameOf(history, read.slice(-1))).toMatchObject({ cause: "specification/AMB-37" });
});

test("two verbs, two bodies, two media types: the specification", async () => {
  const address = await serverThat((_, answer) => answer.writeHead(405).end());
  const evidence = await record(address, async (url) => {
    await fetchCard(url);
    await fetch(`${url}/tasks/t-1:subscribe`, { headers: { "A2A-Version": "1.0" } });
    await fetch(`${url}/tasks/t-1:cancel`, { method: "POST", headers: { "A2A-Version": "1.0" } });
  });
  const [subscribe, cancel] = evidence.filter(({ operation }) => operation !== undefined);
  const failure = { code: "unexpected-error", onTheWire: "fails" } as const;
  const verb = failedCell([subscribe!], { op: "subscribe", params: { id: "t-1" } }, failure);
  expect(blameOf(verb, [subscribe!])).toMatchObject({ ambiguity: "AMB-04" });
  const refused = { ...cancel!, entry: { ...cancel!.entry, response: { ...cancel!.entry.response, status: 400 } } };
  const body = failedCell([refused], { op: "cancel", params: { id: "t-1" } }, failure);
  expect(blameOf(body, [refused])).toMatchObject({ ambiguity: "AMB-50" });
});

/** Returns the only exchange of an operation, with another response if given. */
async function exchangeOf(
  agent: string,
  talk: (url: string) => Promise<unknown>,
  answer: Partial<MatrixExchange["entry"]["response"]> = {},
): Promise<MatrixExchange> {
  const all = await record(agent, async (url) => {
    await fetchCard(url);
    await talk(url);
  });
  const { entry, ...found } = all.findLast(({ operation }) => operation !== undefined)!;
  return { ...found, entry: { ...entry, response: { ...entry.response, ...answer } } };
}

const jsonTo =
  (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (url: string) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    }).then((answer) => answer.text());

const fails = { code: "unexpected-error", onTheWire: "fails" } as const;
const over03 = { version: "0.3", binding: "HTTP+JSON" } as const;

test("0.3: one verb for a subscription, and the server takes another: the specification", async () => {
  const refused = await exchangeOf("/spec03", jsonTo("/v1/tasks/t-1:subscribe", {}), { status: 405 });
  expect(refused).toMatchObject({ operation: "SubscribeToTask", interface: { dialect: "0.3" } });
  const told = { ...refused, entry: { ...refused.entry } };
  told.entry.response = { ...told.entry.response, content: { ...told.entry.response.content, text: "{}" } };
  const cell = failedCell([told], { op: "subscribe", params: { id: "t-1" } }, fails, over03);
  expect(blameOf(cell, [told])).toMatchObject({ ambiguity: "AMB-04" });
});

test("0.3: a send that does not say whether to wait: the specification; one that does: the server", async () => {
  const message = { messageId: "m-1", role: "ROLE_USER", content: [{ text: "task-lifecycle hi" }] };
  const result = { task: { id: "t", status: { state: "TASK_STATE_SUBMITTED" } } };
  const failure = { code: "answer", onTheWire: "fails", path: "task.status.state" } as const;
  const whose = async (configuration: object): Promise<string> => {
    const sent = await exchangeOf("/spec03", jsonTo("/v1/message:send", { message, ...configuration }));
    const cell = failedCell([sent], { op: "send", params: {}, answer: { result } }, failure, over03);
    return blameOf(cell, [sent]).cause;
  };
  expect(await whose({})).toBe("specification/AMB-05");
  expect(await whose({ configuration: { blocking: true } })).toMatch(/^server\//);
});

test("0.3: errors over HTTP+JSON have no form that the text names: the specification; a breakdown, or none told: a side", async () => {
  const get = (url: string): Promise<Response> => fetch(`${url}/v1/tasks/none`);
  const [refused, broken] = [await exchangeOf("/spec03", get), await exchangeOf("/spec03", get, { status: 500 })];
  const error = { kind: "transport", type: "HttpError", message: "404" } as const;
  const cell = (
    of: MatrixExchange,
    code: "error-not-surfaced" | "other-error" | "no-error",
    onTheWire: "holds" | "fails",
  ) => blameOf(failedCell([of], { op: "get", answer: { error } }, { code, onTheWire }, over03), [of]).cause;
  expect(cell(refused, "error-not-surfaced", "holds")).toBe("specification/AMB-52");
  expect(cell(refused, "other-error", "fails")).toBe("specification/AMB-52");
  expect(cell(refused, "no-error", "holds")).toMatch(/^client\//);
  expect(cell(broken, "other-error", "fails")).toMatch(/^server\//);
});

test.each([
  ["NullPointerException", "the return value is null"],
  ["UnsupportedOperationException", "JsonObject"],
])("0.3: a client that fails with %s reports no error of the agent: the client", async (type, says) => {
  const refused = await exchangeOf("/spec03", (url) => fetch(`${url}/v1/tasks/none`));
  const error = { kind: "transport", type, message: says } as const;
  const failure = { code: "error-not-surfaced", onTheWire: "holds", expected: "TaskNotFound" } as const;
  expect(blameOf(failedCell([refused], { op: "get", answer: { error } }, failure, over03), [refused]).cause).toBe(
    "client/a2a-one/surfaced/GetTask/error-not-surfaced/TaskNotFound",
  );
});

test("0.3: the response names its reason, and the client reports another error: the client", async () => {
  const named = '{"error":{"code":404,"details":[{"reason":"TASK_NOT_FOUND"}]}}';
  const get = await exchangeOf("/spec03", (url) => fetch(`${url}/v1/tasks/none`));
  const { response } = get.entry;
  const withText = (text: string): MatrixExchange => ({
    ...get,
    entry: { ...get.entry, response: { ...response, content: { ...response.content, text } } },
  });
  const error = { kind: "protocol", type: "MethodNotFoundError", message: "Resource not found" } as const;
  const failure = { code: "other-error", onTheWire: "holds", expected: "TaskNotFoundError" } as const;
  const causeOf = (sent: MatrixExchange): string =>
    blameOf(failedCell([sent], { op: "get", answer: { error } }, failure, over03), [sent]).cause;
  expect(causeOf(withText(named))).toMatch(/^client\//);
  expect(causeOf(withText('{"message":"Task not found"}'))).toBe("specification/AMB-52");
});

test("HTTP 201 where the client accepts only 200: the specification", async () => {
  const send = jsonTo("/v1/message:send", { message });
  const [created, plain] = [
    await exchangeOf("/spec03", send, { status: 201 }),
    await exchangeOf("/spec03", send, { status: 200 }),
  ];
  const internal = { kind: "transport", type: "ErrInternalError", message: "internal error" } as const;
  const failure = { code: "unexpected-error", onTheWire: "holds" } as const;
  const causeOf = (sent: MatrixExchange, error: { kind: "transport"; type: string; message: string }): string =>
    blameOf(failedCell([sent], { op: "send", answer: { error } }, failure, over03), [sent]).cause;
  expect(causeOf(created, internal)).toBe("specification/AMB-53");
  expect(causeOf(plain, internal)).toMatch(/^client\//);
  expect(causeOf(created, { ...internal, type: "NullPointerException" })).toMatch(/^client\//);
  // This client read the body, so it had accepted the status.
  const unread =
    "com.google.protobuf.InvalidProtocolBufferException: Cannot find field: name in message a2a.v1.FilePart";
  expect(causeOf(created, { ...internal, message: unread })).toMatch(/^client\//);
  expect(causeOf(created, { ...internal, message: "Request payload validation error" })).toMatch(/^client\//);
});

test("0.3: members named as in the proto, and refused: the client, unless the server has taken them before", async () => {
  const request = { message_id: "m-1", role: "ROLE_USER", content: [{ text: "task-lifecycle hi" }] };
  const taken = await exchangeOf("/spec03", jsonTo("/v1/message:send", { request, metadata: { an_own_name: 1 } }));
  expect(taken.entry.response.status).toBe(200);
  const refused = {
    ...taken,
    id: "refused",
    entry: { ...taken.entry, response: { ...taken.entry.response, status: 400 } },
  };
  const params = { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "task-lifecycle hi" }] } };
  const cell = (evidence: MatrixExchange[]): Cell =>
    failedCell(evidence, { op: "send", params }, { ...fails, exchange: "refused" }, over03);
  expect(blamed(cell([refused]), [refused]).cause).toBe("client/a2a-one/differs/names");
  expect(blameOf(cell([taken, refused]), [taken, refused]).whose).toBe("server");
});

test("the metadata of a request comes to nothing: the specification; it was never sent: the client", async () => {
  const cancel = (params: object) => exchangeOf("/spec", (url) => call(url, "CancelTask", params));
  const failure = { code: "answer", onTheWire: "fails", path: "metadata.reason" } as const;
  const params = { id: "t-1", metadata: { reason: "changed my mind" } };
  const [whole, without] = [await cancel(params), await cancel({ id: "t-1" })];
  const cause = (sent: MatrixExchange): string =>
    blamed(failedCell([sent], { op: "cancel", params }, failure), [sent]).cause;
  expect(cause(whole)).toBe("specification/AMB-51");
  expect(cause(without)).toBe("client/a2a-one/differs/CancelTask/metadata.reason");
});

test("a stream is refused with HTTP 200 and an error in it: the server; both, where the client passes over it", async () => {
  const sse = await serverThat((_, answer) =>
    answer.setHeader("Content-Type", "text/event-stream").end('id: 1\ndata: {"error":{"code":404}}\n\n'),
  );
  const told = await exchangeOf(sse, jsonTo("/tasks/t-1:subscribe", {}, { "A2A-Version": "1.0" }));
  const step = { op: "subscribe", answer: { events: [{}] } };
  const passedOver = blameOf(failedCell([told], step, { code: "no-error", onTheWire: "holds" }), [told]);
  expect(passedOver).toMatchObject({
    whose: "both",
    reasons: [{ party: "server", rule: { id: "REST-034" } }, { party: "client" }],
  });
  const surfaced = failedCell([told], step, { code: "error-not-surfaced", onTheWire: "holds" });
  expect(blameOf(surfaced, [told])).toMatchObject({ cause: "server/a2a-two/REST-034" });
});

test("a stream over JSON-RPC is refused with plain JSON, which the client does not expect: the specification", async () => {
  const told = await exchangeOf("/spec", (url) => call(url, "SubscribeToTask", { id: "none" }), {});
  expect(told.entry.response.content.mimeType).toMatch(/json/);
  const whose = (code: "error-not-surfaced" | "no-error", type = "Error"): string => {
    const error = { kind: "transport", type, message: "no stream" } as const;
    return blameOf(failedCell([told], { op: "subscribe", answer: { error } }, { code, onTheWire: "holds" }), [told])
      .cause;
  };
  expect(whose("error-not-surfaced")).toBe("specification/AMB-32");
  expect(whose("error-not-surfaced", "NullPointerException")).toMatch(/^client\//);
  expect(whose("no-error")).toMatch(/^client\//);
});

test("no request ever left: the client, unless the card gives a reason", async () => {
  const failure = { code: "not-sent", onTheWire: "unseen" } as const;
  const error = { kind: "transport", type: "CardError", message: "no usable card" } as const;
  const good = await record("/spec", fetchCard);
  expect(blamed(failedCell(good, { op: "get", answer: { error } }, failure), good)).toMatchObject({
    code: "not-sent",
    cause: "client/a2a-one/not-sent/GetTask",
    shownBy: "/spec/.well-known/agent-card.json",
  });
  const nameless = await record("/mutants/CARD-003.no-name", fetchCard);
  expect(blamed(failedCell(nameless, { op: "get", answer: { error } }, failure), nameless)).toMatchObject({
    code: "card-breaks-rule",
    cause: "server/a2a-two/card",
  });
  const echo = await record("/echo", fetchCard);
  expect(blamed(failedCell(echo, { op: "subscribe", answer: { error } }, failure), echo)).toMatchObject({
    code: "not-offered",
    cause: "server/a2a-two/not-offered/streaming",
  });
  const refused = failedCell(good, { op: "push.create", answer: { error } }, { ...failure, code: "other-error" });
  expect(blameOf(refused, good)).toMatchObject({ whose: "unclear", code: "refused-by-itself" });
});

test("no card where it belongs: the server; looked for elsewhere: the client", async () => {
  const failure = { code: "not-sent", onTheWire: "unseen" } as const;
  const none = await record("/gallery/no-card", fetchCard);
  expect(blameOf(failedCell(none, { op: "send" }, failure), none)).toMatchObject({ whose: "server", code: "no-card" });
  const older = await record("/gallery/no-card", (url) => fetch(`${url}/.well-known/agent.json`));
  expect(blameOf(failedCell(older, { op: "send" }, failure), older)).toMatchObject({ code: "sent-elsewhere" });
});

test("the title of a cause has nothing that differs from cell to cell", async () => {
  const evidence = await record("/spec", (url) => call(url, "GetTask", { id: "none" }));
  const titleOf = (said: string): string =>
    blameOf(failedCell(evidence, { op: "get" }, { code: "answer", onTheWire: "fails", message: said }), evidence).title;
  const message = (digit: string): string =>
    `events[${digit}] of ${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)} at http://127.0.0.1:4000${digit}/spec, 2026-11-16T08:00:0${digit}.5Z, ${digit.repeat(32)}.`;
  expect(titleOf(message("3"))).toBe(titleOf(message("4")));
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A server with a good card that handles every call with `does`. */
async function serverThat(does: (request: IncomingMessage, answer: ServerResponse) => void): Promise<string> {
  const server = createServer((request, answer) => {
    if (!request.url?.endsWith(".json")) return does(request, answer);
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    answer.setHeader("Content-Type", "application/json").end(
      JSON.stringify({
        ...{ name: "n", description: "d", version: "1", capabilities: {}, skills: [] },
        ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
        supportedInterfaces: ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
          ...{ url, protocolBinding, protocolVersion: "1.0" },
        })),
      }),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the connection breaks before the answer is whole: the server", async () => {
  const address = await serverThat((request) => request.socket.destroy());
  const evidence = await record(address, async (url) => {
    await fetchCard(url);
    await call(url, "GetTask", { id: "none" }).catch(() => {});
  });
  const cell = failedCell(
    evidence,
    { op: "get", params: { id: "none" } },
    { code: "unexpected-error", onTheWire: "unseen" },
  );
  expect(blamed(cell, evidence)).toMatchObject({ code: "connection-broken", shownBy: "GetTask" });
});

test("nothing came in time: the server where it was long and others were answered, else nobody", async () => {
  // The client gives up once the server has the request.
  const leaving = new AbortController();
  const address = await serverThat(() => leaving.abort());
  const evidence = await record(address, async (url) => {
    await fetchCard(url);
    await call(url, "GetTask", { id: "none" }, leaving.signal).catch(() => {});
  });
  const cell = failedCell(evidence, { op: "get", params: { id: "none" } }, { code: "late", onTheWire: "unseen" });
  expect(blameOf(cell, evidence)).toMatchObject({ whose: "unclear", code: "gave-up" });
  const longer = evidence.map((each) => ({ ...each, entry: { ...each.entry, time: 20_000 } }));
  expect(blameOf(cell, longer)).toMatchObject({ whose: "server", code: "no-answer" });
});

test("a program that ended; a driver that refused; and what nothing shows", async () => {
  const evidence = await record("/spec", fetchCard);
  const failure = { code: "late", onTheWire: "unseen" } as const;
  const died = failedCell(evidence, { op: "send" }, failure, { stderr: { client: "panic: nil map\n" } });
  expect(blameOf(died, evidence)).toMatchObject({ whose: "client", code: "client-ended" });
  const error = { kind: "driver", message: "no such op" } as const;
  const refused = failedCell(evidence, { op: "send", answer: { error } }, failure);
  expect(blameOf(refused, evidence)).toMatchObject({ whose: "unclear", code: "driver-refused" });
  const blank = failedCell([], { op: "card" }, failure);
  expect(blameOf(blank, [])).toMatchObject({ whose: "unclear", code: "not-shown", reasons: [] });
});

test("what holds many cells up: the program that is not there, or the card", async () => {
  const on = { binding: "JSONRPC", version: "1.0" } as const;
  const held = { id: "c", kind: "card", client: "a2a-one", server: "a2a-two", says: "no card", exchanges: [] } as const;
  const [good, nameless] = [await record("/spec", fetchCard), await record("/mutants/CARD-003.no-name", fetchCard)];
  const whose = (...args: Parameters<typeof blameOfCause>): string => blameOfCause(...args).cause;
  expect([
    whose(held, good, on),
    whose(held, nameless, on),
    whose({ ...held, kind: "no-interface" }, await record("/spec03", fetchCard), on),
    whose(held, await record("/gallery/no-card", fetchCard), on),
    whose(held, [], on),
    whose({ id: "d", kind: "not-started", server: "a2a-two", says: "exit code 1", exchanges: [] }, [], on),
  ]).toEqual([
    "client/a2a-one/not-sent/card",
    "server/a2a-two/card",
    "server/a2a-two/not-offered/JSONRPC-1.0",
    "server/a2a-two/card",
    "client/a2a-one/not-sent/card",
    "unclear/a2a-two/not-started",
  ]);
  const dead = { id: "d", kind: "died", server: "a2a-two", says: "exit code 1", exchanges: [] } as const;
  expect(whose(dead, [], on)).toBe("server/a2a-two/ended");
});

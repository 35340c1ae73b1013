import { grpcV10 } from "@assay/protocol/grpc";
import { expect, test } from "vitest";
import { useGrpcPeers, version10 } from "../fixtures/grpc.fixture.ts";
import { alice, basic, bob, tasksAt } from "../fixtures/secure-wires.fixture.ts";
import { ask, follow, plain, sending, until, useTestbed } from "../fixtures/testbed.fixture.ts";

// A task of /secure that asks for an authorisation, which the user gives on a page.

const bed = useTestbed({});
const dial = useGrpcPeers();
const secure = () => `${bed.url}/secure`;
const taskOf = tasksAt(secure);
const formOf = (decision: string, headers: Readonly<Record<string, string>>) => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  body: `decision=${decision}`,
});
const asAlice = { Authorization: basic("alice:alice-password") };

/** The page that a task names. */
const pageIn = (text: string | undefined): string => /https?:\S+(?=;)/.exec(text ?? "")![0];

test("streams of every binding stay open, and hear how the task goes on", async () => {
  const overHttp = follow(secure(), "HTTP+JSON", "SendStreamingMessage", sending("auth-elsewhere x"), {
    headers: alice,
  });
  const { id } = (await overHttp.next()).value!.task!;
  let asked: string | undefined;
  for (let state = ""; state !== "TASK_STATE_AUTH_REQUIRED"; ) {
    const { status } = (await overHttp.next()).value!.statusUpdate!;
    state = status.state;
    asked = status.message?.parts[0]?.text;
  }
  const grpc = dial(`127.0.0.1:${bed.port}`, grpcV10);
  const meta = { ...version10, authorization: alice["Authorization"]! };
  const overGrpc = grpc.open("SubscribeToTask", { tenant: "secure", id }, { meta })[Symbol.asyncIterator]();
  await overGrpc.next();
  const page = pageIn(asked);
  expect(page).toBe(`${bed.url}/authorise/secure/${id}`);
  expect((await plain(page, formOf("authorise", asAlice))).status).toBe(200);
  for (const events of [overHttp, overGrpc]) {
    let last: unknown;
    for (let next = await events.next(); !next.done; next = await events.next()) last = next.value;
    expect(last).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  }
});

test("no other page can show the authorisation page in a frame", async () => {
  const { status } = await taskOf(alice, "auth-elsewhere book it");
  const page = pageIn(status.message?.parts[0]?.text);
  const shown = [
    await plain(page, { headers: asAlice }),
    await plain(page),
    await plain(page, formOf("perhaps", asAlice)),
    await plain(page, formOf("decline", asAlice)),
    await plain(`${bed.url}/authorise/nowhere/x`),
  ];
  expect(shown.map(({ status }) => status)).toEqual([200, 401, 400, 200, 404]);
  for (const { headers } of shown)
    expect(headers).toMatchObject({ "x-frame-options": "DENY", "content-security-policy": "frame-ancestors 'none'" });
});

test("only the caller of a task can open its authorisation page", async () => {
  const { id, status } = await taskOf(alice, "auth-elsewhere <b>book</b> it");
  const page = pageIn(status.message?.parts[0]?.text);
  const unknown = page.replace(id, "11111111-2222-4333-8444-555555555555");
  const anonymous = await plain(page);
  expect([anonymous.status, anonymous.headers["www-authenticate"]?.includes("Basic")]).toEqual([401, true]);
  for (const request of [{ headers: bob }, formOf("authorise", bob)]) {
    const [hers, unknowns] = [await plain(page, request), await plain(unknown, request)];
    expect([hers.status, hers.text.replaceAll(id, "")]).toEqual([
      404,
      unknowns.text.replaceAll(/11111111-[0-9-]+/g, ""),
    ]);
  }
  const shown = await plain(page, { headers: asAlice });
  expect([shown.status, shown.text.includes("&lt;b&gt;book")]).toEqual([200, true]);
  expect((await plain(page, formOf("perhaps", asAlice))).status).toBe(400);
  expect((await plain(page, formOf("authorise", { ...asAlice, Origin: "https://evil.example" }))).status).toBe(403);
  expect((await ask(secure(), "JSONRPC", "GetTask", { id }, alice)).status.state).toBe("TASK_STATE_AUTH_REQUIRED");
  expect((await plain(page, formOf("decline", { ...asAlice, Origin: bed.url }))).status).toBe(200);
  const ended = await until(
    () => ask(secure(), "JSONRPC", "GetTask", { id }, alice),
    ({ status: { state } }) => state === "TASK_STATE_CANCELED",
  );
  expect(ended.history?.filter(({ role }) => role === "ROLE_USER")).toHaveLength(1);
  expect((await plain(page, formOf("authorise", asAlice))).status).toBe(400);
  expect((await plain(`${bed.url}/authorise/nowhere/x`)).status).toBe(404);
  expect((await plain(`${bed.url}/authorise/secure/%zz`, { headers: asAlice })).status).toBe(404);
});

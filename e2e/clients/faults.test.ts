import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientTestOptions } from "@assay/clients";
import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { brokenIn, testDriven, testOwnClient } from "./proof.fixture.ts";

/**
 * A client that repeats a request after a lost connection or a 429. `careful` keeps the messageId, waits as long as the
 * agent asks, and polls; `hasty` does none of it. `patient` subscribes again and again, with growing pauses.
 */
type Habit = "careful" | "hasty" | "patient";

/** The careful and the hasty client wait this long for a late response. */
const timeoutMs = 500;

/** Sends a request, and gives up if no response arrives in time. The time begins when the request is sent. */
const postedInTime = (url: string, headers: Readonly<Record<string, string>>, body: string) =>
  new Promise<Response | undefined>((resolve) => {
    const sent = request(url, { method: "POST", headers }, (message) => {
      clearTimeout(timer);
      resolve(new Response(Readable.toWeb(message) as ReadableStream, { status: message.statusCode ?? 0 }));
    });
    let timer: NodeJS.Timeout | undefined;
    sent.once("finish", () => {
      timer = setTimeout(() => sent.destroy(), timeoutMs);
    });
    sent.once("error", () => resolve(undefined)).end(body);
  });

const drive =
  (habit: Habit): NonNullable<ClientTestOptions["drive"]> =>
  async (env, signal) => {
    const card = await fetch(`${env["ASSAY_AGENT_URL"]}/.well-known/agent-card.json`, { signal });
    const { supportedInterfaces } = (await card.json()) as { supportedInterfaces: { url: string }[] };
    const { url } = supportedInterfaces[0]!;
    const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
    const bodyOf = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const ask = (method: string, params: object): Promise<Response> =>
      fetch(url, { method: "POST", headers, body: bodyOf(method, params), signal });
    const said = (messageId: string) => ({
      message: { messageId, role: "ROLE_USER", parts: [{ text: env["ASSAY_MESSAGE"] ?? "" }] },
    });
    const textIn = (json: string): string => [...json.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join("\n");

    const send = async (): Promise<string> => {
      const id = randomUUID();
      const isInTime = habit !== "patient" && env["ASSAY_SITUATION"] === "late-response";
      const answer = isInTime
        ? await postedInTime(url, headers, bodyOf("SendMessage", said(id)))
        : await ask("SendMessage", said(id)).catch(() => undefined);
      if (answer?.status === 200) return textIn(await answer.text());
      const seconds = Number(answer?.headers.get("retry-after") ?? 0);
      if (habit === "careful") await pause(seconds * 1_000);
      const again = await ask("SendMessage", said(habit === "careful" ? id : randomUUID()));
      return textIn(await again.text());
    };
    const stream = async (): Promise<string> => {
      const answer = await ask("SendStreamingMessage", said(randomUUID()));
      let told = "";
      try {
        for await (const chunk of answer.body!) told += Buffer.from(chunk as Uint8Array).toString();
        return textIn(told);
      } catch {
        const id = /"taskId":"([^"]+)"/.exec(told)?.[1] ?? /"task":\{"id":"([^"]+)"/.exec(told)?.[1];
        let subscribed = await ask("SubscribeToTask", { id });
        for (let pauseMs = 100; habit === "patient" && subscribed.status === 503; pauseMs *= 2) {
          await pause(pauseMs, undefined, { signal });
          subscribed = await ask("SubscribeToTask", { id });
        }
        if (subscribed.status === 200) return textIn(await subscribed.text());
        if (habit === "hasty") throw new Error("the stream is lost");
        for (;;) {
          const task = await (await ask("GetTask", { id })).text();
          if (task.includes("TASK_STATE_COMPLETED")) return textIn(task);
          await pause(20);
        }
      }
    };
    try {
      const output = env["ASSAY_ACTION"] === "stream" ? await stream() : await send();
      return { exit: 0, output };
    } catch (error) {
      return { exit: 1, output: "", errors: String(error) };
    }
  };

const faulty = ["lost-response", "late-response", "rate-limited", "no-second-stream"];

async function tested(habit: Habit, situations = faulty) {
  const report = await testDriven(drive(habit), { bindings: ["JSONRPC"], situations });
  const found = (report.situations ?? []).filter(({ situation }) => situations.includes(situation));
  return {
    report,
    exits: Object.fromEntries(found.map(({ situation, runs }) => [situation, runs[0]?.exit])),
    advice: report.notes,
  };
}

describe("a client under faults", () => {
  test("that copes is accused of nothing, and gets no advice", async () => {
    const { report, exits, advice } = await tested("careful");
    expect(brokenIn(report)).toEqual([]);
    expect(exits).toEqual(Object.fromEntries(faulty.map((id) => [id, 0])));
    expect(advice).toEqual([]);
    const held = resultsOf(report).filter(({ verdict }) => verdict === "pass");
    expect(held.map(({ test: id }) => id)).toEqual(expect.arrayContaining(["SUB-009", "STREAM-025"]));
  });

  test("that does not is told so: by a rule where there is one, otherwise by advice", async () => {
    const { report, advice } = await tested("hasty");
    expect(brokenIn(report)).toEqual(["SUB-009"]);
    const late = await tested("hasty", ["late-response"]);
    expect(brokenIn(late.report)).toEqual(["SUB-009"]);
    expect(resultsOf(report).filter(({ verdict }) => verdict === "fail")).toEqual([]);
    // Advice about waiting depends on the speed of this machine: advice.test.ts has it.
    expect(advice.filter((text) => !text.includes("Retry-After"))).toEqual([
      "advice (no-second-stream): after a lost stream and a failed SubscribeToTask, read the task with GetTask",
    ]);
  });

  testIf(provesAll)("that still backs off at the time limit is accused of nothing", async () => {
    const options = { bindings: ["JSONRPC"], situations: ["no-second-stream"], timeout: 8_000 } as const;
    const report = await testDriven(drive("patient"), options);
    const stopped = report.situations?.filter(({ ended }) => ended === "time-over");
    expect([...new Set(stopped?.map(({ situation }) => situation))]).toEqual(["no-second-stream"]);
    expect(brokenIn(report)).toEqual([]);
  });

  testIf(provesAll)("that waits for a late response shows nothing", async () => {
    const { report, exits } = await tested("patient", ["late-response"]);
    expect(exits).toEqual({ "late-response": 0 });
    const [resends] = resultsOf(report).filter(({ test: id }) => id === "SUB-009");
    expect(resends).toMatchObject({ verdict: "not-examined", message: expect.stringContaining("waited for the late") });
  });

  test("meets the situations only with --faults", async () => {
    const ran = async (faults: boolean): Promise<string[]> => {
      const options = { only: ["SUB-009"], bindings: ["JSONRPC"], faults } as const;
      const { situations = [] } = await testOwnClient("", options);
      return situations.map(({ situation }) => situation).filter((id) => faulty.includes(id));
    };
    expect(await ran(false)).toEqual([]);
    expect((await ran(true)).toSorted()).toEqual(["late-response", "lost-response", "no-second-stream"]);
  });
});

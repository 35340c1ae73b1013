import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientTestOptions } from "@assay/clients";
import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { brokenIn, testDriven, testOwnClient } from "./proof.fixture.ts";

/**
 * A client that repeats a request after a lost connection or a 429. `careful` keeps the messageId, waits as long as the
 * agent asks, and polls; `hasty` does none of it.
 */
type Habit = "careful" | "hasty";

const drive =
  (habit: Habit): NonNullable<ClientTestOptions["drive"]> =>
  async (env, signal) => {
    const card = await fetch(`${env["ASSAY_AGENT_URL"]}/.well-known/agent-card.json`, { signal });
    const { supportedInterfaces } = (await card.json()) as { supportedInterfaces: { url: string }[] };
    const ask = (method: string, params: object): Promise<Response> =>
      fetch(supportedInterfaces[0]!.url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        signal,
      });
    const said = (messageId: string) => ({
      message: { messageId, role: "ROLE_USER", parts: [{ text: env["ASSAY_MESSAGE"] ?? "" }] },
    });
    const textIn = (json: string): string => [...json.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join("\n");

    const send = async (): Promise<string> => {
      const id = randomUUID();
      const answer = await ask("SendMessage", said(id)).catch(() => undefined);
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
        const subscribed = await ask("SubscribeToTask", { id });
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

const faulty = ["lost-response", "rate-limited", "no-second-stream"];

async function tested(habit: Habit) {
  const report = await testDriven(drive(habit), { bindings: ["JSONRPC"], situations: faulty });
  const found = (report.situations ?? []).filter(({ situation }) => faulty.includes(situation));
  return {
    report,
    exits: Object.fromEntries(found.map(({ situation, runs }) => [situation, runs[0]?.exit])),
    advice: found.flatMap(({ because }) => because?.match(/advice: [^;]*/g) ?? []),
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
    expect(resultsOf(report).filter(({ verdict }) => verdict === "fail")).toEqual([]);
    // Advice about waiting depends on the speed of this machine: advice.test.ts has it.
    expect(advice.filter((text) => !text.includes("Retry-After"))).toEqual([
      "advice: after a lost stream and a failed SubscribeToTask, read the task with GetTask",
    ]);
  });

  test("meets the situations only with --faults", async () => {
    const ran = async (faults: boolean): Promise<string[]> => {
      const options = { only: ["SUB-009"], bindings: ["JSONRPC"], faults } as const;
      const { situations = [] } = await testOwnClient("", options);
      return situations.map(({ situation }) => situation).filter((id) => faulty.includes(id));
    };
    expect(await ran(false)).toEqual([]);
    expect((await ran(true)).toSorted()).toEqual(["lost-response", "no-second-stream"]);
  });
});

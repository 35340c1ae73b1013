import { serveSituations } from "@assay/clients";
import { expect, onTestFinished, test } from "vitest";
import { runClient } from "./client.js";

interface Verdict {
  readonly requests: number;
  readonly notes: readonly string[];
  readonly results: readonly {
    readonly test: string;
    readonly verdict: string;
    readonly situation: string;
    readonly warning?: string;
  }[];
}

/** Plays the part of a test suite: arranges a situation, drives the client, and asks for the verdict. */
async function drive(url: string, situation: string, misbehaviour: string): Promise<Verdict> {
  const arranged = (await (await fetch(`${url}/situations/${situation}`)).json()) as {
    environment: Record<string, string>;
  };
  const output: string[] = [];
  const exit = await runClient({
    env: arranged.environment,
    misbehaviour,
    print: (text) => void output.push(text),
    complain: () => {},
  });
  const body = JSON.stringify({ exit, output: output.join("\n") });
  const answer = await fetch(`${url}/situations/${situation}/verdict`, { method: "POST", body });
  return (await answer.json()) as Verdict;
}

const failed = ({ results }: Verdict): string[] =>
  results.filter(({ verdict }) => verdict === "fail").map(({ test }) => test);

test("a test suite drives its client through situations of one process", async () => {
  const served = await serveSituations({ run: "listen", version: "0" });
  onTestFinished(() => served.close());
  const listed = (await (await fetch(`${served.url}/situations`)).json()) as { id: string; url: string }[];
  expect(listed.find(({ id }) => id === "stream")).toMatchObject({ action: "stream", url: `${served.url}/stream` });

  expect(failed(await drive(served.url, "send", ""))).toEqual([]);
  const wrong = await drive(served.url, "send", "VER-001.no-version");
  expect(failed(wrong)).toEqual(["VER-001"]);
  expect(wrong.results.every(({ situation }) => situation === "send")).toBe(true);
  // The same again: each verdict is about what was sent since the situation was arranged.
  expect(failed(await drive(served.url, "send", ""))).toEqual([]);
  expect(failed(await drive(served.url, "chunks", "STREAM-027.last-chunk-only"))).toEqual(["STREAM-027"]);
  expect((await drive(served.url, "subscribe", "")).requests).toBe(2);

  const unknown = await fetch(`${served.url}/situations/none`);
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: expect.stringContaining("GET /situations") }]);
});

test("the other agents of a situation, and its advice, belong to its verdict", async () => {
  const served = await serveSituations({ run: "others", version: "0" });
  onTestFinished(() => served.close());
  const warned = ({ results }: Verdict): string[] =>
    results.filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined).map(({ test }) => test);
  // Rules about a version are judged only of clients that are known to speak it.
  expect(warned(await drive(served.url, "send", ""))).toEqual([]);
  expect(warned(await drive(served.url, "same-binding", ""))).toEqual([]);
  expect(warned(await drive(served.url, "same-binding", "BIND-006.last-of-binding"))).toEqual(["BIND-006"]);
  expect(warned(await drive(served.url, "two-versions", "VER-015.any-version"))).toEqual(["VER-015"]);
  expect(warned(await drive(served.url, "older-only", "VER-016.older-unasked"))).toEqual(["VER-016"]);
  expect(warned(await drive(served.url, "extended-elsewhere", ""))).toEqual([]);
  expect(warned(await drive(served.url, "extended-elsewhere", "XCARD-012.public-card"))).toEqual(["XCARD-012"]);

  expect((await drive(served.url, "foreign-interface", "")).notes).toEqual([]);
  expect((await drive(served.url, "foreign-interface", "odd:token-for-any-host")).notes).toEqual([
    expect.stringMatching(/^advice \(foreign-interface\): the client sends its token to a host/),
  ]);
});

test("every call of a client is reported as it arrives", async () => {
  const seen: string[] = [];
  const served = await serveSituations({
    run: "watch",
    version: "0",
    onRequest: ({ situation, request, results }) => {
      const broken = results.filter(({ verdict }) => verdict === "fail").map(({ test }) => test);
      seen.push([situation, request.is, ...broken.toSorted()].join(" "));
    },
  });
  onTestFinished(() => served.close());
  await drive(served.url, "task", "DATA-004.lower-case");
  expect(seen).toEqual(["task card", "task call DATA-004 SEND-022"]);
});

import { readdir } from "node:fs/promises";
import type { StreamResponse } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { agents } from "../agents/index.ts";
import { InstantClock, settle } from "../definition/fake-clock.fixture.ts";
import type { Relay, Skill } from "../definition/skill.ts";
import {
  brief,
  collect,
  type EngineHarness,
  engineHarness,
  forever,
  here,
  lines,
  user,
} from "../engine/engine.fixture.ts";
import { byKeyword } from "../engine/routing.ts";
import { adminStatus } from "./admin-status.ts";
import { echo } from "./echo.ts";
import { coreSkills, moreSkills } from "./index.ts";

const inAHurry = (skills?: readonly Skill[]): EngineHarness<InstantClock> =>
  engineHarness({ clock: new InstantClock(), ...(skills ? { skills } : {}) });

/** Returns the events of a stream, one line each. */
async function told(text: string, shop = inAHurry()): Promise<string[]> {
  return lines(await collect(await shop.engine.stream({ message: user(text) }, here, forever)));
}

/** Adds the milliseconds since the first event. */
async function timed(text: string): Promise<string[]> {
  const shop = inAHurry();
  const events = await collect(await shop.engine.stream({ message: user(text) }, here, forever));
  const start = shop.clock.now() - shop.clock.slept.reduce((sum, ms) => sum + ms, 0);
  const timeOf = ({ task, statusUpdate }: StreamResponse) => (task ?? statusUpdate)?.status.timestamp;
  return lines(events).map((line, index) => {
    const time = timeOf(events[index]!);
    return time === undefined ? line : `${Date.parse(time) - start} ms: ${line}`;
  });
}

describe("the registry", () => {
  const listed = new Set(
    agents.flatMap(({ skills, unlisted = [], only, extended }) => [
      ...skills,
      ...unlisted,
      ...(only ? [only] : []),
      ...(extended?.skills ?? []),
    ]),
  );

  test("lists the skill of every file in the folder", async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => /^(?!index\.)[^.]+\.ts$/.test(name));
    const exported = await Promise.all(
      files.map(async (file) => {
        const module = (await import(new URL(file, import.meta.url).href)) as Record<string, unknown>;
        return Object.values(module).filter((each): each is Skill => typeof each === "object");
      }),
    );
    const unheardOf = files.filter((_file, index) => !exported[index]!.every((each) => listed.has(each)));
    expect(files.length).toBeGreaterThan(20);
    expect(exported.map((skills) => skills.length)).toEqual(files.map(() => 1));
    expect(unheardOf).toEqual([]);
  });

  test("names each file after its skill", async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => /^(?!index\.)[^.]+\.ts$/.test(name));
    expect(files.toSorted()).toEqual([...listed].map(({ id }) => `${id}.ts`).toSorted());
  });

  test("uses no id twice", () => {
    const ids = [...listed].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("has the eight of the public test bed, and those that show what they cannot", () => {
    expect([coreSkills.map(({ id }) => id), moreSkills.map(({ id }) => id)]).toEqual([
      [
        "message-only",
        "task-lifecycle",
        "task-failure",
        "task-cancel",
        "multi-turn",
        "streaming",
        "long-running",
        "data-types",
      ],
      [
        "auth-required",
        "rejected",
        "chunks",
        "slow",
        "fail-after",
        "history",
        "big",
        "unicode",
        "file-url",
        "many-artifacts",
        "relay",
        "throw",
        "recall",
        "refine",
      ],
    ]);
  });

  test("has an example for each skill that reaches it", () => {
    const keyworded = [...listed].filter(({ id }) => id !== "echo");
    const route = byKeyword(keyworded);
    const reached = keyworded.map(({ examples }) => route(user(examples[0] ?? "")).skill.id);
    expect(reached).toEqual(keyworded.map(({ id }) => id));
  });
});

describe("the eight skills", () => {
  test("message-only", async () => {
    expect(await told(" Message-Only hello")).toEqual(['message agent "[message-only] You said:  Message-Only hello"']);
  });

  test("task-lifecycle", async () => {
    expect(await timed("task-lifecycle hello")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING",
        "artifact result (last) [{"text":"[task-lifecycle] Processed: task-lifecycle hello"}]",
        "0 ms: status COMPLETED",
      ]
    `);
  });

  test("task-failure", async () => {
    expect(await timed("task-failure hello")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING",
        "0 ms: status FAILED agent "[task-failure] This task fails on purpose."",
      ]
    `);
  });

  test("task-cancel, when nobody cancels", async () => {
    expect(await timed("task-cancel hello")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING agent "[task-cancel] Waiting to be canceled."",
        "30000 ms: status COMPLETED agent "[task-cancel] Nobody canceled."",
      ]
    `);
  });

  test("multi-turn, up to a message that contains done", async () => {
    const shop = inAHurry();
    const first = await collect(await shop.engine.stream({ message: user("multi-turn done") }, here, forever));
    const { id } = first[0]!.task!;
    const seen = [lines(first)];
    for (const text of ["a don", "and another", "AlmostDone!"]) {
      const message = user(text, { taskId: id });
      seen.push(lines(await collect(await shop.engine.stream({ message }, here, forever))));
    }
    expect(seen).toMatchInlineSnapshot(`
      [
        [
          "task SUBMITTED",
          "status INPUT_REQUIRED agent "[multi-turn] What next? Say \\"done\\" to finish."",
        ],
        [
          "task INPUT_REQUIRED",
          "status INPUT_REQUIRED agent "[multi-turn] Noted: a don. What next? Say \\"done\\" to finish."",
        ],
        [
          "task INPUT_REQUIRED",
          "status INPUT_REQUIRED agent "[multi-turn] Noted: and another. What next? Say \\"done\\" to finish."",
        ],
        [
          "task INPUT_REQUIRED",
          "status WORKING",
          "artifact final (last) [{"text":"[multi-turn] Finished after 4 messages."}]",
          "status COMPLETED",
        ],
      ]
    `);
  });

  test("streaming", async () => {
    expect(await timed("streaming hello")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING agent "[streaming] Starting streamed response..."",
        "artifact stream-result [{"text":"[streaming] Chunk 1: streaming hello\\n"}]",
        "artifact stream-result (append) [{"text":"[streaming] Chunk 2: streaming hello\\n"}]",
        "artifact stream-result (append) [{"text":"[streaming] Chunk 3: streaming hello\\n"}]",
        "artifact stream-result (append) (last) [{"text":"[streaming] Chunk 4: streaming hello\\n"}]",
        "2000 ms: status COMPLETED",
      ]
    `);
  });

  test("streaming waits half a second before each chunk", async () => {
    const shop = inAHurry();
    await shop.begin("streaming");
    expect(shop.clock.slept).toEqual([500, 500, 500, 500]);
  });

  test("long-running", async () => {
    expect(await timed("long-running")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING agent "[long-running] Step 1 of 5"",
        "artifact step-1 (last) [{"text":"[long-running] Result of step 1"}]",
        "2000 ms: status WORKING agent "[long-running] Step 2 of 5"",
        "artifact step-2 (last) [{"text":"[long-running] Result of step 2"}]",
        "4000 ms: status WORKING agent "[long-running] Step 3 of 5"",
        "artifact step-3 (last) [{"text":"[long-running] Result of step 3"}]",
        "6000 ms: status WORKING agent "[long-running] Step 4 of 5"",
        "artifact step-4 (last) [{"text":"[long-running] Result of step 4"}]",
        "8000 ms: status WORKING agent "[long-running] Step 5 of 5"",
        "artifact step-5 (last) [{"text":"[long-running] Result of step 5"}]",
        "10000 ms: status COMPLETED agent "[long-running] All steps done."",
      ]
    `);
  });

  test("data-types", async () => {
    expect(await timed("data-types")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING",
        "artifact text (last) [{"text":"[data-types] Plain text"}]",
        "artifact data (last) [{"data":{"type":"measurement","values":[1,2.5,-3],"nested":{"unit":"mm","ok":true,"note":null}},"mediaType":"application/json"}]",
        "artifact file (last) [{"raw":"PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxNiIgaGVpZ2h0PSIxNiI+PGNpcmNsZSBjeD0iOCIgY3k9IjgiIHI9IjciLz48L3N2Zz4=","filename":"test.svg","mediaType":"image/svg+xml"}]",
        "artifact mixed (last) [{"text":"[data-types] Text beside data"},{"data":{"beside":"text"}}]",
        "0 ms: status COMPLETED",
      ]
    `);
  });
});

describe("the further skills", () => {
  test("auth-required, up to the authorisation", async () => {
    const shop = inAHurry();
    const task = await shop.begin("auth-required");
    const message = user("here it is", { taskId: task.id });
    const rest = lines(await collect(await shop.engine.stream({ message }, here, forever)));
    expect([lines([{ task }]), rest]).toMatchInlineSnapshot(`
      [
        [
          "task AUTH_REQUIRED agent "[auth-required] Authorise this agent, then send any message to go on."",
        ],
        [
          "task AUTH_REQUIRED",
          "status WORKING",
          "artifact receipt (last) [{"text":"[auth-required] Authorised and done."}]",
          "status COMPLETED",
        ],
      ]
    `);
  });

  test("auth-required, declined", async () => {
    const shop = inAHurry();
    const task = await shop.begin("auth-required");
    expect(brief(await shop.follow(task, "No, stop."))).toBe(
      'CANCELED agent "[auth-required] Not authorised, so not done."',
    );
  });

  test("recall, in the context where something was said and in another", async () => {
    const shop = inAHurry();
    const { contextId } = await shop.begin("task-lifecycle the word is plum");
    const asked = async (more: object) =>
      brief((await shop.engine.send({ message: user("recall it", more) }, here)).task!);
    expect([await asked({ contextId }), await asked({})]).toEqual([
      'COMPLETED +memory [{"text":"[recall] You said: task-lifecycle the word is plum"}]',
      'COMPLETED +memory [{"text":"[recall] Nothing yet."}]',
    ]);
  });

  test("refine keeps the name, and asks back where it is unclear what is meant", async () => {
    const shop = inAHurry();
    const first = await shop.begin("task-lifecycle one");
    const contextId = first.contextId!;
    const asked = async (more: object) =>
      (await shop.engine.send({ message: user("refine it", { contextId, ...more }) }, here)).task!;
    const refined = await asked({ referenceTaskIds: [first.id] });
    expect(refined.artifacts).toEqual([
      {
        artifactId: "result-2",
        name: "result",
        parts: [{ text: "[refine] [task-lifecycle] Processed: task-lifecycle one (refined)" }],
      },
    ]);
    const unclear = await asked({});
    expect(brief(unclear)).toBe('INPUT_REQUIRED agent "[refine] Which of them: 1 result, 2 result?"');
    expect(brief(await shop.follow(unclear, "2"))).toMatch(/^COMPLETED \+result-3 .*\(refined\) \(refined\)/);
    expect(brief(await shop.begin("refine it"))).toBe('FAILED agent "[refine] There is nothing to refine."');
  });

  test("rejected", async () => {
    expect(await told("rejected")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status REJECTED agent "[rejected] This agent declines the task."",
      ]
    `);
  });

  test("chunks, as many and as long as asked", async () => {
    expect(await told("chunks 3 8")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING",
        "artifact chunks [{"text":"1 ......"}]",
        "artifact chunks (append) [{"text":"2 ......"}]",
        "artifact chunks (append) (last) [{"text":"3 ......"}]",
        "status COMPLETED",
      ]
    `);
    expect(await told("chunks 0")).toEqual(["task SUBMITTED", "status WORKING", "status COMPLETED"]);
    expect(await told("chunks")).toHaveLength(13);
  });

  test("chunks of every size have their number and their size", async () => {
    const texts = async (argument: string) => {
      const { artifacts } = await inAHurry().begin(`chunks ${argument}`);
      return artifacts?.[0]?.parts.map(({ text }) => text);
    };
    expect(await texts("2 1")).toEqual(["1", "2"]);
    expect(await texts("1 70000")).toEqual([`1 ${".".repeat(65_534)}`]);
    expect((await texts("12 2"))?.slice(8)).toEqual(["9 ", "10", "11", "12"]);
  });

  test("chunks, as far apart as asked", async () => {
    const shop = inAHurry();
    await shop.begin("chunks 3 8 500");
    expect(shop.clock.slept).toEqual([500, 500]);
  });

  test("chunks stop when they are canceled", async () => {
    const { engine, start } = inAHurry();
    const { id } = await start("chunks 100000");
    const { status, artifacts } = await engine.cancel({ id }, here);
    expect(status.state).toBe("TASK_STATE_CANCELED");
    expect(artifacts?.[0]?.parts.length ?? 0).toBeLessThan(1_000);
  });

  test("slow", async () => {
    expect(await timed("slow 3")).toMatchInlineSnapshot(`
      [
        "0 ms: task SUBMITTED",
        "0 ms: status WORKING agent "[slow] Working for 3 s"",
        "artifact result (last) [{"text":"[slow] Done after 3 s"}]",
        "3000 ms: status COMPLETED",
      ]
    `);
  });

  test.each([
    ["slow", 1_000],
    ["slow 0.25", 250],
    ["slow 2 please", 2_000],
    ["slow 1000", 600_000],
    ["slow 99999999999", 600_000],
    ["slow down", 1_000],
    ["slow -1", 1_000],
  ])("%s takes %s ms", async (text, expected) => {
    const shop = inAHurry();
    await shop.begin(text);
    expect(shop.clock.slept).toEqual([expected]);
  });

  test.each([
    ["slow 5", 300],
    ["slow 0.1", 100],
  ])("%s takes %s ms where time is scaled to nothing", async (text, expected) => {
    const bounds: (number | undefined)[] = [];
    const clock = {
      now: () => 0,
      sleep: async (_ms: number, _signal: AbortSignal, atLeast?: number) => {
        bounds.push(atLeast);
      },
    };
    await engineHarness({ clock }).begin(text);
    expect(bounds).toEqual([expected]);
  });

  test("fail-after", async () => {
    expect(await told("fail-after 2")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING",
        "artifact partial [{"text":"[fail-after] Chunk 1\\n"}]",
        "artifact partial (append) [{"text":"[fail-after] Chunk 2\\n"}]",
        "status FAILED agent "[fail-after] Failed after 2 chunks."",
      ]
    `);
  });

  test("history", async () => {
    expect(await told("history 2")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING agent "[history] Message 1 of 2"",
        "status WORKING agent "[history] Message 2 of 2"",
        "status COMPLETED",
      ]
    `);
  });

  test("big", async () => {
    const { artifacts, status } = await inAHurry().begin("big 123456");
    expect([status.state, artifacts]).toEqual([
      "TASK_STATE_COMPLETED",
      [{ artifactId: "big", name: "big", parts: [{ text: "x".repeat(123_456) }] }],
    ]);
  });

  test("unicode", async () => {
    const { engine } = inAHurry();
    const events = await collect(await engine.stream({ message: user("unicode") }, here, forever));
    const parts = [
      { text: "Grüße, čeština, ελληνικά, العربية, 中文" },
      { text: "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 combining: \u00e9 vs e\u0301" },
      { text: "line separator:\u2028 paragraph separator:\u2029 no-break space:\u00a0." },
      { text: 'quotes " \\ / and a tab\t.' },
    ];
    expect(lines(events)).toEqual([
      "task SUBMITTED",
      'status WORKING agent "[unicode] Ünïcödé ✓"',
      `artifact unicode (last) ${JSON.stringify(parts)}`,
      "status COMPLETED",
    ]);
  });

  test("file-url", async () => {
    expect(await told("file-url")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING",
        "artifact file (last) [{"url":"https://example.com/report.pdf","filename":"report.pdf","mediaType":"application/pdf"}]",
        "status COMPLETED",
      ]
    `);
  });

  test("many-artifacts", async () => {
    expect(await told("many-artifacts 2")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING",
        "artifact artifact-1 (last) [{"text":"[many-artifacts] Number 1"}]",
        "artifact artifact-2 (last) [{"text":"[many-artifacts] Number 2"}]",
        "status COMPLETED",
      ]
    `);
  });

  test("relay", async () => {
    expect(await told("relay http://127.0.0.1/echo hello\nthere")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status WORKING agent "[relay] Asking http://127.0.0.1/echo"",
        "artifact relayed (last) [{"text":"http://127.0.0.1/echo says hello\\nthere"}]",
        "status COMPLETED",
      ]
    `);
  });

  test.each(["relay", "relay http://127.0.0.1/echo", "relay  "])(
    "relay needs to know whom to ask what: %j",
    async (text) => {
      expect(await told(text)).toEqual([
        "task SUBMITTED",
        'status REJECTED agent "[relay] Say: relay <cardUrl> <text>"',
      ]);
    },
  );

  test("relay allows at most four relays in a row", async () => {
    const links = (count: number, word = "relay") => `${word} http://127.0.0.1/x `.repeat(count);
    const { begin } = engineHarness({ relay: async () => "asked" });
    for (const text of [`${links(4)}hello`, `${links(4)}relayed`, `${links(4)}re lay http://127.0.0.1/x hello`]) {
      expect(brief(await begin(text))).toBe('COMPLETED +relayed [{"text":"asked"}]');
    }
    const tooMany = 'REJECTED agent "[relay] A relay may ask a relay, but no more than 4 in a row."';
    for (const text of [links(4) + links(1, "Relay"), `${links(4)} \n${links(1, "RELAY")}`, links(4_000)]) {
      expect(brief(await begin(`${text}hello`))).toBe(tooMany);
    }
  });

  test("relays under way are on the account of their caller, and too many are refused", async () => {
    let answer: (text: string) => void = () => {};
    const asked = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const { engine, start, ledger } = engineHarness({ relay: () => asked });
    const before = await start("relay http://127.0.0.1/x hello");
    const one = ledger.of(here.account);
    expect(one).toBeGreaterThan(4_000_000);
    for (let n = 0; n < 22; n++) await start("relay http://127.0.0.1/x hello");
    const last = await engine.send({ message: user("relay http://127.0.0.1/x hello") }, here);
    expect(brief(last.task!)).toMatch(/^FAILED agent "\[relay\] the limit of 96 MiB per caller is reached/);
    answer("asked");
    await settle();
    expect((await engine.get({ id: before.id }, here)).status.state).toBe("TASK_STATE_COMPLETED");
    expect(ledger.of(here.account)).toBeLessThan(200_000);
  });

  test("relay says why the other agent could not be asked", async () => {
    const relay = async () => {
      throw new Error("No agent card at http://127.0.0.1/x (HTTP 404).");
    };
    const { begin, crashes } = engineHarness({ relay });
    expect(brief(await begin("relay http://127.0.0.1/x hello"))).toBe(
      'FAILED agent "[relay] No agent card at http://127.0.0.1/x (HTTP 404)."',
    );
    expect(crashes).toEqual([]);
  });

  test("relay stops asking when it is canceled", async () => {
    const relay: Relay = (_cardUrl, _text, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { engine, start } = engineHarness({ relay });
    const { id } = await start("relay http://127.0.0.1/x hello");
    expect(brief(await engine.cancel({ id }, here))).toBe("CANCELED");
  });

  test("throw", async () => {
    expect(await told("throw")).toMatchInlineSnapshot(`
      [
        "task SUBMITTED",
        "status FAILED agent "[throw] The skill failed with an internal error of the agent."",
      ]
    `);
  });

  test("echo", async () => {
    expect(await told("echo  hello ", inAHurry([echo]))).toEqual(['message agent "Echo: echo  hello "']);
  });

  test("admin-status", async () => {
    expect(await told("admin-status", inAHurry([adminStatus]))).toEqual([
      'message agent "[admin-status] All is well."',
    ]);
  });
});

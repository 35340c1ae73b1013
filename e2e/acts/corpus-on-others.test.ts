import { type ActsFile, readCorpus, type Test } from "@assay/scenarios";
import { beforeAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { corpus, hasCorpusFor } from "./corpus.fixture.ts";
import { line, rowsOf } from "./rows.fixture.ts";

/** What takes a second or more is left out: these tests are about judging, not about waiting. */
const quick = ({ behaviours }: Test): boolean => !behaviours.some((each) => /long-running|cancel/.test(each));

describe.runIf(hasCorpusFor("the corpus on agents that are odd or wrong"))("the corpus", () => {
  const bed = useTestbed();
  let files: ActsFile[];
  beforeAll(() => {
    files = readCorpus([corpus]);
  });

  // Agents that are odd and right: where the corpus asks for more than the protocol does, the corpus is at fault.
  const odd = [
    "no-timestamps",
    "errors-as-events",
    "purges-ended",
    "rpc-http-status",
    "no-error-info",
    "no-history",
    "any-media",
    "null-members",
    "own-binding",
    "mute-login",
    "old-error-column",
    "unconfigured-card",
  ];

  test.each(sampleOf(odd, odd.length))("accuses nobody who is only odd: %s", async (variant) => {
    const rows = await rowsOf(`${bed.url}/variants/${variant}`, files, { only: quick });
    expect(rows.filter(({ verdict }) => verdict === "fail" || verdict === "error").map(line)).toEqual([]);
    expect(rows.some(({ verdict }) => verdict === "pass")).toBe(true);
  });

  const caught = [
    ["CARD-003.no-name", "CARD-DISC-001"],
    ["ERR-001.in-result", "CORE-ERR-001"],
    ["ERR-024.internal", "CORE-SEND-004"],
    ["LIST-003.no-token", "CORE-LIST-003"],
    ["HIST-006.get-only", "CORE-HIST-003"],
    ["DATA-013.placeholder", "DM-ART-001"],
    ["JSONRPC-006.html", "JSONRPC-ERR-001"],
    ["SEND-010.never-waits", "CORE-FAIL-001"],
  ] as const;

  test.each(sampleOf(caught, 4))("catches %s by %s, and shows what it saw", async (mutant, id) => {
    const rows = await rowsOf(`${bed.url}/mutants/${mutant}`, files, { only: (each) => each.id === id });
    const failed = rows.find(({ verdict, transport }) => verdict === "fail" && transport === "jsonrpc");
    expect(failed?.failure, rows.map(line).join("\n")).toMatchObject({
      message: expect.any(String),
      sent: expect.any(String),
      saw: expect.any(String),
      exchange: expect.any(String),
      at: { file: expect.stringContaining(".acts.yaml"), line: expect.any(Number) },
    });
  });

  // Assay waits before it asks again, so the time is spent on pauses.
  testIf(provesAll)("an agent that hangs up on us is the one who fails", async () => {
    const rows = await rowsOf(`${bed.url}/mutants/REST-035.dies`, files, { only: quick });
    expect(rows.filter(({ verdict }) => verdict === "error").map(line)).toEqual([]);
    expect(rows.some(({ verdict }) => verdict === "fail")).toBe(true);
  });

  test("says of an agent that knows no words of ACTS that it was not examined", async () => {
    const rows = await rowsOf(`${bed.url}/full`, files, { only: ({ id }) => id === "CORE-SEND-001" });
    expect(rows.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual(
      Array(3).fill(
        "skip: the agent does not react to ACTS keywords such as tck-complete-task (if it does: --behaviours all)",
      ),
    );
  });
});

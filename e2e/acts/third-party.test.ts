import { readCorpus, type TestOutcome } from "@assay/scenarios";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useSdkServer } from "../sdks/server.fixture.ts";
import { corpus, hasCorpusFor } from "./corpus.fixture.ts";
import { line, rowsOf } from "./rows.fixture.ts";

const bindings = ["jsonrpc", "rest", "grpc"];

/**
 * What a server of @a2a-js/sdk 1.3.0 does not do, examined by hand (docs/findings/a2a-js-1.3.0.md): the promises of a
 * test bed, which nobody else has to keep.
 */
const examined = ["agent-card-spec", "spec-cancel-with-metadata"];

const redIn = (rows: readonly TestOutcome[]): TestOutcome[] =>
  rows.filter(({ verdict }) => verdict === "fail" || verdict === "error");

const byRow = (rows: readonly TestOutcome[]): string[] => rows.map(({ row }) => row).toSorted();

describe.concurrent("a server of @a2a-js/sdk 1.3.0", { timeout: 600_000 }, () => {
  // Its slow task must still run when a busy machine gets to subscribe to it.
  const agent = useSdkServer("a2a-js", { timeScale: 2 });
  const echo = useSdkServer("a2a-js", { args: ["--echo"] });
  const reduced = useSdkServer("a2a-js", { args: ["--reduced"] });

  test("passes the acceptance scenarios but for what was examined by hand", async () => {
    const rows = await rowsOf(agent.url, readCorpus(["acceptance.yaml"]), {
      elsewhere: { spec: agent.url, echo: echo.url },
      reduced: reduced.url,
      only: ({ rows: of }) => of !== "v03",
    });
    const known = examined.flatMap((id) => bindings.map((binding) => `${binding}/${id}`)).toSorted();
    const red = redIn(rows);
    expect(byRow(red), red.map(line).join("\n")).toEqual(known);
    // It has no extended card without a login; all else is examined.
    const skipped = rows.filter(({ verdict }) => verdict === "skip");
    expect(byRow(skipped)).toEqual(bindings.map((binding) => `${binding}/spec-extended-card`).toSorted());
  });

  testIf(provesAll && hasCorpusFor("the corpus on a server of @a2a-js/sdk"))(
    "is accused of nothing by the corpus of ACTS",
    async () => {
      const rows = await rowsOf(agent.url, readCorpus([corpus]), { reduced: reduced.url });
      expect(redIn(rows).map(line)).toEqual([]);
      // The words of ACTS mean something to it: it was examined.
      expect(rows.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(200);
    },
  );
});

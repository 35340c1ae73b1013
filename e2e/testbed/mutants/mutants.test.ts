import { startTestbed } from "@assay/agents";
import { adviceRows, checks } from "@assay/suite";
import { describe, expect, test } from "vitest";
import { Subject } from "../../fixtures/subject.fixture.ts";
import { plain, unknownTask, useTestbed } from "../../fixtures/testbed.fixture.ts";
import { authRows } from "./auth.fixture.ts";
import { bindingRows } from "./bindings.fixture.ts";
import { cardRows } from "./cards.fixture.ts";
import { errorRows } from "./errors.fixture.ts";
import { messageRows } from "./messages.fixture.ts";
import { negotiationRows } from "./negotiation.fixture.ts";
import { olderRows } from "./older.fixture.ts";
import { pushRows } from "./push.fixture.ts";
import { type Row, taskNotFound, usual } from "./row.fixture.ts";
import { streamRows } from "./streams.fixture.ts";
import { taskRows } from "./tasks.fixture.ts";

// Every mutant differs from its base in its fault, and behaves like its base elsewhere.

const bed = useTestbed();

const rows: readonly Row[] = [
  ...cardRows,
  ...messageRows,
  ...streamRows,
  ...taskRows,
  ...pushRows,
  ...errorRows,
  ...bindingRows,
  ...negotiationRows,
  ...authRows,
  ...olderRows,
];

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly base: string;
  readonly does: string;
}
const listing = async (family: string) => JSON.parse((await plain(`${bed.url}/${family}`)).text) as Listed[];

test("GET /mutants lists every mutant, and a test proves the fault of each", async () => {
  const all = await listing("mutants");
  const seen = new Set(rows.map(({ id }) => id));
  // e2e/proof/faults.test.ts proves the mutants of the advice.
  const checked = new Set([...checks.map(({ id }) => id), ...Object.keys(adviceRows)]);
  expect(all.map(({ id }) => id).filter((id) => !seen.has(id) && !checked.has(id.split(".", 1)[0]!))).toEqual([]);
  expect([...seen].filter((id) => !all.some((listed) => listed.id === id))).toEqual([]);
  expect(all.find(({ id }) => id === "CARD-003.no-name")).toEqual({
    id: "CARD-003.no-name",
    path: "/mutants/CARD-003.no-name",
    base: "/spec",
    does: "The card has no name.",
  });
});

describe.each(rows)("$id", ({ id, see, right, wrong, alike = usual }) => {
  test("differs from its base only in its fault", async () => {
    const base = (await listing("mutants")).find((entry) => entry.id === id)!.base.slice(1);
    const model = new Subject(bed.url, base, base);
    const mutant = new Subject(bed.url, `mutants/${id}`, base);
    expect(await see(model)).toEqual(right);
    expect(await see(mutant)).toEqual(wrong);
    expect(await alike(mutant)).toEqual(await alike(model));
  });
});

test("--mutant replaces the base agent", async () => {
  const other = await startTestbed({ host: "127.0.0.1", port: 0, version: "0", mutant: "GET-002.empty" });
  try {
    const agent = new Subject(other.url, "spec", "spec");
    expect(await agent.ask("GetTask", { id: unknownTask })).toEqual({});
    expect(await usual(agent)).toEqual(await usual(new Subject(bed.url, "spec", "spec")));
    expect((await agent.card())["name"]).toBe("Spec Agent (GET-002.empty)");
    // Other agents stay unchanged.
    const full = new Subject(other.url, "full", "full");
    expect(await full.ask("GetTask", { id: unknownTask })).toEqual(taskNotFound);
  } finally {
    await other.close(0);
  }
});

test("an unknown mutant is rejected by name", async () => {
  const starting = startTestbed({ host: "127.0.0.1", port: 0, version: "0", mutant: "GET-002.emty" });
  await expect(starting).rejects.toThrow('Unknown mutant "GET-002.emty"');
});

test("@ selects another base agent or version for a mutant", async () => {
  const card = async (path: string) => (await plain(`${bed.url}/${path}`)).text;
  expect(JSON.parse(await card("mutants/GET-002.empty@spec03/.well-known/agent-card.json"))).toMatchObject({
    name: "Spec Agent 0.3 (GET-002.empty)",
    protocolVersion: "0.3.0",
    url: `${bed.url}/mutants/GET-002.empty@spec03`,
  });
  expect(JSON.parse(await card("full@0.2/.well-known/agent.json"))).toMatchObject({
    name: "Full Agent",
    url: `${bed.url}/full@0.2/`,
  });
  expect((await plain(`${bed.url}/full@7.0/.well-known/agent.json`)).status).toBe(404);
  // The index lists the agents.
  expect((await plain(`${bed.url}/`, { headers: { accept: "text/html" } })).text).not.toContain("full@0.2");
});

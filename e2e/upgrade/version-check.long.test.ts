import type { Layers } from "@assay/agents/making";
import { intercept } from "@assay/agents/making";
import { type DialectVersion, isObject, type JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { hybridMutants } from "../../packages/agents/src/mutants/older-hybrid.ts";
import { variants } from "../../packages/agents/src/variants/index.ts";
import { hybridVariants } from "../../packages/agents/src/variants/older-hybrid.ts";
import { comparedSubjects } from "../../packages/suite/src/report/events.ts";
import { sampleOf } from "../fixtures/proves-all.fixture.ts";
import { check, startSpec, subjects } from "./two-versions.fixture.ts";

/** Changes a task as one version reads it. */
const readIn =
  (version: DialectVersion, change: (task: JsonObject) => JsonObject): NonNullable<Layers["codec"]> =>
  (json, { dialect, is, operation }) =>
    dialect.version === version && is === "answer" && operation === "GetTask" ? change(json as JsonObject) : json;

const statusWith =
  (change: (status: JsonObject) => JsonObject) =>
  (task: JsonObject): JsonObject => ({ ...task, status: change(task["status"] as JsonObject) });

/** Replaces the number of an error over JSON-RPC. */
const errorIn =
  (version: DialectVersion, from: number, to: number): NonNullable<Layers["codec"]> =>
  (json, { dialect, is }) => {
    const error = isObject(json) && is === "error" ? (json["error"] as JsonObject | undefined) : undefined;
    return dialect.version === version && error?.["code"] === from
      ? { ...(json as JsonObject), error: { ...error, code: to } }
      : json;
  };

const layersOf = (id: string): Layers => hybridMutants.find((each) => each.id === id)!.differs(1).layers!;

/** Agents that are wrong in one way, and the subjects in which that shows. */
const mutants: Readonly<Record<string, { readonly layers: Layers; readonly differs: readonly string[] }>> = {
  "loses an artifact in 1.0": {
    layers: { codec: readIn("1.0", ({ artifacts: _, ...task }) => task) },
    differs: ["artifacts"],
  },
  "writes another state in 0.3": {
    layers: {
      codec: readIn(
        "0.3",
        statusWith((status) => (status["state"] === "completed" ? { ...status, state: "failed" } : status)),
      ),
    },
    differs: ["state"],
  },
  "shows a cancelled task as working in 0.3": {
    layers: {
      codec: readIn(
        "0.3",
        statusWith((status) => (status["state"] === "canceled" ? { ...status, state: "working" } : status)),
      ),
    },
    differs: ["cancelled task"],
  },
  "has another context in 1.0": {
    layers: { codec: readIn("1.0", (task) => ({ ...task, contextId: "another" })) },
    // The list is filtered by the context that 1.0 shows.
    differs: ["id and context", "list"],
  },
  "loses the history in 0.3": {
    layers: { codec: readIn("0.3", ({ history: _, ...task }) => task) },
    differs: ["history"],
  },
  "lists no tasks of 0.3": {
    layers: {
      operations: intercept(["ListTasks"], async ({ proceed, request }) =>
        proceed({ ...request, contextId: "of nobody" }),
      ),
    },
    differs: ["list"],
  },
  "has another error for an unknown task in 0.3": {
    layers: { codec: errorIn("0.3", -32001, -32603) },
    differs: ["unknown task"],
  },
  "has another error for the cancel of an ended task in 1.0": {
    layers: { codec: errorIn("1.0", -32002, -32603) },
    differs: ["cancel of an ended task"],
  },
  "keeps the tasks of each version apart": {
    layers: layersOf("V03-VER-003.own-store"),
    differs: ["task from the older version", "task from 1.0"],
  },
  "forgets a skill on the card for 0.3": {
    layers: layersOf("V03-VER-005.forgotten"),
    differs: ["card"],
  },
};

describe("an agent is not equivalent that", { concurrent: true }, () => {
  test.each(Object.entries(mutants))("%s", async (_, { layers, differs }) => {
    const bed = await startSpec(layers);
    try {
      const found = await check(`${bed.url}/spec`);
      expect({ outcome: found.outcome, differs: subjects(found, "differs") }).toEqual({
        outcome: "different",
        differs,
      });
    } finally {
      await bed.close(0);
    }
  });
});

/** Changes only the first answers, as a replica that lags. */
function atFirst(change: NonNullable<Layers["codec"]>): NonNullable<Layers["codec"]> {
  let left = 3;
  return (json, written) => {
    const changed = change(json, written);
    if (JSON.stringify(changed) === JSON.stringify(json) || left === 0) return json;
    left--;
    return changed;
  };
}

test("a difference that does not remain is none: another error at first for an unknown task", async () => {
  const bed = await startSpec({ codec: atFirst(errorIn("0.3", -32001, -32004)) });
  try {
    expect(subjects(await check(`${bed.url}/spec`), "differs")).toEqual([]);
  } finally {
    await bed.close(0);
  }
});

test("a good agent of two versions is equivalent in everything, within the announced messages", async () => {
  const bed = await startSpec();
  try {
    const found = await check(`${bed.url}/spec`);
    expect(found).toMatchObject({ outcome: "equivalent", broken: [] });
    // Its card has one form for both versions.
    expect(subjects(found, "same")).toEqual(comparedSubjects.filter((subject) => subject !== "card"));
    expect(found.messages.sent).toBeLessThanOrEqual(found.messages.announced);
    expect(found.messages.announced).toBeLessThanOrEqual(8);
  } finally {
    await bed.close(0);
  }
});

test.each([
  ["0.2", "equivalent"],
  // 0.1 and 0.3 share the method tasks/get, so this agent answers it in the form of 0.3.
  ["0.1", "unknown"],
] as const)("a good agent of all versions does not differ between 1.0 and %s", async (older, outcome) => {
  const bed = await startSpec({}, { dialects: ["1.0", "0.3", "0.2", "0.1"] });
  try {
    const found = await check(`${bed.url}/spec`, { dialects: ["1.0", older] });
    expect({ outcome: found.outcome, differs: subjects(found, "differs") }).toEqual({ outcome, differs: [] });
  } finally {
    await bed.close(0);
  }
});

test("a good agent is equivalent over every binding", async () => {
  const bed = await startSpec();
  try {
    const found = await check(`${bed.url}/spec`, { bindings: ["JSONRPC", "HTTP+JSON", "GRPC"] });
    expect({ outcome: found.outcome, differs: subjects(found, "differs") }).toEqual({
      outcome: "equivalent",
      differs: [],
    });
    expect(found.compared.map(({ older }) => older.binding)).toEqual(["JSONRPC", "HTTP+JSON"]);
  } finally {
    await bed.close(0);
  }
});

test("versions at different addresses may keep their own tasks: nothing is accused, and nothing is green", async () => {
  const older = await startSpec({}, { dialects: ["0.3"] });
  const newer = await startSpec({
    card: (card) => {
      const interfaces = card["supportedInterfaces"] as JsonObject[];
      const apart = interfaces
        .filter(({ protocolBinding }) => protocolBinding === "JSONRPC")
        .map((each) => (each["protocolVersion"] === "0.3" ? { ...each, url: `${older.url}/spec` } : each));
      return { ...card, supportedInterfaces: apart };
    },
  });
  try {
    const found = await check(`${newer.url}/spec`);
    expect({ outcome: found.outcome, differs: subjects(found, "differs"), broken: found.broken }).toEqual({
      outcome: "unknown",
      differs: [],
      broken: [],
    });
    expect(subjects(found, "not-compared")).toContain("task from 1.0");
  } finally {
    await Promise.all([newer.close(0), older.close(0)]);
  }
});

test("an agent that declares only one version cannot be checked", async () => {
  const bed = await startSpec({}, { dialects: ["0.3"] });
  try {
    expect(await check(`${bed.url}/spec`)).toMatchObject({
      outcome: "unknown",
      because: "nothing was compared: the run did not test an older version next to a declared 1.0",
    });
  } finally {
    await bed.close(0);
  }
});

const isSpec = ({ base }: { readonly base: string }): boolean => base === "spec";
const legal = new Set([...hybridVariants.filter(isSpec), ...sampleOf(variants.filter(isSpec), 15)]);

describe("no legal variant is accused", { concurrent: true }, () => {
  test.each([...legal].map((each) => [each.id, each] as const))("%s", async (_, variant) => {
    const bed = await startSpec({}, variant.differs(1));
    try {
      const found = await check(`${bed.url}/spec`);
      expect({ differs: subjects(found, "differs"), broken: found.broken }).toEqual({ differs: [], broken: [] });
    } finally {
      await bed.close(0);
    }
  });
});

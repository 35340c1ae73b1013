import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../agents/index.ts";
import { variants } from "../variants/index.ts";
import { mutants } from "./index.ts";

const families = { mutants, variants };
const folderOf = (family: string) => resolve(import.meta.dirname, "..", family);

describe.each(Object.entries(families))("%s", (family, members) => {
  test("have ids of their own", () => {
    const ids = members.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("are made from agents that exist", () => {
    const paths = agents.map(({ path }) => path);
    expect(members.filter(({ base }) => !paths.includes(base))).toEqual([]);
  });

  test("differ from their base in one place", () => {
    const places = members.map(({ id, differs }) => {
      const { layers = {}, ...declared } = differs(1);
      return [id, Object.keys(layers).length || Object.keys(declared).length];
    });
    // Divergences with several layers, and why. Reporting one error before another needs both, at
    // admission and after it. The 0.1 servers and agents of one kind differ in many ways and are
    // shown whole. An agent declares on its card what it accepts, its addresses, and its version. A
    // missing permission shows in the error and in a header. A permission that depends on the task
    // is checked after admission. The state of a task shows everywhere. A webhook that fails or is slow
    // shows in the task.
    // A repeated generation needs an event that repeats it. So does a task that never waits for progress, and a
    // response that shows a repeated state. A lost response is that of one operation.
    const several = [
      "GEN-004.progress",
      "never-waits-for-progress",
      "submits-twice",
      "loses-answers",
      "only-1.1",
      "ERR-011.bare",
      "task-before-version",
      "rights-after-look-up",
      "late-cancel",
      "js-server-01",
      "python-server-01",
      "data-only",
      "wants-payment",
      "public-v1-card-03",
      "public-v1-card-02",
      "begins-anew-02",
      "TEN-003.only-tenants",
      "TEN-004.only-tenants",
      "short-tasks",
      "long-tasks",
      "asks-back",
      "streams-tasks",
      "notifies",
      "FAULT-005.fails",
      "FAULT-006.waits",
    ];
    expect(places.filter(([id, count]) => count !== 1 && !several.includes(String(id)))).toEqual([]);
  });

  test("say what they do in one sentence", () => {
    expect(members.filter(({ does }) => !/^[A-Z].*[^.]\.$/.test(does)).map(({ id }) => id)).toEqual([]);
  });

  test("are listed, file by file", () => {
    const index = readFileSync(resolve(folderOf(family), "index.ts"), "utf8");
    const listed = [...index.matchAll(/from "\.\/([\w-]+)\.ts"/g)].map(([, name]) => name);
    const holding = readdirSync(folderOf(family))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "index.ts")
      .filter((file) => readFileSync(resolve(folderOf(family), file), "utf8").includes("/definition/divergence.ts"))
      .map((file) => basename(file, ".ts"));
    expect(listed.toSorted()).toEqual(holding.toSorted());
  });
});

// State belongs to one agent: `differs` and `operations` are called again for each.
test.each(["mutants", "variants", "mutation"])("no module of %s keeps state that agents would share", (folder) => {
  const kept = /^(export )?(let|var) |^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)\b|\[\];|\{\};)/;
  const lines = readdirSync(folderOf(folder))
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => readFileSync(resolve(folderOf(folder), file), "utf8").split("\n"));
  expect(lines.filter((line) => kept.test(line))).toEqual([]);
});

describe("the id of a mutant", () => {
  test("is that of a rule, and a word", () => {
    expect(mutants.filter(({ id }) => !/^(V0[123]-)?[A-Z]+-\d{3}\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test("names a rule of the catalogue that a server or its card can break", () => {
    const folder = resolve(import.meta.dirname, "../../../suite/src/rules");
    const files = readdirSync(folder).filter((file) => /^1\.\d+(-draft\d+)?\.yaml$/.test(file));
    const rules = new Map(
      files
        .flatMap((file) =>
          readFileSync(resolve(folder, file), "utf8")
            .split(/^- id: /m)
            .slice(1),
        )
        .map((entry) => [/^\S+/.exec(entry)?.[0], /^ {2}actor: (\w+)/m.exec(entry)?.[1]]),
    );
    const unknown = mutants
      .map(({ id }) => id.split(".")[0]!)
      // Advice of `assay test --faults` has its own table: e2e/proof/faults.test.ts.
      .filter((rule) => !rule.startsWith("V0") && !rule.startsWith("FAULT-"))
      .filter((rule) => !["server", "card"].includes(rules.get(rule) ?? "none"));
    expect(unknown).toEqual([]);
  });
});

test("the mutants touch every layer", () => {
  const touched = new Set(mutants.flatMap(({ differs }) => Object.keys(differs(1).layers ?? {})));
  expect([...touched].sort()).toEqual(["admission", "card", "codec", "events", "grpc", "http", "operations", "push"]);
});

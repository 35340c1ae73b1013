import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourcesOf } from "./sources.fixture.ts";

/** The modules that a run of the suite uses. */
const used = ["protocol", "wire", "suite", "library", "fleet/src/examining", "fleet/src/classes"];

/**
 * One process tests many agents, one after the other (ADR 26), so no module may keep anything of a run. These have
 * state, and it is the same for every agent.
 */
const harmless = [
  "packages/protocol/src/bindings/grpc-reflection.ts: const files",
  "packages/protocol/src/bindings/grpc-reflection.ts: let symbols",
  "packages/suite/src/redaction/redactor.ts: let known",
  // Set only during a synchronous call.
  "packages/wire/src/client/tap.ts: let dispatching",
  "packages/wire/src/client/tap.ts: let watching",
];

/** Variables, and collections that begin empty. The keys of a WeakMap are gone with the run. */
const state = /^(?:export )?(let \w+|const \w+(?=[^=]*= (?:new (?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});))/gm;

test("no module keeps state of a run", () => {
  const found = used
    .flatMap((folder) => sourcesOf(`packages/${folder}${folder.includes("/") ? "" : "/src"}`))
    .filter((file) => !file.includes("/generated/"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(state)].map(([, what]) => `${file}: ${what}`));
  expect(found.sort()).toEqual(harmless);
});

// `npm run prove` and `npm run test:<name>`: what is too much for `npm test`, which tries a sample of each.
// Ends with the line `N passed, N failed`, as `npm test` does.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { postgresReady } from "./postgres.mjs";
import { pythonsReady } from "./python.mjs";
import { redisReady } from "./redis.mjs";
import { build, install, root } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

/** Long tests in these folders have a command of their own. */
const apart = ["stores", "fleet", "fuzz"];
const longTests = readdirSync(join(root, "e2e"), { recursive: true })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".long.test.ts") && !apart.includes(name.split("/")[0]))
  .map((name) => `e2e/${name}`);

const sets = {
  // Every check on every good agent and on the servers of every SDK, every mutant, every variant on every
  // binding, in all surroundings, and the moody agent under ten seeds; every exhibit by every command; every wire over HTTP/2, too.
  prove: {
    title: "proving every check",
    files: [
      "e2e/proof",
      "e2e/surroundings",
      "e2e/gallery",
      "e2e/clients",
      "e2e/auth/credentials.test.ts",
      "e2e/auth/principals.test.ts",
      "e2e/testbed/own-state.test.ts",
      "e2e/testbed/variants.test.ts",
      "e2e/tester/steady.test.ts",
      "e2e/acts/acceptance.test.ts",
      "e2e/docs/commands.test.ts",
      ...longTests,
      "--project=all",
    ],
    also: { title: "every wire over HTTP/2", files: ["--project=HTTP/2"] },
  },
  // Every mutant with all checks: whatever else fails besides its own rule has its reason.
  companions: { title: "looking for wrong companions", files: ["e2e/proof/companions.test.ts"], proves: "companions" },
  // Tens of thousands of malformed requests on each wire, and two thousand malformed answers.
  fuzz: { title: "fuzzing every wire", files: ["e2e/fuzz"] },
  // Clients that want the memory of a test bed that has half a gigabyte of heap.
  memory: { title: "soaking the test bed", files: ["e2e/soak/memory.test.ts"] },
  // A server that is killed fifty times under load on each store, full disks, crashed databases, replicas, and all store tests in PostgreSQL.
  crash: { title: "killing servers and databases", files: ["e2e/stores"], needs: "postgres" },
  // Workers that are killed in the middle of a sweep over 300 agents, queues and ledgers whose server crashes, every exhibit as an agent.
  fleet: { title: "killing workers", files: ["e2e/fleet"], needs: "queues" },
  // The package as it is installed, on every version of Node that it is for.
  package: { title: "installing the package", files: ["e2e/package"] },
  // The ACTS corpus on every agent that is odd within the rules.
  corpus: { title: "running the corpus", files: ["e2e/acts/corpus"] },
};

const set = sets[process.argv[2]];
if (!set) throw new Error(`There is no such set of tests; there are ${Object.keys(sets).join(", ")}.`);
const needs = {
  postgres: postgresReady,
  queues: () => postgresReady() && redisReady(),
};
const pythons = (needs[set.needs] ?? pythonsReady)();
install();
build();
await pythons;
const runs = [set, ...(set.also ? [set.also] : [])].map(({ title, files }) =>
  runTests(title, { files, env: { ASSAY_PROVE: set.proves ?? "all" } }),
);
const sum = (name) => runs.reduce((all, run) => all + run[name], 0);
conclude({
  passed: sum("passed"),
  failed: sum("failed"),
  files: runs.flatMap(({ files }) => files),
  failing: runs.flatMap(({ failing }) => failing),
});

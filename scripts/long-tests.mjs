// `npm run prove` and `npm run test:<name>`: what is too much for `npm test`, which tries a sample of each.
// Ends with the line `N passed, N failed`, as `npm test` does.

import { postgresReady } from "./postgres.mjs";
import { pythonsReady } from "./python.mjs";
import { redisReady } from "./redis.mjs";
import { build, install } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

const sets = {
  // Every check on every good agent and on the servers of every SDK, every mutant, every variant on every
  // binding, in all surroundings, and the moody agent under ten seeds; every exhibit by every command, and as an agent of a fleet;
  // every wire over HTTP/2, too.
  prove: {
    title: "proving every check",
    files: [
      "e2e/proof",
      "e2e/surroundings",
      "e2e/gallery",
      "e2e/fleet",
      "e2e/testbed/variants.test.ts",
      "e2e/tester",
      "e2e/text",
      "e2e/proxy",
      "e2e/matrix",
      "e2e/acts/acceptance.test.ts",
      "e2e/docs/commands.test.ts",
      ".long.test.ts",
      "--project=all",
    ],
    also: { title: "every wire over HTTP/2", files: ["--project=HTTP/2"] },
  },
  // Every mutant with all checks: whatever else fails besides its own rule has its reason.
  companions: { title: "looking for wrong companions", files: ["e2e/proof/companions.test.ts"], proves: "companions" },
  // Tens of thousands of malformed requests on each wire.
  fuzz: { title: "fuzzing every wire", files: ["requests", "grpc", "older"].map((name) => `e2e/fuzz/${name}.test.ts`) },
  // Clients that want the memory of a test bed that has half a gigabyte of heap.
  memory: { title: "soaking the test bed", files: ["e2e/soak/memory.test.ts"] },
  // A server that is killed fifty times under load on each store; a disk that is full, a database that crashes, replicas that are killed and
  // stopped, and hundreds of messages that are sent as soon as a task asks for one.
  crash: {
    title: "killing servers and databases",
    files: ["crash", "full-disk", "database-away", "replicas", "follow-ups"].map(
      (name) => `e2e/stores/${name}.test.ts`,
    ),
    needs: "postgres",
  },
  // Workers that are killed in the middle of a sweep over 300 agents, and a queue's server that crashes, on Redis and PostgreSQL.
  fleet: {
    title: "killing workers",
    files: ["e2e/fleet/killed-workers.test.ts", "e2e/fleet/queues.test.ts"],
    needs: "queues",
  },
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

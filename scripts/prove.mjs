// `npm run prove -- <subject>… [--short]`: proofs that take too long for `npm test`, which tries a sample of each.
// Ends with the line `N passed, N failed`, as `npm test` does. A new proof is a row of the table.

import { filesOfChecks } from "./prove/checks.mjs";
import { lintDeployment } from "./prove/deploy.mjs";
import { fuzzAnswers, fuzzRequests } from "./prove/fuzz.mjs";
import { soak } from "./prove/soak.mjs";
import { build, install } from "./steps.mjs";
import { subjectsIn } from "./subjects.mjs";
import { toolsReady } from "./tools.mjs";
import { conclude, runTests, sumOf } from "./vitest.mjs";

/** The short form of a proof without its own size: as much as `npm test`. */
const sample = { ASSAY_PROVE: "sample" };

/**
 * A row has either `files`, for vitest, or a function `prove`. `env` and `short` are the variables of the long and the
 * short form. Variables of the environment have priority. ASSAY_PROVE decides how much a test tries. A row that `waits`
 * needs little processor time, so it runs beside the others.
 */
const proofs = {
  checks: {
    means: "every check on every agent, SDK server, mutant and variant, on every binding; every wire over HTTP/2",
    takes: "15 min",
    needs: ["browser", "java", "postgres", "python", "redis"],
    async prove(title, options) {
      const others = Object.values(proofs).flatMap(({ files = [] }) => files);
      const overHttp1 = await proveFiles(title, { files: [...filesOfChecks(others), "--project=all"] }, options);
      const overHttp2 = await proveFiles(`${title}, over HTTP/2`, { files: ["--project=HTTP/2"] }, options);
      return sumOf([overHttp1, overHttp2]);
    },
  },
  companions: {
    means: "every mutant with all checks: whatever fails besides its own rule has its reason",
    takes: "15 min (short: 1 min)",
    files: ["e2e/proof/companions"],
    env: { ASSAY_PROVE: "companions" },
    short: sample,
  },
  fuzz: {
    args: "[requests]",
    means: "a million malformed requests over all bindings and versions (short: 175,500)",
    takes: "20 min (short: 3 min)",
    prove: fuzzRequests,
  },
  answers: {
    args: "[--answers n] [--seed n] [--round n]",
    means: "100,000 malformed answers to the tester (short: 2,000)",
    takes: "30 min (short: 1 min)",
    prove: fuzzAnswers,
  },
  corpus: {
    means: "the ACTS corpus on every agent that is unusual within the rules",
    takes: "2 min",
    files: ["e2e/acts/corpus"],
  },
  package: {
    means:
      "the package as it is installed, on every version of Node that it supports; the single file without Node; the file system of the image, started read-only as another user",
    takes: "5 min",
    needs: ["bubblewrap"],
    files: ["e2e/package/"],
  },
  crash: {
    means:
      "servers killed 50 times on each store (short: 10), full disks, database crashes, stopped replicas; all of PostgreSQL",
    takes: "15 min (short: 5 min)",
    needs: ["postgres"],
    files: ["e2e/stores/"],
    short: { ASSAY_KILLS: "10" },
  },
  fleet: {
    means: "workers and queue servers killed in a sweep over 300 agents (short: 60), on Redis and PostgreSQL",
    takes: "10 min (short: 3 min)",
    needs: ["postgres", "redis"],
    files: ["e2e/fleet/"],
    short: { ASSAY_AGENTS: "60" },
  },
  profiles: {
    means: "23 clients measured again, and the forecast on 119 pairs of a client and an agent (short: one client)",
    takes: "20 min (short: 1 min)",
    longNeeds: ["java", "python"],
    files: ["e2e/forecast/"],
    short: sample,
  },
  gateways: {
    means:
      "assay gateway on nginx, HAProxy, Caddy, Apache httpd and planted faults, with settings that repair them; --direct on every variant; LiteLLM, ContextForge and the table of docs/gateways.md (not in the short form)",
    takes: "15 min (short: 5 min)",
    needs: ["gateways"],
    longNeeds: ["pythonGateways"],
    // Most of these tests wait for timeouts, so twelve of them can run at the same time.
    files: ["e2e/gateway/", "--maxConcurrency=12"],
    waits: true,
    short: { ASSAY_PYTHON_GATEWAYS: "no" },
  },
  upgrade: {
    means:
      "assay upgrade: versions that differ in one way, every legal variant (short: a sample), and agents on the JavaScript and Python SDKs that follow the plan",
    takes: "5 min (short: 2 min)",
    needs: ["python"],
    files: ["e2e/upgrade/"],
    short: sample,
  },
  contract: {
    means: "every requirement of the a2a-cli contract, on a good tool and on one that breaks it",
    takes: "6 min (short: 1 min)",
    files: ["e2e/contract/"],
    short: sample,
  },
  soak: {
    args: "[options of docs/soak.md]",
    means: "a server under load for 10 minutes on each store (short: 15 s), and under abuse",
    takes: "50 min (short: 3 min)",
    needs: ["postgres"],
    prove: soak,
  },
  memory: {
    means: "clients that want the memory of a test bed with half a gigabyte of heap",
    takes: "5 min (short: 1 min)",
    files: ["e2e/soak/memory"],
    short: sample,
  },
  deploy: {
    means: "Dockerfile and Kubernetes manifests, by Hadolint and the schemas of Kubernetes",
    takes: "1 min",
    prove: lintDeployment,
  },
};

const proveFiles = (title, { files, env = {}, short = env }, { isShort }) =>
  runTests(title, files, { ASSAY_PROVE: "all", ...(isShort ? short : env), ...process.env });

const { names, args, isGiven } = subjectsIn("prove", proofs, {
  otherwise: ["checks"],
  flags: { "--short": "the short form, where a subject has one", "--all": "every subject" },
});
/** `longNeeds` are tools that only the long form uses. */
const toolsOf = (name) => {
  const { needs = [], longNeeds = [] } = proofs[name];
  return isGiven("--short") ? needs : [...needs, ...longNeeds];
};
await install();
await Promise.all([build(), toolsReady(names.flatMap(toolsOf))]);

async function proven(name) {
  const started = performance.now();
  const { prove = (title, options) => proveFiles(title, proofs[name], options) } = proofs[name];
  const tally = await prove(`proving ${name}`, { args, isShort: isGiven("--short") });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  process.stdout.write(`prove ${name}: ${tally.passed} passed, ${tally.failing.length} failed, ${minutes} min\n`);
  return tally;
}

const [waiting, working] = [true, false].map((waits) =>
  names.filter((name) => (proofs[name].waits ?? false) === waits),
);
const waited = Promise.all(waiting.map(proven));
const tallies = [];
for (const name of working) tallies.push(await proven(name));
tallies.push(...(await waited));
conclude(sumOf(tallies));

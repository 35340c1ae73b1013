// `npm run bench -- <subject>… [arguments]`: runs benchmarks and prints their tables, which docs/performance.md
// contains.
import { basename } from "node:path";
import { compareFiles, compareWith, record, rowsOf, save, sourceNow } from "./bench/results.mjs";
import { build, install, runNode } from "./steps.mjs";
import { subjectsIn } from "./subjects.mjs";
import { withServers } from "./tools.mjs";

/** Runs a program of the workspace bench. Returns true if it succeeded. */
const measure = (program, args, env) =>
  runNode(`measuring: ${program}`, `bench/dist/${program}.js`, args, { mayFail: true, env });

const measureScript = (name, args, env) =>
  runNode(`measuring: ${name}`, `scripts/bench/${name}.mjs`, args, { mayFail: true, env });

const benches = {
  server: {
    args: "[--only text] [--starts n] [--rounds n] [--slice ms]",
    means: "the test bed beside the JavaScript SDK, grpc-js and bare node:http",
    takes: "2 min",
    async run(args, env) {
      // The benchmark also measures the start of the installed package, so build that first.
      await runNode("packing", "scripts/pack.mjs", [], { quiet: true });
      return measure("server", args, env);
    },
  },
  stores: {
    args: "[throughput [--only row] | latency [--only store] | sizes [--only store] [--sizes 1000,1000000]]",
    means: "SQLite and PostgreSQL beside memory and the JavaScript SDK; reads at 100,000 tasks (long: 1,000,000)",
    takes: "1 min 50 s",
    run: stores,
  },
  suite: {
    args: "[agent…]",
    means: "what a conformance run costs, and what rendering its report takes",
    takes: "1 min 50 s",
    run: (args, env) => measure("suite", args, env),
  },
  limit: {
    means: "a quick run on an agent that takes 3 requests a second",
    takes: "1 min",
    run: (_, env) => measure("suite", ["takes 3 requests"], env),
  },
  proxy: {
    args: "[--rounds n] [--slice ms]",
    means: "the judging proxy beside a direct connection to the same agent",
    takes: "45 s",
    run: (args, env) => measure("proxy", args, env),
  },
  fleet: {
    args: "[--agents n] [--workers 1,2,4] [--concurrency n] [--on postgres]",
    means: "agents per minute with 1 and 4 workers (long: 1, 2, 4), and the cost of one agent",
    takes: "1 min",
    run(args, env) {
      const at = args.indexOf("--on");
      const isOnPostgres = at >= 0 && args[at + 1] === "postgres";
      return withServers(["postgres", ...(isOnPostgres ? [] : ["redis"])], async (servers) => {
        if (!servers.BENCH_POSTGRES) return skipped("fleet");
        return measure("fleet/throughput", at < 0 ? args : args.toSpliced(at, 2), { ...env, ...servers });
      });
    },
  },
  night: {
    args: "[queue [--jobs n] | ledger [--verdicts n] | simulation]",
    means: "a night of a million agents: the real queue and ledger at size, the night itself simulated",
    takes: "45 s",
    run: night,
  },
  report: {
    args: "[run.ndjson]",
    means: "making and opening the HTML report of a run, of 2,000 results if none is given",
    takes: "10 s",
    run: (args, env) => measureScript("report", args, env),
  },
  "fleet-report": {
    args: "[agents]",
    means: "making and opening the report and the site of a fleet",
    takes: "15 s",
    run: (args, env) => measureScript("fleet-report", args, env),
  },
  coverage: {
    args: "[agent…]",
    means: "how much Assay examines without configuration, for five kinds of agent (long: eight)",
    takes: "30 s",
    run: (args, env) => measure("coverage", args, env),
  },
};

const subjects = {
  ...benches,
  compare: {
    args: "old.json new.json",
    means: "names the rows of two results that are worse beyond noise; exit code 1 if there is one",
    takes: "1 s",
  },
};

const flags = {
  "--short": "measure fewer rounds and sizes, in about a minute for each subject",
  "--long": "measure more rounds and sizes, for up to 40 minutes",
  "--json <file>": "write the rows to a file (format: docs/performance.md)",
  "--against <file>": "print the rows that fell by more than a fifth against such a file",
  "--record": "write the rows to docs/performance.json, and the tables to the pages that show them",
};

function skipped(name) {
  process.stderr.write(`  ${name}: not measured, because PostgreSQL is missing\n`);
  return true;
}

function stores([part, ...args], env) {
  const programs = { throughput: "stores", latency: "store-latency", sizes: "store-growth" };
  if (part !== undefined && !(part in programs))
    refuse(`Unknown part: ${part}. Use one of ${Object.keys(programs).join(", ")}.`);
  return withServers(["postgres"], async (servers) => {
    let isDone = true;
    for (const name of part === undefined ? Object.keys(programs) : [part]) {
      const ended = await measure(programs[name], args, { ...env, ...servers });
      isDone &&= ended;
    }
    return isDone;
  });
}

async function night([part, ...args], env) {
  const programs = { queue: "queue-at-size", ledger: "ledger-at-size", simulation: "night" };
  if (part !== undefined && !(part in programs))
    refuse(`Unknown part: ${part}. Use one of ${Object.keys(programs).join(", ")}.`);
  const parts = part === undefined ? Object.keys(programs) : [part];
  const needed = { queue: ["postgres", "redis"], ledger: ["postgres"], simulation: [] };
  return withServers([...new Set(parts.flatMap((name) => needed[name]))], async (servers) => {
    let isDone = true;
    for (const name of parts) {
      const isMissing = name === "ledger" && !servers.BENCH_POSTGRES;
      const ended = isMissing ? skipped(name) : await measure(`fleet/${programs[name]}`, args, { ...env, ...servers });
      isDone &&= ended;
    }
    return isDone;
  });
}

function refuse(text) {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

const { names, args, isGiven, givenTo } = subjectsIn("bench", subjects, { otherwise: Object.keys(benches), flags });
const size = isGiven("--short") ? "short" : isGiven("--long") ? "long" : "standard";
if (isGiven("--record") && (args.length > 0 || size === "short"))
  refuse("--record records whole subjects. Remove --short and the arguments.");
if (names.includes("compare") && (names.length > 1 || args.length !== 2))
  refuse("compare needs two files: npm run bench -- compare old.json new.json");

await install();
await build();
if (names[0] === "compare") process.exit((await compareFiles(...args)) ? 0 : 1);

// The running program receives the signal, too. Earlier measurements are kept.
let isInterrupted = false;
process.on("SIGINT", () => {
  isInterrupted = true;
});

const source = sourceNow();
const results = [];
for (const [index, name] of names.entries()) {
  process.stderr.write(`${name}: ${index + 1} of ${names.length}, ${benches[name].takes} in the standard form\n`);
  const { isDone, rows } = await rowsOf(size, (env) => benches[name].run(args, env));
  const words = [name, ...args.map((word) => basename(word)), ...(size === "standard" ? [] : [`--${size}`])];
  const result = { subject: name, command: `npm run bench -- ${words.join(" ")}`, ...source, rows };
  if (rows.length > 0) results.push(result);
  if (!isDone) process.exitCode = 1;
  if (isDone && isGiven("--record") && rows.length > 0) await record([result], Object.keys(benches));
  if (givenTo("--json")) save(givenTo("--json"), results);
  if (isInterrupted) process.exit(130);
}
if (givenTo("--against")) await compareWith(givenTo("--against"), results);

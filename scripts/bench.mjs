// `npm run bench -- <subject>… [arguments]`: measurements. Each prints a table; the docs page of its subject has the results.
import { build, install, runNode } from "./steps.mjs";
import { subjectsIn } from "./subjects.mjs";
import { withServers } from "./tools.mjs";

/** Runs a program of the workspace bench. Its exit code becomes ours. */
async function measure(program, args, env) {
  if (!(await runNode(`measuring: ${program}`, `bench/dist/${program}.js`, args, { mayFail: true, env })))
    process.exitCode = 1;
}

const benches = {
  server: {
    args: "[--only text] [--rounds n]",
    means: "the test bed beside the JavaScript SDK, grpc-js and bare node:http",
    takes: "20 min",
    async run(args) {
      // How fast the installed package starts is part of what is measured.
      await runNode("packing", "scripts/pack.mjs");
      await measure("server", args);
    },
  },
  stores: {
    args: "[--throughput] [--only text]",
    means: "SQLite and PostgreSQL beside memory and the JavaScript SDK; reads at up to a million tasks",
    takes: "40 min",
    run: (args) =>
      withServers(["postgres"], async (env) => {
        const words = args.filter((word) => word !== "--throughput");
        await measure("server", ["--stores", ...words], env);
        if (words.length === args.length) await measure("store-growth", [], env);
      }),
  },
  suite: {
    args: "[agent…]",
    means: "what a conformance run costs, and what rendering its report takes",
    takes: "5 min",
    run: (args) => measure("suite", args),
  },
  proxy: {
    args: "[--rounds n] [--slice ms]",
    means: "the judging proxy beside a direct connection to the same agent",
    takes: "2 min",
    run: (args) => measure("proxy", args),
  },
  fleet: {
    args: "[--agents n] [--workers 1,2,4] [--concurrency n] [--on postgres]",
    means: "agents per minute with 1, 2 and 4 workers, and the cost of one agent",
    takes: "10 min",
    run(args) {
      const at = args.indexOf("--on");
      const isOnPostgres = at >= 0 && args[at + 1] === "postgres";
      return withServers(["postgres", ...(isOnPostgres ? [] : ["redis"])], async (env) => {
        // The ledger needs it.
        if (env.BENCH_POSTGRES) await measure("fleet/throughput", at < 0 ? args : args.toSpliced(at, 2), env);
      });
    },
  },
  night: {
    args: "[queue [--jobs n] | ledger [--verdicts n] | simulation]",
    means: "a night of a million agents: the real queue and ledger at size, the night itself simulated",
    takes: "10 min",
    run: night,
  },
  report: {
    args: "[run.ndjson]",
    means: "making and opening the HTML report of a run, of 2,000 results if none is given",
    takes: "1 min",
    run: (args) => runNode("measuring: report", "scripts/bench/report.mjs", args),
  },
  "fleet-report": {
    args: "[agents]",
    means: "making and opening the report and the site of a fleet of 10,000 agents",
    takes: "5 min",
    run: (args) => runNode("measuring: fleet-report", "scripts/bench/fleet-report.mjs", args),
  },
  coverage: {
    args: "[agent…]",
    means: "how much Assay examines without configuration, for eight kinds of agent",
    takes: "5 min",
    run: (args) => measure("coverage", args),
  },
};

async function night([part, ...args]) {
  const programs = { queue: "queue-at-size", ledger: "ledger-at-size", simulation: "night" };
  if (part !== undefined && !(part in programs)) {
    process.stderr.write(`Unknown part: ${part}. Use one of ${Object.keys(programs).join(", ")}.\n`);
    process.exit(2);
  }
  const parts = part === undefined ? Object.keys(programs) : [part];
  const servers = { queue: ["postgres", "redis"], ledger: ["postgres"], simulation: [] };
  await withServers([...new Set(parts.flatMap((name) => servers[name]))], async (env) => {
    for (const name of parts)
      if (name !== "ledger" || env.BENCH_POSTGRES) await measure(`fleet/${programs[name]}`, args, env);
  });
}

const { names, args } = subjectsIn("bench", benches);
await install();
await build();
for (const name of names) await benches[name].run(args);

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { version } from "@assay/library/version";
import {
  type DriverDescription,
  digestOf,
  isRedUnknown,
  MatrixAssembly,
  type MatrixOptions,
  missingPart,
  type Pairing,
  planOf,
  readDriver,
  resumable,
  runMatrix,
  setUpDriver,
} from "@assay/matrix";
import { fitsGlob } from "@assay/protocol";
import { type ActsFile, readCorpus } from "@assay/scenarios";
import type { MatrixFlags } from "../commands/matrix.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import {
  allDrivers,
  checkNames,
  driverEnvironment,
  driversFolder,
  knownFailures,
  scenariosFile,
} from "../matrix/drivers.ts";
import {
  appendRecord,
  beginRecords,
  filterNames,
  filtersOf,
  keepDocument,
  type MatrixHead,
  recordsIn,
  recordsToResume,
  resumedFlags,
} from "../matrix/record-file.ts";
import { earlierMatrix, matrixTargets, writeMatrixReports } from "../matrix/reports.ts";
import { matrixSummary, progressLine } from "../matrix/view.ts";
import { plural } from "../phrases.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { Screen } from "../terminal/screen.ts";

const defaultTimeScale = 0.2;

/** Runs `assay matrix`: writes a driver, installs drivers, checks one, or tests all of them with each other. */
export async function runMatrixCommand(given: MatrixFlags, screen: Screen): Promise<ExitCode> {
  if (given.initDriver !== undefined) {
    const { initDriver } = await import("../matrix/init-driver.ts");
    return initDriver(given.initDriver === true ? "my-sdk" : given.initDriver, screen);
  }
  const flags = await resumedFlags(given);
  const folder = driversFolder(flags.drivers);
  const env = driverEnvironment(join(folder, "skills.json"), flags.timeScale ?? defaultTimeScale);
  if (flags.checkDriver !== undefined) {
    const { checkDriverCommand } = await import("../matrix/check-driver.ts");
    const [file] = readCorpus([scenariosFile(flags.scenarios, folder)]);
    const own = readDriver(join(folder, "assay"));
    return checkDriverCommand(
      { driver: readDriver(flags.checkDriver), own, file: file!, env, timeout: flags.shutdownTimeout },
      screen,
    );
  }
  const drivers = allDrivers(folder, flags.sdk);
  const names = drivers.map(({ name }) => name);
  checkNames("--client", flags.client, names);
  checkNames("--server", flags.server, names);
  if (flags.setup) return setUp(chosenOf(drivers, flags), flags, screen);
  return run(drivers, env, flags, screen);
}

const chosenOf = (
  drivers: readonly DriverDescription[],
  { client, server }: MatrixFlags,
): readonly DriverDescription[] => {
  const named = [...(client ?? []), ...(server ?? [])];
  return named.length ? drivers.filter(({ name }) => named.includes(name)) : drivers;
};

async function setUp(drivers: readonly DriverDescription[], flags: MatrixFlags, screen: Screen): Promise<ExitCode> {
  const interruption = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    onStop: () => screen.complain("Stopping."),
    unfinished: () => ["the set-up of a driver"],
  });
  let missing = 0;
  try {
    for (const driver of drivers) {
      screen.line(`${driver.name}  ${driver.package} ${driver.version}`);
      const trouble = await setUpDriver(driver, {
        // Package managers get the operator's whole environment, as if the operator ran them.
        env: process.env,
        signal: interruption.signal,
        onStep: (step) => screen.line(`  ${screen.colors.dim(step)}`),
      });
      if (interruption.signal.aborted) return exitCodes.interrupted;
      if (trouble === undefined) screen.line(`  ${screen.colors.green("ready")}`);
      else {
        missing += 1;
        for (const line of trouble.split("\n")) screen.line(`  ${screen.colors.red("✗")} ${line}`);
      }
    }
  } finally {
    interruption.release();
  }
  screen.line();
  screen.line(
    missing
      ? `${plural(missing, "driver")} of ${drivers.length} could not be set up. The matrix uses the others.`
      : `Set up all ${drivers.length} drivers.`,
  );
  return missing === drivers.length ? exitCodes.usage : exitCodes.fine;
}

async function run(
  drivers: readonly DriverDescription[],
  env: MatrixOptions["env"],
  flags: MatrixFlags,
  screen: Screen,
): Promise<ExitCode> {
  const targets = matrixTargets(flags.report ?? []);
  const people = targets.some(({ place }) => place === undefined) ? screen.aside() : screen;
  const before = flags.before === undefined ? undefined : earlierMatrix(flags.before);
  const named = scenariosFile(flags.scenarios, driversFolder(flags.drivers));
  const [file] = readCorpus([named]);
  const scenarios = file!.suites.flatMap(({ tests }) => tests.map(({ id }) => id));
  const known = knownFailures(drivers, scenarios);
  const chosen = choice(flags, file!, drivers);
  const wanted = planOf({ drivers, file: file!, ...chosen });
  if (!wanted.pairings.length) throw new UsageError("No client and server match these filters.", "Remove a filter.");
  const absent = notSetUp(wanted.pairings, env);
  const present: typeof chosen.only = (pairing) =>
    chosen.only(pairing) && !absent.has(pairing.client.name) && !absent.has(pairing.server.name);
  const plan = planOf({ drivers, file: file!, ...chosen, only: present });
  if (absent.size) {
    const hint = `${plural(absent.size, "driver")} not set up: ${[...absent.keys()].join(", ")}.`;
    const named = [...(flags.client ?? []), ...(flags.server ?? [])].some((name) => absent.has(name));
    if (named || !plan.pairings.length) throw new UsageError(hint, "Set up the drivers: assay matrix --setup");
    people.line(`${hint} The matrix uses the others. Set them up with: assay matrix --setup`);
  }
  people.line(
    `${plural(plan.pairings.length, "pair")} of client and server over a binding and version, ${plural(plan.cells, "cell")}`,
  );
  if (flags.list) {
    for (const { id } of plan.pairings) people.line(`  ${id}`);
    return exitCodes.fine;
  }
  const head = headOf(flags, named);
  const work = {
    drivers,
    file: file!,
    suite: { version, scenarios: head.scenarios },
    ...chosen,
    only: present,
    chain: flags.chain !== false,
  };
  const assembly = new MatrixAssembly();
  const earlier =
    flags.resume === undefined ? undefined : await resumed(flags.resume, resumable(work), assembly, people);
  const records = earlier?.file ?? beginRecords(head);
  const interruption = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () =>
      people.complain("Stopping. Run assay matrix --resume to continue. Press Ctrl-C again to stop at once."),
    unfinished: () => ["running pairs (their processes are killed)", "the report"],
  });
  try {
    await runMatrix({
      ...work,
      jobs: flags.jobs ?? availableParallelism() * 2,
      spareBytes: flags.spareMemory * 1024 * 1024,
      env,
      signal: interruption.signal,
      ...(earlier && { done: earlier.done }),
      record: (record) => {
        appendRecord(records, record);
        assembly.add(record);
      },
      onProgress: (progress) => {
        if (progress.event === "ended") people.line(progressLine(progress, people));
      },
    });
  } finally {
    interruption.release();
  }
  const matrix = assembly.document({
    version,
    startedAt: earlier?.startedAt ?? head.startedAt,
    timeScale: head.timeScale,
    drivers,
    absent,
    file: file!,
    known,
    ...partialOf(flags, interruption.signal),
  });
  keepDocument(records, matrix);
  for (const line of matrixSummary(matrix, people)) people.line(line);
  const isUnwritten = writeMatrixReports(targets, matrix, before, screen, people);
  if (interruption.signal.aborted) return exitCodes.interrupted;
  if (isUnwritten) return exitCodes.ours;
  if (!matrix.cells.some(({ outcome }) => outcome === "passed" || outcome === "failed")) return exitCodes.usage;
  return matrix.cells.some(isRedUnknown) || matrix.staleKnownFailures.length ? exitCodes.agent : exitCodes.fine;
}

/** Returns the drivers of the plan whose programs are missing, with the reason. */
function notSetUp(pairings: readonly Pairing[], env: MatrixOptions["env"]): ReadonlyMap<string, string> {
  const drivers = new Map(pairings.flatMap(({ client, server }) => [client, server]).map((each) => [each.name, each]));
  return new Map(
    [...drivers].flatMap(([name, driver]) => {
      const missing = missingPart(driver, env);
      return missing === undefined ? [] : [[name, `not set up: ${missing} is missing`] as const];
    }),
  );
}

/** Applies --client, --server, --binding, --dialect, --scenario and --sdk. */
function choice(
  { client, server, binding, dialect, scenario, sdk }: MatrixFlags,
  { suites }: ActsFile,
  drivers: readonly DriverDescription[],
): Required<Pick<MatrixOptions, "only" | "onlyTests">> {
  const ids = suites.flatMap(({ tests }) => tests.map(({ id }) => id));
  const wrong = scenario?.find((pattern) => !ids.some((id) => fitsGlob(pattern, id)));
  if (wrong !== undefined)
    throw new UsageError(`--scenario ${wrong}: unknown scenario.`, `Scenarios: ${ids.join(", ")}`);
  const own = sdk === undefined ? undefined : drivers.at(-1)?.name;
  return {
    only: (pairing) =>
      (client?.includes(pairing.client.name) ?? true) &&
      (server?.includes(pairing.server.name) ?? true) &&
      (binding?.includes(pairing.binding) ?? true) &&
      (dialect?.includes(pairing.version) ?? true) &&
      (own === undefined || pairing.client.name === own || pairing.server.name === own),
    onlyTests: ({ id }) => scenario?.some((pattern) => fitsGlob(pattern, id)) ?? true,
  };
}

function partialOf(flags: MatrixFlags, { aborted }: AbortSignal): { readonly partial?: string } {
  if (aborted) return { partial: "it was interrupted" };
  const filters = filterNames.filter((name) => flags[name] !== undefined);
  return filters.length
    ? { partial: `only ${filters.map((name) => `--${name} ${[flags[name]].flat().join(",")}`).join(" ")}` }
    : {};
}

const headOf = (flags: MatrixFlags, scenarios: string): MatrixHead => ({
  is: "matrix",
  startedAt: new Date().toISOString(),
  version,
  scenarios: digestOf(readFileSync(scenarios, "utf8")),
  timeScale: flags.timeScale ?? defaultTimeScale,
  filters: filtersOf(flags),
  places: { drivers: driversFolder(flags.drivers), scenarios: resolve(scenarios) },
  ...(flags.chain === false && { chain: false }),
});

interface EarlierSession {
  readonly file: string;
  /** absent if no record can be used: then this is another matrix */
  readonly startedAt?: string;
  /** ids of pairs and relays */
  readonly done: ReadonlySet<string>;
}

/** Reads the records of an earlier session, and adds those that belong to this matrix. */
async function resumed(
  named: string | true,
  usable: ReturnType<typeof resumable>,
  assembly: MatrixAssembly,
  people: Screen,
): Promise<EarlierSession> {
  const file = recordsToResume(named);
  const done = new Set<string>();
  const others = new Set<string>();
  let startedAt: string | undefined;
  for await (const line of recordsIn(file)) {
    if (line.is === "matrix") ({ startedAt } = line);
    else if (!done.has(line.id)) {
      const record = usable(line);
      (record ? done : others).add(line.id);
      if (record) assembly.add(record);
    }
  }
  const unused = [...others].filter((id) => !done.has(id)).length;
  people.line(`${plural(done.size, "record")} of pairs and relays already done, in ${file}`);
  if (unused) people.line(`${plural(unused, "record")} not used: other filters, scenarios, SDKs or version of Assay`);
  return { file, done, ...(done.size && startedAt !== undefined && { startedAt }) };
}

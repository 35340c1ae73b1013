import type { History } from "@assay/history";
import { clientOptions, givenCredentials, parseAddress, program, tokenGetter } from "@assay/library/connection";
import { version } from "@assay/library/version";
import type { AgentAccess, AgentWay, KeptRuns, KnownRuns, Lab, TestbedDocument } from "@assay/web";
import { readableRun } from "../recorded/read-run.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { openRunHistory } from "../recorded/run-history.ts";
import { keptFleets } from "./fleets.ts";
import { loginOf } from "./login.ts";
import { keptMatrices } from "./matrices.ts";
import { type PageOperator, pageTest } from "./page-test.ts";
import { rethrown } from "./rethrown.ts";

/** The way to an agent that the page names, as `assay send` would go. */
const wayTo = (access: AgentAccess): Promise<AgentWay> => readWay(access).catch(rethrown);

async function readWay(access: AgentAccess): Promise<AgentWay> {
  const url = parseAddress(access.url);
  const login = await loginOf(access, tokenGetter(clientOptions([], {})));
  const inAddress = await givenCredentials({}, program, access.url);
  const isGiven = login.headers.some(([name]) => name.toLowerCase() === "authorization");
  return {
    url,
    headers: [...login.headers, ...(isGiven ? [] : inAddress.headers)],
    secrets: [...login.secrets, ...inAddress.secrets],
    connection: clientOptions([url], {}),
  };
}

/** The services that the page uses. */
export function createLab({
  folder = new RunFolder(),
  timeScale,
  matrices = [],
  history,
  operator,
}: {
  readonly folder?: RunFolder;
  /** of the built-in test bed */
  readonly timeScale: number;
  /** files of matrix documents, besides those that are kept */
  readonly matrices?: readonly string[];
  /** where the history is, besides the one that is kept with the recordings */
  readonly history?: string;
  readonly operator?: PageOperator;
}): Lab {
  const known = knownRuns(folder, history);
  const fleets = keptFleets(folder, history);
  let testbed: Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> | undefined;
  return {
    version,
    runs: keptRuns(folder),
    history: known,
    matrices: keptMatrices(matrices),
    fleets,
    test: (wish, signal) => pageTest(wish, folder, signal, operator),
    reach: wayTo,
    async testbed() {
      testbed ??= startTestbed(timeScale);
      return (await testbed).told;
    },
    async close() {
      await (await testbed)?.close();
      await known.close();
      await fleets.close();
    },
  };
}

/** The history beside the recordings, or the one that was named; opened when it is first asked for, and none where it cannot be had. */
function knownRuns(folder: RunFolder, given: string | undefined): KnownRuns & { close(): Promise<void> } {
  let opened: Promise<History | undefined> | undefined;
  const history = async (): Promise<History | undefined> => {
    opened ??= openRunHistory(folder, given);
    const found = await opened;
    // There is none before the first run.
    if (!found) opened = undefined;
    return found;
  };
  return {
    list: async () => (await history())?.runs() ?? [],
    report: async (run) => (await history())?.report(run),
    close: async () => (await opened)?.close(),
  };
}

export const keptRuns = (folder: RunFolder): KeptRuns => ({
  list: () => folder.list(),
  read: (run) => readableRun(folder.eventsOf(run)),
});

async function startTestbed(timeScale: number): Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> {
  const agents = await import("@assay/agents");
  const testbed = await agents.startTestbed({ host: "127.0.0.1", port: 0, version, timeScale });
  const { mutants } = await testbed.families();
  return {
    told: {
      url: testbed.url,
      agents: testbed.agents.map(({ path, name, description }) => ({ path, name, description })),
      mutants: mutants.map(({ id, does }) => ({ id, does })),
    },
    close: () => testbed.close(500),
  };
}

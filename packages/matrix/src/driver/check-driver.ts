import { createEgressGuard, createHttpClient, discoverCard } from "@assay/wire";
import { offers } from "../running/narrowed-card.ts";
import { ClientDriver, DriverDied, driverOps } from "./client-driver.ts";
import type { DriverDescription } from "./description.ts";
import { ServerDriver } from "./server-driver.ts";

/** One requirement of docs/drivers.md, and its result. */
export interface DriverFinding {
  readonly what: string;
  /** the problem and what to do; absent if it is fulfilled */
  readonly trouble?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks everything about a driver that needs no peer. */
export async function* checkDriver(driver: DriverDescription, env: Environment): AsyncGenerator<DriverFinding, void> {
  yield { what: `driver.yaml is complete: ${driver.package} ${driver.version}, ${driver.language}` };
  if (driver.client) yield* checkClient(driver, env);
  else yield { what: "it has no client, which is allowed" };
  if (driver.server) yield* checkServer(driver, env);
  else yield { what: "it has no server, which is allowed" };
}

const finding = (what: string, trouble: string | undefined): DriverFinding => ({
  what,
  ...(trouble !== undefined && { trouble }),
});

async function* checkClient(driver: DriverDescription, env: Environment): AsyncGenerator<DriverFinding, void> {
  const what = "the client starts and reports its package";
  let client: ClientDriver;
  try {
    client = await ClientDriver.start(driver, env);
  } catch (error) {
    yield finding(what, troubleOf(error));
    return;
  }
  yield finding(what, undefined);
  const [version, [binding = "JSONRPC"] = []] = Object.entries(driver.client!.speaks)[0] ?? ["1.0", []];
  // A port that is never assigned: reading a card there must fail.
  const target = { card: "http://127.0.0.1:9/nothing", binding, version: version as "1.0" | "0.3", headers: {} };
  const ask = (op: string) =>
    client.ask({ op: op as (typeof driverOps)[number], target, params: {}, timeoutMs: 10_000 });
  try {
    const nothing = await ask("card");
    yield finding(
      "a missing card is an error of kind transport",
      nothing.error?.kind === "transport" ? undefined : `it answered ${JSON.stringify(nothing)}`,
    );
    const strange = await ask("no-such-op");
    yield finding(
      "an unknown op is an error, not silence",
      strange.error ? undefined : `it answered ${JSON.stringify(strange)}`,
    );
    client.writeLine("this is not JSON");
    const after = await ask("card");
    yield finding(
      "it survives a line that is not JSON and keeps answering",
      after.error ? undefined : `it answered ${JSON.stringify(after)}`,
    );
    const all = await Promise.all(driverOps.map(async (op) => [op, await ask(op)] as const));
    const silent = all.filter(([, answer]) => answer.late).map(([op]) => op);
    yield finding(
      `it answers every op, several at a time (${driverOps.join(", ")})`,
      silent.length ? `no answer for ${silent.join(", ")} within 10 s` : undefined,
    );
  } catch (error) {
    yield finding("it survives every request", troubleOf(error));
  }
  yield finding("it exits when its stdin closes", (await client.endsBySelf()) ? undefined : "it had to be killed");
}

async function* checkServer(driver: DriverDescription, env: Environment): AsyncGenerator<DriverFinding, void> {
  const what = "the server starts, on 127.0.0.1, with the agents echo and spec";
  let server: ServerDriver;
  try {
    server = await ServerDriver.start(driver, env);
  } catch (error) {
    yield finding(what, troubleOf(error));
    return;
  }
  yield finding(what, undefined);
  const http = createHttpClient({ guard: createEgressGuard({ trustedHosts: ["127.0.0.1"], allowLoopback: true }) });
  try {
    for (const [agent, url] of Object.entries(server.agents)) {
      const { found } = await discoverCard(http, url, []);
      const claimed = Object.entries(driver.server!.speaks).flatMap(([version, bindings]) =>
        bindings.map((binding) => ({ binding, version: version as "1.0" | "0.3" })),
      );
      const card = found?.json;
      const missing =
        card === undefined
          ? "there is no card at its well-known path"
          : /03$/.test(agent) || server.agents[`${agent}03`]
            ? undefined
            : claimed
                .filter((each) => !offers(card, each))
                .map(({ binding, version }) => `${binding} ${version}`)
                .join(", ") || undefined;
      yield finding(
        `the card of ${agent} declares what driver.yaml claims`,
        missing && card ? `it does not declare ${missing}` : missing,
      );
    }
  } finally {
    await http.close();
  }
  yield finding("it exits when its stdin closes", (await server.endsBySelf()) ? undefined : "it had to be killed");
}

const troubleOf = (error: unknown): string => {
  if (!(error instanceof DriverDied)) throw error;
  return `${error.message}${error.stderr === "" ? "" : `\n${error.stderr.trim()}`}`;
};

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FleetJob, type FleetVerdict, openLedger, openQueue } from "@assay/fleet";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { type Assay, startWorker } from "./processes.fixture.ts";
import { hasRedis, startRedis } from "./redis.fixture.ts";

/** What someone gets who can write to the queue of workers, or to their ledger: no secret of theirs. */

const folder = mkdtempSync(join(tmpdir(), "assay-queue-attacks-"));
const secretFile = join(folder, "secret");
let redis: Awaited<ReturnType<typeof startRedis>>;
const servers: Server[] = [];

interface RecordingServer {
  readonly url: string;
  readonly host: string;
  /** every request, with a Basic login in clear */
  readonly heard: string[];
}

/** A server that writes down what it is shown. */
async function ear(): Promise<RecordingServer> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    const login = authorization.replace(/^Basic (.*)/, (_, pair) => Buffer.from(pair, "base64").toString());
    heard.push(`${request.url} ${login} ${JSON.stringify(request.headers)}`);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  servers.push(server);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, heard };
}

let [evil, good]: RecordingServer[] = [];
beforeAll(async () => {
  writeFileSync(secretFile, "s3cret-of-the-file");
  if (hasRedis) redis = await startRedis();
});
beforeEach(async () => {
  [evil, good] = [await ear(), await ear()];
});
afterAll(async () => {
  for (const server of servers) server.close();
  await redis?.close();
  rmSync(folder, { recursive: true, force: true });
});

const agent = (name: string, url: string, more: object = {}): FleetJob["agent"] => ({
  ...{ name, url, labels: [], depth: "free", mayMessage: false, ...more },
});

/** A worker that takes what is in queue and ledger, and ends; what it came to. */
async function worked(
  given: { readonly queued: readonly unknown[]; readonly planned?: readonly FleetJob[] },
  ...flags: readonly string[]
): Promise<{ readonly worker: Assay; readonly verdicts: readonly FleetVerdict[] }> {
  const history = `sqlite:${join(mkdtempSync(join(folder, "history-")), "history.db")}`;
  const shared = { queue: await redis.newDatabase(), history };
  const ledger = await openLedger(history);
  const queue = await openQueue(shared.queue);
  onTestFinished(async () => {
    await Promise.all([ledger.close(), queue.close()]);
  });
  await ledger.begin({ sweep: "sweep-1", fleet: "bed", startedAt: new Date().toISOString(), agents: 1 });
  await ledger.plan("sweep-1", given.planned ?? []);
  // As whoever can write to the queue would put them there: with whatever in them.
  await queue.add(given.queued as never);
  const haste = ["--allow-host", "127.0.0.1", "--attempts", "1", "--host-rate", "100", "--until-empty"];
  const worker = startWorker(shared, ...haste, ...flags);
  onTestFinished(() => worker.kill("SIGKILL"));
  expect(await worker.ended, worker.said()).toBe(0);
  return { worker, verdicts: await ledger.verdicts("sweep-1") };
}

const secrets = /a-token|s3cret/;

describe.runIf(hasRedis)("attacks on the queue and the ledger", () => {
  const queued = (...names: readonly string[]) => names.map((name) => ({ sweep: "sweep-1", agent: name }));
  const planned = (...agents: readonly FleetJob["agent"][]) =>
    agents.map((each) => ({ sweep: "sweep-1", agent: each }));

  test("a forged job gets no secret of a worker and makes it call no address", async () => {
    const { worker, verdicts } = await worked({
      queued: [
        { sweep: "sweep-1", agent: agent("a", evil!.url, { login: { bearer: "env:E2E_TOKEN" } }) },
        { sweep: "sweep-x", agent: agent("b", evil!.url, { login: { basic: `x:@${secretFile}` } }) },
        { sweep: "sweep-1", agent: "c", url: evil!.url, login: { bearer: "env:E2E_TOKEN" } },
      ],
    });
    expect([evil!.heard, verdicts]).toEqual([[], []]);
    expect(worker.lines.filter(({ event }) => event === "dropped")).toHaveLength(1);
    expect(worker.lines).toContainEqual(expect.objectContaining({ event: "end", dropped: 3 }));
    expect(worker.said()).not.toMatch(secrets);
  });

  testIf(provesAll)("a forged ledger entry gets no secret that the operator did not list for its address", async () => {
    const to = `env:E2E_TOKEN@${good!.host}`;
    const jobs = planned(
      agent("unlisted", good!.url, { login: { basic: `x:@${secretFile}` } }),
      agent("elsewhere", evil!.url, { login: { bearer: "env:E2E_TOKEN" } }),
      agent("card elsewhere", good!.url, { card: `${evil!.url}/card`, login: { bearer: "env:E2E_TOKEN" } }),
      agent("token elsewhere", good!.url, {
        login: { oauthClient: "me:env:E2E_TOKEN", tokenUrl: `${evil!.url}/token` },
      }),
      agent("a header", evil!.url, { login: { header: ["X-Key:env:E2E_TOKEN"] } }),
      agent("a certificate", evil!.url, { login: { cert: secretFile, key: secretFile } }),
    );
    const { worker, verdicts } = await worked(
      { queued: queued(...jobs.map((job) => job.agent.name)), planned: jobs },
      ...["--allow-secret", to],
    );
    expect([...evil!.heard, ...good!.heard].filter((line) => secrets.test(line))).toEqual([]);
    expect(verdicts.map(({ class: is, reason }) => [is, reason.code])).toEqual(
      jobs.map(() => ["not-examined", "credential-missing"]),
    );
    const said = new Map(verdicts.map((verdict) => [verdict.agent, verdict.reason.message]));
    expect(said.get("unlisted")).toContain(`--allow-secret @${secretFile}@${good!.host}`);
    expect(said.get("elsewhere")).toContain(`--allow-secret env:E2E_TOKEN@${evil!.host}`);
    expect(worker.said()).not.toMatch(/s3cret-of|a-token/);
  });

  testIf(provesAll)("a forged ledger entry cannot claim an entry of the worker's secrets file", async () => {
    const file = join(folder, "secrets.yaml");
    writeFileSync(
      file,
      `maps: { host: "${good!.host}", bearer: env:E2E_TOKEN }\n${good!.url}/weather: { basic: "x:@${secretFile}" }\n`,
    );
    const jobs = planned(
      agent("maps", evil!.url),
      agent(`${good!.url}/weather`, evil!.url),
      agent("weather", `${good!.url}/weather`, { card: `${evil!.url}/card` }),
      agent("mine", `${good!.url}/weather`),
    );
    const names = jobs.map((job) => job.agent.name);
    const { verdicts } = await worked({ queued: queued(...names), planned: jobs }, "--secrets", file);
    expect(evil!.heard).toEqual([]);
    expect(good!.heard.filter((line) => line.includes("x:s3cret-of-the-file"))).not.toEqual([]);
    const classes = new Map(verdicts.map((verdict) => [verdict.agent, verdict.reason.code]));
    expect(names.map((name) => classes.get(name))).toEqual([
      "credential-missing",
      "credential-missing",
      "credential-missing",
      "login-not-accepted",
    ]);
  });

  testIf(provesAll)("a worker sends a listed secret to its address", async () => {
    const jobs = planned(agent("good", good!.url, { login: { bearer: "env:E2E_TOKEN" } }));
    await worked({ queued: queued("good"), planned: jobs }, "--allow-secret", `env:E2E_TOKEN@${good!.host}`);
    expect(good!.heard.some((line) => line.includes("Bearer a-token"))).toBe(true);
  });
});

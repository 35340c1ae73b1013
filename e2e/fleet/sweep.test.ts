import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openLedger } from "@assay/fleet";
import { expect, onTestFinished, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { listOf, sweeping } from "./fleet.fixture.ts";

// The command itself: processes for agents, a ledger on disk, a sweep that goes on where it was cut off.

/** A server of agents that answer 404 where their cards lead; `delay` makes each take its time. */
async function startAgents(
  delay = 0,
): Promise<{ url: string; asked: string[]; logins: string[]; fails: (now: boolean) => void }> {
  const asked: string[] = [];
  const logins: string[] = [];
  let isBroken = false;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === "/hook") {
      request.on("data", (body) => asked.push(String(body))).on("end", () => response.end());
      return;
    }
    asked.push(path);
    logins.push(request.headers.authorization ?? "none");
    setTimeout(() => {
      const isClosed = !isBroken && path.endsWith("agent-card.json");
      response.writeHead(isClosed ? 401 : 404).end();
    }, delay);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    logins,
    fails: (now) => {
      isBroken = now;
    },
  };
}

const classesIn = async (folder: string): Promise<string[][]> => {
  const ledger = await openLedger(`sqlite:${join(folder, ".assay/history.db")}`);
  const sweeps = await ledger.sweeps("bed");
  const told = await Promise.all(
    sweeps.map(async ({ sweep, endedAt }) => [
      endedAt === undefined ? "open" : "ended",
      ...(await ledger.verdicts(sweep)).map(({ agent, class: named }) => `${agent} ${named}`).sort(),
    ]),
  );
  await ledger.close();
  return told;
};

test("below a sweep, each reason has its fix once, and its agents", async () => {
  const folder = listOf(["one", "two"].map((name) => ({ url: `http://127.0.0.2:9/${name}`, name })));
  const { exit, out } = await sweeping(folder).ended;
  expect(exit).toBe(2);
  expect(out).toMatch(/^refused-by-guard \(guard-agent\): (one, two|two, one)\n {2}fix {3}.*--allow-private/m);
  expect(out.match(/--allow-private/g)).toHaveLength(1);
});

testIf(provesAll)(
  "--only examines one agent again; the others keep their verdicts, and an unknown name is refused",
  async () => {
    const { url, asked } = await startAgents();
    const folder = listOf(["maps", "weather"].map((name) => ({ url: `${url}/${name}`, name })));
    const unknown = await sweeping(folder, "--only", "wether").ended;
    expect([unknown.exit, unknown.err, asked]).toEqual([2, expect.stringContaining("Did you mean weather?"), []]);
    await sweeping(folder, "--only", "weather").ended;
    expect(await classesIn(folder)).toEqual([["ended", "maps not-examined", "weather login-required"]]);
    expect(asked.filter((path) => path.startsWith("/maps"))).toEqual([]);
    asked.length = 0;
    const { exit, out } = await sweeping(folder, "--only", "maps").ended;
    expect([exit, out]).toEqual([0, expect.stringContaining("bed: 1 agent: login-required 1")]);
    expect(asked.filter((path) => path.startsWith("/weather"))).toEqual([]);
    const [last] = await classesIn(folder);
    expect(last).toEqual(["ended", "maps login-required", "weather login-required"]);
  },
);

testIf(provesAll)(
  "a sweep ends with one verdict for every agent; what became worse ends it with 1, and is told",
  async () => {
    const { url, asked, fails } = await startAgents();
    const folder = listOf([
      { url, name: "closed" },
      { url: `${url}/left`, name: "left", optOut: "by mail" },
    ]);
    const first = await sweeping(folder).ended;
    expect([first.exit, first.err]).toEqual([0, ""]);
    expect(await classesIn(folder)).toEqual([["ended", "closed login-required", "left opted-out"]]);
    expect(asked.filter((path) => path.startsWith("/left"))).toEqual([]);
    fails(true);
    const second = await sweeping(folder, "--json", "--webhook", `${url}/hook`).ended;
    expect([second.exit, second.err]).toEqual([1, ""]);
    expect(JSON.parse(second.out)).toMatchObject({ fleet: "bed", agents: 2, regressions: [{ agent: "closed" }] });
    expect(JSON.parse(asked.at(-1)!)).toMatchObject({
      event: "fleet-regressions",
      regressions: [{ agent: "closed", before: { class: "login-required" }, now: { class: "endpoint-missing" } }],
    });
  },
);

test("a list of one's own logs in with files of its folder, and with no other file; where secrets go is said", async () => {
  const { url, logins } = await startAgents();
  const folder = listOf([
    { url, name: "inside", login: { bearer: "@token" } },
    { url: `${url}/b`, name: "outside", login: { bearer: "@/etc/hostname" } },
  ]);
  writeFileSync(join(folder, "token"), "a-token");
  const { err, out } = await sweeping(folder).ended;
  // robots.txt is asked for without a login.
  expect(new Set(logins)).toEqual(new Set(["none", "Bearer a-token"]));
  expect(err).toContain(`agents.yaml sends @token to ${new URL(url).host}`);
  expect(out).toContain(`Add --allow-secret @/etc/hostname@${new URL(url).host}`);
  expect(await classesIn(folder)).toEqual([["ended", "inside login-required", "outside not-examined"]]);
});

testIf(provesAll)("a sweep that was killed goes on with the rest, and no agent is asked twice", async () => {
  const { url, asked } = await startAgents(150);
  const names = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
  const folder = listOf(names.map((name) => ({ url: `${url}/${name}`, name })));
  const cut = sweeping(folder, "--concurrency", "2", "--host-concurrency", "2");
  let settled = 0;
  await new Promise<void>((resolve) => {
    cut.child.stdout!.on("data", (lines) => {
      settled += String(lines).split("login-required").length - 1;
      if (settled >= 3) resolve();
    });
  });
  cut.child.kill("SIGKILL");
  await cut.ended;
  const [[state, ...before] = []] = await classesIn(folder);
  expect(state).toBe("open");
  const requests = asked.length;
  const { exit } = await sweeping(folder).ended;
  expect(exit).toBe(0);
  expect(await classesIn(folder)).toEqual([["ended", ...names.map((name) => `${name} login-required`)]]);
  const again = asked.slice(requests);
  expect(before.filter((line) => again.some((path) => path.startsWith(`/${line.split(" ")[0]}/`)))).toEqual([]);
});

testIf(provesAll)("Ctrl-C leaves what is settled, and says 130", async () => {
  const { url } = await startAgents(10_000);
  const folder = listOf([
    { url: `${url}/a`, name: "slow" },
    { url, name: "left", optOut: true },
  ]);
  const { child, ended } = sweeping(folder);
  await new Promise<void>((resolve) => {
    child.stdout!.once("data", () => resolve());
  });
  child.kill("SIGINT");
  expect((await ended).exit).toBe(130);
  expect(await classesIn(folder)).toEqual([["open", "left opted-out"]]);
});

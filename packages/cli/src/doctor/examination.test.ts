import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunFolder } from "@assay/library/runs";
import { expect, test } from "vitest";
import { examineMachine, runFolder } from "../actions/doctor.ts";
import { paperScreen } from "../screen.fixture.ts";
import { certificates, type Machine, node, optional, ports, proxies, sqlite } from "./examination.ts";

const healthy: Machine = {
  env: {},
  nodeVersion: "22.20.0",
  find: async () => true,
  listen: async () => {},
  read: () => "-----BEGIN CERTIFICATE-----",
};
const refusing = (code: string, only?: number) => async (port: number) => {
  if (only === undefined || port === only) throw Object.assign(new Error(code), { code });
};

test.each([
  ["20.18.3", "broken"],
  ["18.20.0", "broken"],
  ["20.19.0", "works"],
  ["24.1.0", "works"],
])("Node %s: %s", (nodeVersion, status) => {
  expect(node({ ...healthy, nodeVersion })).toMatchObject({ status });
});

test("a port in use limits one command, a refused loopback breaks all", async () => {
  const [loopback, serve] = await ports({ ...healthy, listen: refusing("EADDRINUSE", 4040) });
  expect([loopback, serve]).toMatchObject([
    { status: "works" },
    { name: "Port 4040", status: "missing", says: "in use, needed for assay serve", fix: "assay serve … --port 0" },
  ]);
  expect(await ports({ ...healthy, listen: refusing("EACCES") })).toMatchObject([
    { status: "broken", says: "Assay cannot listen on 127.0.0.1: permission denied" },
    { status: "missing" },
    { status: "missing" },
    { status: "missing" },
  ]);
});

test("a missing package comes with the command that installs it, and only that one", async () => {
  const parts = await optional({ ...healthy, find: async (name) => name !== "ioredis" });
  expect(parts.filter(({ status }) => status === "missing")).toMatchObject([
    { name: "Redis", fix: "npm install ioredis" },
  ]);
});

test.each([
  ["node:sqlite", "works"],
  ["libsql", "works"],
  ["neither", "missing"],
])("SQLite from %s: %s", async (there, status) => {
  expect(await sqlite({ ...healthy, find: async (name) => name === there })).toMatchObject({ status });
});

test.each([
  [{}, "works", /none set/],
  [{ https_proxy: "proxy.example:3128" }, "works", /^http:\/\/proxy\.example:3128, for/],
  [{ HTTP_PROXY: "http://ann:geheim@proxy.example" }, "works", /^http:\/\/proxy\.example with a login/],
  [{ HTTP_PROXY: "socks5://proxy.example:1080" }, "broken", /is not an HTTP proxy/],
  [{ HTTP_PROXY: "http://ann:geheim@pro xy" }, "broken", /^is not a valid address$/],
] as const)("proxy %o: %s, and no password is shown", (env, status, says) => {
  const [proxy] = proxies({ ...healthy, env });
  expect(proxy).toMatchObject({ status, says: expect.stringMatching(says) });
  expect(JSON.stringify(proxy)).not.toContain("geheim");
});

test.each([
  [{}, () => "", "works"],
  [{ NODE_EXTRA_CA_CERTS: "ca.pem" }, healthy.read, "works"],
  [{ NODE_EXTRA_CA_CERTS: "ca.pem" }, () => "a text", "missing"],
  [
    { NODE_EXTRA_CA_CERTS: "gone.pem" },
    () => {
      throw new Error("ENOENT");
    },
    "missing",
  ],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, () => "", "works"],
])("certificates with %o", (env, read, status) => {
  expect(certificates({ ...healthy, env, read })).toMatchObject([{ status }]);
});

test("the command exits with 0 if all that Assay needs works, otherwise with 1 and the fix", async () => {
  const screen = paperScreen();
  expect(await examineMachine({}, screen, healthy)).toBe(0);
  expect(screen.out()).toMatch(/✓ Self-test +Assay tested an agent of its own/);
  expect(screen.out()).toContain("Assay works here.");

  const json = paperScreen();
  const old = { ...healthy, nodeVersion: "18.20.0", find: async () => false };
  const selfTest = async () => ({ name: "Self-test", status: "works", says: "skipped" }) as const;
  expect(await examineMachine({ json: true }, json, old, selfTest)).toBe(1);
  const { works, checks } = JSON.parse(json.out());
  expect([works, checks[0]]).toMatchObject([
    false,
    { name: "Node", status: "broken", fix: expect.stringContaining("nvm install") },
  ]);
});

test("a file where the folder for recordings belongs is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-doctor-"));
  const runs = new RunFolder(join(folder, ".assay"));
  expect(runFolder(runs)).toMatchObject({ status: "works" });
  writeFileSync(join(folder, ".assay"), "");
  expect(runFolder(runs)).toMatchObject({ status: "missing", says: expect.stringContaining(".assay is not a folder") });
});

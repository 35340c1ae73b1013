import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveTestbed } from "@assay/library";
import { expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-card-diff-"));

function fileOf(name: string, card: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(card));
  return file;
}

const card = {
  name: "Tides",
  description: "Tells tides.",
  version: "1.0.0",
  supportedInterfaces: [
    { url: "https://tides.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://tides.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "tide", name: "Tide", description: "Tells the tide.", tags: ["sea"] }],
};
const old = fileOf("old.json", card);
const renamed = fileOf("renamed.json", { ...card, name: "Sea" });
const broken = fileOf("broken.json", {
  ...card,
  supportedInterfaces: card.supportedInterfaces.slice(0, 1),
  skills: [{ ...card.skills[0], id: "tides" }],
});

async function diff(...args: readonly string[]) {
  const screen = paperScreen();
  const code = await run(["card", "diff", ...args], screen);
  return { code, out: screen.out(), complaint: screen.err() };
}

test("breaking changes come with the clients they affect, and fail the command", async () => {
  const { code, out } = await diff(old, broken);
  expect(code).toBe(1);
  expect(out).toContain(`✗ breaking  The card no longer offers protocol version 0.3.  version-dropped
  at $.supportedInterfaces
  affects clients that speak only 0.3
  measured `);
  expect(out).toMatch(/^ {2}measured .*JavaScript SDK 0\.3/m);
  expect(out).toContain(`✗ breaking  The skill "tide" ("Tide") has the new id "tides".  skill-id-changed
  at $.skills
  affects clients and registries that select the skill "tide"

2 breaking, 0 risky, 0 compatible
`);
});

test("--fail-on decides what fails", async () => {
  expect((await diff(old, renamed)).code).toBe(0);
  expect((await diff(old, renamed, "--fail-on", "risky")).code).toBe(1);
  expect((await diff(old, broken, "--fail-on", "never")).code).toBe(0);
});

test("JSON has every change with its code", async () => {
  const { code, out } = await diff(old, renamed, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    old,
    new: renamed,
    counts: { breaking: 0, risky: 1, compatible: 0 },
    changes: [
      {
        code: "name-changed",
        effect: "risky",
        path: "$.name",
        message: 'The name was "Tides" and is now "Sea".',
        affects: "clients and registries that find the agent by its name",
      },
    ],
  });
});

test("an agent is compared with itself, and with a file", async () => {
  const bed = await serveTestbed();
  try {
    const agent = `${bed.url}/spec`;
    expect(await diff(agent, agent)).toMatchObject({ code: 0, out: "✓ The cards mean the same.\n" });
    expect((await diff(old, agent)).out).toContain("name-changed");
  } finally {
    await bed.close();
  }
});

test("a missing or unreadable card is wrong usage", async () => {
  const missing = join(folder, "missing.json");
  expect(await diff(old, missing)).toMatchObject({ code: 2, complaint: expect.stringContaining("file not found") });
  const list = fileOf("list.json", []);
  expect(await diff(list, old)).toMatchObject({ code: 2, complaint: expect.stringContaining("not a JSON object") });
  const other = fileOf("other.json", { hello: "world" });
  expect(await diff(other, old)).toMatchObject({
    code: 2,
    complaint: expect.stringContaining(`Cannot compare ${other}`),
  });
});

test("credentials never go to two hosts", async () => {
  const { code, complaint } = await diff("http://127.0.0.1:1", "http://127.0.0.1:2", "--header", "X-Key: secret");
  expect(code).toBe(2);
  expect(complaint).toContain("Credentials go to one host");
});

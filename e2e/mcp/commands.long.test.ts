import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";
import { startMcpProcess } from "./mcp-client.fixture.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython && !toolsArePromised) console.warn("not tested: the faulty agent (needs python3)");

/** The planted faults of faulty-agent/agent.py: the rule that a test names first, and the repair. */
const faults = {
  "CARD-022": ['            "examples": [', '            "tags": ["text"],\n            "examples": ['],
  "JSONRPC-004": ['"id": str(request.get("id"))', '"id": request.get("id")'],
  "GET-002": [
    'raise RpcError(-32603, f"No task {task_id}")',
    'raise RpcError(-32001, f"No task {task_id}", "TASK_NOT_FOUND")',
  ],
} as const;

test.skipIf(!hasPython && !toolsArePromised)(
  "the planted faults of the small agent are found, and once they are fixed it is conformant",
  async () => {
    const { call } = await startMcpProcess(["--allow-commands"]);
    const file = join(mkdtempSync(join(tmpdir(), "assay-faulty-")), "agent.py");
    let source = readFileSync("e2e/mcp/faulty-agent/agent.py", "utf8");
    const tested = async () => {
      writeFileSync(file, source);
      const port = await freePort();
      const given = { url: `http://127.0.0.1:${port}`, start: `python3 "${file}" ${port}`, limit: 20 };
      return (await call("test_agent", given)).value;
    };
    for (const [rule, [fault, repair]] of Object.entries(faults)) {
      const { outcome, fix_first } = await tested();
      const named = fix_first.flatMap((each: { rule: string; also_breaks?: string[] }) => [
        each.rule,
        ...(each.also_breaks ?? []),
      ]);
      expect([outcome, named]).toEqual(["not-conformant", expect.arrayContaining([rule])]);
      expect(source).toContain(fault);
      source = source.replace(fault, repair);
    }
    expect(await tested()).toMatchObject({ outcome: "conformant", failures: 0 });
  },
);

test("an agent that ends at once is reported with its output, marked as untrusted", async () => {
  const { call } = await startMcpProcess(["--allow-commands"]);
  const start = `"${process.execPath}" -e "console.error('no such model'); process.exit(3)"`;
  const { value } = await call("test_agent", { url: `http://127.0.0.1:${await freePort()}`, start });
  expect(value).toMatchObject({
    outcome: "inconclusive",
    agent_output: { untrusted: expect.stringContaining("no such model") },
  });
});

test("a client is tested by its command", async () => {
  const { call } = await startMcpProcess(["--allow-commands"]);
  const { value } = await call("test_client", {
    command: [process.execPath, "-e", "process.exitCode = 75"],
    situations: ["send"],
  });
  expect(value).toMatchObject({ outcome: "inconclusive", messages_sent: 0 });
  const unknown = await call("test_client", { command: ["true"], situations: ["no-such-situation"] });
  expect(unknown.isError).toBe(true);
});

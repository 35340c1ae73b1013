import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { MatrixDocument } from "@assay/matrix";
import { expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";

const execute = promisify(execFile);
const assay = (...args: string[]) =>
  execute(process.execPath, ["packages/cli/bin/assay.js", "matrix", ...args], { env: { ...process.env, CI: "1" } });

test("the driver to start from is complete and passes as it is, and is never overwritten", async () => {
  const home = mkdtempSync(join(tmpdir(), "assay-init-driver-"));
  try {
    const folder = join(home, "my-first-driver");
    const { stdout } = await assay("--init-driver", folder);
    expect(stdout).toContain(`Wrote ${join(folder, "client.mjs")}`);
    // The exit code is 2 if nothing ran, and 1 if it failed.
    const pair = ["--client", "my-first-driver", "--server", "assay", "--scenario", "echo-send-message"];
    await assay("--sdk", folder, ...pair, "--no-chain", "--report", `json=${join(home, "matrix.json")}`);
    const { cells } = JSON.parse(readFileSync(join(home, "matrix.json"), "utf8")) as MatrixDocument;
    expect(cells.map(({ scenario, outcome }) => ({ scenario, outcome }))).toEqual([
      { scenario: "echo-send-message", outcome: "passed" },
    ]);
    if (provesAll) {
      const { stdout: checked } = await assay("--check-driver", folder, "--time-scale", "0.05");
      expect(checked).toMatch(/my-first-driver\/assay\/jsonrpc\/1\.0: (\d+) of \1 scenarios pass/);
      expect(checked).toContain("The driver is complete, and every scenario passes");
      const client = join(folder, "client.mjs");
      writeFileSync(client, readFileSync(client, "utf8").replace(', "A2A-Version": target.version', ""));
      const { stdout: blamed } = await assay("--check-driver", folder, "--time-scale", "0.05");
      expect(blamed).toMatch(
        / scenarios failed with Assay's client or server, by \d+ causes?:\n {2}the client my-first-driver: /,
      );
    }
    await expect(assay("--init-driver", folder)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("already exists"),
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("a driver that is not set up is told how", async () => {
  await expect(assay("--check-driver", "e2e/matrix/drivers/absent")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("absent is not set up: build/client is missing."),
  });
});

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { ContractLab } from "./lab.ts";

test("the tool sees a home of its own and no other variable of the user", async () => {
  process.env["A2ACLI_BEARER"] = "a secret of the user";
  const lab = await ContractLab.open({
    command: [process.execPath, "-e", "console.log(JSON.stringify([process.env, process.cwd()]))", "--"],
    env: { PATH: process.env["PATH"] },
    version: "0",
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    learned: { speaks: new Set(), defaults: new Map(), codes: new Set() },
  });
  try {
    const { output } = await lab.run([]);
    const [env, folder] = JSON.parse(output) as [Record<string, string>, string];
    expect(Object.keys(env).filter((name) => !/^(PATH|HOME|USERPROFILE|TMPDIR|LANG|__CF.*)$/.test(name))).toEqual([]);
    expect([env["HOME"], folder]).toEqual([lab.home, lab.folder]);
    expect(lab.publishable(`${lab.home}/x http://127.0.0.1:4711`)).toBe("~/x http://<address>");
  } finally {
    delete process.env["A2ACLI_BEARER"];
    await lab.close();
  }
  expect(existsSync(dirname(lab.home))).toBe(false);
});

import { readFileSync } from "node:fs";
import type { Binding, DialectVersion } from "@assay/protocol";
import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { runOlderClient } from "./older-client.js";
import { brokenIn, testDriven } from "./proof.fixture.ts";

// Clients of 0.3, 0.2 and 0.1: the good one is accused of nothing, and each misbehaviour of its own rule.

interface Offered {
  readonly dialect: DialectVersion;
  readonly binding: Binding;
  readonly situations?: readonly string[];
}

function testOlder(misbehaviour: string, { dialect, binding, situations }: Offered, only?: readonly string[]) {
  return testDriven(
    async (env, signal) => {
      const [output, errors]: [string[], string[]] = [[], []];
      const exit = await runOlderClient({
        env,
        misbehaviour,
        binding,
        signal,
        print: (text) => void output.push(text),
        complain: (text) => void errors.push(text),
      });
      return { exit, output: output.join("\n"), errors: errors.join("\n") };
    },
    { dialects: [dialect], bindings: [binding], ...(situations && { situations }), ...(only && { only }) },
  );
}

describe("the good client is accused of nothing", () => {
  test.each<Offered>([
    { dialect: "0.3", binding: "JSONRPC" },
    { dialect: "0.3", binding: "HTTP+JSON" },
    { dialect: "0.2", binding: "JSONRPC" },
    { dialect: "0.1", binding: "JSONRPC" },
  ])("of $dialect over $binding", async (offered) => {
    const report = await testOlder("", offered);
    expect(brokenIn(report)).toEqual([]);
    expect(report.interfaces).toMatchObject([{ dialect: offered.dialect, binding: offered.binding }]);
    expect(resultsOf(report).filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(8);
  });
});

const overRest: Offered = { dialect: "0.3", binding: "HTTP+JSON", situations: ["task"] };
const overRpc: Offered = { dialect: "0.3", binding: "JSONRPC", situations: ["task"] };
const shown: Readonly<Record<string, Offered>> = {
  "V02-CARD-002.newer-name": { dialect: "0.2", binding: "JSONRPC", situations: ["older-card-name"] },
  "V01-JSONRPC-001.newer-method": { dialect: "0.1", binding: "JSONRPC", situations: ["send"] },
  "V03-JSONRPC-001.newer-method": overRpc,
  "V03-AUTH-001.no-login": { ...overRpc, situations: ["login"] },
  "V03-VER-006.newer-version": overRpc,
  "V03-EXT-002.newer-name": { ...overRpc, situations: ["extensions"] },
  "V03-REST-006.newer-type": overRest,
  "V03-REST-007.newer-path": overRest,
};

describe("a misbehaving client gets a finding", () => {
  test.each(Object.entries(shown))("%s", async (name, offered) => {
    const rule = name.split(".", 1)[0]!;
    expect(brokenIn(await testOlder(name, offered, [rule]))).toEqual([rule]);
  });

  test("each of them is tried", () => {
    const source = readFileSync(new URL("older-client.js", import.meta.url), "utf8");
    const names = [...source.matchAll(/wrong\("([A-Z0-9-]+\.[\w-]+)"\)/g)].map(([, name]) => name!);
    expect(new Set(names)).toEqual(new Set(Object.keys(shown)));
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// With generateKeyPairSync alone, Node 20 deadlocks on the first key: the small heap makes it
// collect garbage during an export.
const program = `
  import { createKeyPair } from "@assay/wire/key-pair";
  for (const kind of ["P-256", "Ed25519"])
    for (let keys = 0; keys < 5; keys++) {
      const pair = createKeyPair(kind);
      for (let exports = 0; exports < 3_000; exports++)
        for (const key of Object.values(pair)) key.export({ format: "jwk" });
    }
  console.log("done");
`;

test("a garbage collection during the export of a new key does not block the process", async () => {
  const args = ["--max-semi-space-size=1", "--input-type=module", "--eval", program];
  // The child shares nothing with this process, which a deadlock would block, too.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 250_000, killSignal: "SIGKILL" });
  expect(stdout).toBe("done\n");
});

import { days } from "../flag-values.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const keyFlag = [
  "--key <key>",
  "the operator's private key: @file or env:NAME (PEM or JWK; Ed25519 or P-256)",
  String,
  required,
] as const;

const keygenFlags = [["--alg <name>", "how it signs", ["EdDSA", "ES256"], "EdDSA"]] as const;
export type KeygenFlags = FlagsOf<typeof keygenFlags>;

const signFlags = [
  keyFlag,
  ["--issuer <name>", "who says it: a name or an address by which you are known", String, required],
  ["--from-report", "sign a JSON report file instead of a recording; the hallmark says so"],
  ["--valid-days <n>", "how many days it is valid, counted from the test", days, 90],
  ["--out <file>", "file of the hallmark (default: <run>.json.jws; the report goes to <run>.json)"],
] as const;
export type SignFlags = FlagsOf<typeof signFlags>;

const revokeFlags = [
  ["--list <file>", "the list of revocations; it is made where there is none", String, required],
  keyFlag,
  ["--issuer <name>", "whose list it is (that of the list or of the hallmarks, unless given)"],
  ["--reason <text>", "why; it is in the list", String, "revoked by its issuer"],
  ["--next-days <n>", "in how many days there will be a newer list: from then on this one is too old", days, 30],
] as const;
export type RevokeFlags = FlagsOf<typeof revokeFlags>;

export const addHallmark = declare({
  name: "hallmark",
  does: "Sign what a report says about an agent, so that others can verify it without testing: docs/hallmark.md.",
  commands: [
    {
      name: "keygen",
      does: "Make a key for hallmarks: <name>.pem, which is yours alone, and <name>.jwks.json, by which others verify.",
      args: [["<name>", "the files, without their endings"]],
      flags: keygenFlags,
      action: async () => (await import("../actions/hallmark.ts")).makeKey,
    },
    {
      name: "sign",
      does: "Sign the result of a run in which an agent was tested completely and broke no rule.",
      args: [["<run>", "a run below .assay/runs: its name, or last; with --from-report, a JSON report file"]],
      flags: signFlags,
      help: `
Examples:
  $ assay test https://agent.example
  $ assay hallmark sign last --key @registry.pem --issuer https://registry.example --out agent.jws

Signs the recording of your own run and writes two files: the report and the hallmark. A report file can be edited by whoever has it, so
--from-report checks that its head follows from its results, and \`assay verify\` shows that no recording was signed.

Exit codes: 0 signed · 1 the agent is not conformant: there is no hallmark · 2 wrong usage, or the run earns none (only a part was
tested, inconclusive, too old, an edited report) · 3 our own error`,
      action: async () => (await import("../actions/hallmark.ts")).signRun,
    },
    {
      name: "revoke",
      does: "Take hallmarks back: a signed list, which is read, continued and written again. Without any, the list is renewed.",
      args: [["[hallmarks...]", "files of hallmarks, or their ids"]],
      flags: revokeFlags,
      help: "\nExit codes: 0 written · 2 wrong usage, or a list or hallmark that this key did not sign · 3 our own error",
      action: async () => (await import("../actions/hallmark.ts")).revokeHallmarks,
    },
  ],
});

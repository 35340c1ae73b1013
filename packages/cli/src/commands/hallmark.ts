import { days } from "../flag-values.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const keyFlag = [
  "--key <key>",
  "your private key: @file or env:NAME (PEM or JWK; Ed25519 or P-256)",
  String,
  required,
] as const;

const keygenFlags = [["--alg <name>", "signature algorithm", ["EdDSA", "ES256"], "EdDSA"]] as const;
export type KeygenFlags = FlagsOf<typeof keygenFlags>;

const signFlags = [
  keyFlag,
  ["--issuer <name>", "name or URL by which others know you", String, required],
  ["--from-report", "sign a JSON report file instead of a recording; the hallmark says so"],
  ["--valid-days <n>", "days the hallmark is valid, counted from the test", days, 90],
  ["--out <file>", "file of the hallmark; the report goes to <run>.json (default: <run>.json.jws)"],
] as const;
export type SignFlags = FlagsOf<typeof signFlags>;

const revokeFlags = [
  ["--list <file>", "revocation list; created if it does not exist", String, required],
  keyFlag,
  ["--issuer <name>", "issuer of the list (default: the issuer of the list or of the hallmarks)"],
  ["--reason <text>", "reason for the revocation, saved in the list", String, "revoked by its issuer"],
  ["--next-days <n>", "days until the next list is due; after that this one is out of date", days, 30],
] as const;
export type RevokeFlags = FlagsOf<typeof revokeFlags>;

export const addHallmark = declare("hallmark", {
  group: "many",
  does: "Sign test results, so that others can verify them.",
  examples: [
    ["assay hallmark keygen registry"],
    ["assay hallmark sign last --key @registry.pem --issuer registry.example"],
  ],
  notes: ["docs/hallmark.md explains hallmarks, keys and revocation."],
  commands: [
    {
      name: "keygen",
      does: "Create a key pair: <name>.pem (private) and <name>.jwks.json (public).",
      args: [["<name>", "name of the two files, without the extension"]],
      flags: keygenFlags,
      examples: [["assay hallmark keygen registry"]],
      action: async () => (await import("../actions/hallmark.ts")).makeKey,
    },
    {
      name: "sign",
      does: "Sign the result of a complete run in which the agent broke no rule.",
      args: [["<run>", "name of a run in .assay/runs, or last; with --from-report, a JSON report file"]],
      flags: signFlags,
      examples: [
        ["assay test https://agent.example"],
        ["assay hallmark sign last --key @registry.pem --issuer registry.example"],
      ],
      notes: [
        "Assay signs the recording of your own run and writes two files: the report and the hallmark. Anyone can edit a report file. So --from-report checks that the summary follows from the results, and assay verify shows that no recording was signed.",
      ],
      exitCodes: {
        0: "signed",
        1: "the agent is not conformant, so there is no hallmark",
        2: "wrong usage, or the run does not qualify: partial, inconclusive, too old, or an edited report",
        3: "internal error",
      },
      action: async () => (await import("../actions/hallmark.ts")).signRun,
    },
    {
      name: "revoke",
      does: "Add hallmarks to a signed revocation list; without any, renew the list.",
      args: [["[hallmarks...]", "hallmark files or ids"]],
      flags: revokeFlags,
      examples: [
        ["assay hallmark revoke agent.jws --list revocations.jws --key @registry.pem"],
        ["assay hallmark revoke --list revocations.jws --key @registry.pem"],
      ],
      exitCodes: {
        0: "written",
        2: "wrong usage, or this key did not sign the list or the hallmark",
        3: "internal error",
      },
      action: async () => (await import("../actions/hallmark.ts")).revokeHallmarks,
    },
  ],
});

import { Option } from "commander";
import { days } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface KeygenFlags {
  readonly alg: "EdDSA" | "ES256";
}

export interface SignFlags {
  readonly key: string;
  readonly issuer: string;
  readonly fromReport?: boolean;
  readonly validDays: number;
  readonly out?: string;
}

export interface RevokeFlags {
  readonly key: string;
  readonly list: string;
  readonly issuer?: string;
  readonly reason: string;
  readonly nextDays: number;
}

const keyFlag = "the operator's private key: @file or env:NAME (PEM or JWK; Ed25519 or P-256)";

export const addHallmark: AddCommand = (program, screen, done) => {
  const hallmark = program
    .command("hallmark")
    .description(
      "Sign what a report says about an agent, so that others can verify it without testing: docs/hallmark.md.",
    );
  hallmark
    .command("keygen")
    .description(
      "Make a key for hallmarks: <name>.pem, which is yours alone, and <name>.jwks.json, by which others verify.",
    )
    .argument("<name>", "the files, without their endings")
    .addOption(new Option("--alg <name>", "how it signs").choices(["EdDSA", "ES256"]).default("EdDSA"))
    .action(async (name: string, flags: KeygenFlags) => {
      const { makeKey } = await import("../actions/hallmark.ts");
      done(await makeKey(name, flags, screen));
    });
  hallmark
    .command("sign")
    .description("Sign the result of a run in which an agent was tested completely and broke no rule.")
    .argument("<run>", "a run below .assay/runs: its name, or last; with --from-report, a JSON report file")
    .requiredOption("--key <key>", keyFlag)
    .requiredOption("--issuer <name>", "who says it: a name or an address by which you are known")
    .option("--from-report", "sign a JSON report file instead of a recording; the hallmark says so")
    .option("--valid-days <n>", "how many days it is valid, counted from the test", days, 90)
    .option("--out <file>", "file of the hallmark (default: <run>.json.jws; the report goes to <run>.json)")
    .addHelpText(
      "after",
      `
Examples:
  $ assay test https://agent.example
  $ assay hallmark sign last --key @registry.pem --issuer https://registry.example --out agent.jws

Signs the recording of your own run and writes two files: the report and the hallmark. A report file can be edited by whoever has it, so
--from-report checks that its head follows from its results, and \`assay verify\` shows that no recording was signed.

Exit codes: 0 signed · 1 the agent is not conformant: there is no hallmark · 2 wrong usage, or the run earns none (only a part was
tested, inconclusive, too old, an edited report) · 3 our own error`,
    )
    .action(async (run: string, flags: SignFlags) => {
      const { signRun } = await import("../actions/hallmark.ts");
      done(await signRun(run, flags, screen));
    });
  hallmark
    .command("revoke")
    .description(
      "Take hallmarks back: a signed list, which is read, continued and written again. Without any, the list is renewed.",
    )
    .argument("[hallmarks...]", "files of hallmarks, or their ids")
    .requiredOption("--list <file>", "the list of revocations; it is made where there is none")
    .requiredOption("--key <key>", keyFlag)
    .option("--issuer <name>", "whose list it is (that of the list or of the hallmarks, unless given)")
    .option("--reason <text>", "why; it is in the list", "revoked by its issuer")
    .option(
      "--next-days <n>",
      "in how many days there will be a newer list: from then on this one is too old",
      days,
      30,
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 written · 2 wrong usage, or a list or hallmark that this key did not sign · 3 our own error",
    )
    .action(async (hallmarks: string[], flags: RevokeFlags) => {
      const { revokeHallmarks } = await import("../actions/hallmark.ts");
      done(await revokeHallmarks(hallmarks, flags, screen));
    });
  for (const command of hallmark.commands) command.exitOverride();
};

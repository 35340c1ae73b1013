import { Option } from "commander";
import { days } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface KeygenFlags {
  readonly alg: "EdDSA" | "ES256";
}

export interface SignFlags {
  readonly key: string;
  readonly issuer: string;
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
      const { makeKey } = await import("../runs/hallmark.ts");
      done(await makeKey(name, flags, screen));
    });
  hallmark
    .command("sign")
    .description("Sign the report of an agent that was tested whole and broke no rule; of any other there is none.")
    .argument("<report>", "a file that `assay test --report json=<file>` wrote; it is signed byte for byte")
    .requiredOption("--key <key>", keyFlag)
    .requiredOption("--issuer <name>", "who says it: a name or an address by which you are known")
    .option("--valid-days <n>", "how long it is good, from the test on", days, 90)
    .option("--out <file>", "where it goes (the file of the report with .jws behind, unless given)")
    .addHelpText(
      "after",
      `
Examples:
  $ assay test https://agent.example --report json=report.json
  $ assay hallmark sign report.json --key @registry.pem --issuer https://registry.example

Exit codes: 0 signed · 1 the agent is not conformant: there is no hallmark · 2 wrong usage, or the report earns none (only a part was
tested, inconclusive, too old) · 3 our own error`,
    )
    .action(async (report: string, flags: SignFlags) => {
      const { signReport } = await import("../runs/hallmark.ts");
      done(await signReport(report, flags, screen));
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
      const { revokeHallmarks } = await import("../runs/hallmark.ts");
      done(await revokeHallmarks(hallmarks, flags, screen));
    });
  for (const command of hallmark.commands) command.exitOverride();
};

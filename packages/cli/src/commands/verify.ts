import type { AddCommand } from "./command.ts";

export interface VerifyFlags {
  readonly key?: string;
  readonly jwks?: string;
  readonly report?: string;
  readonly card?: string;
  readonly revocations?: string;
  readonly at?: string;
  readonly json?: boolean;
}

export const addVerify: AddCommand = (program, screen, done) => {
  program
    .command("verify")
    .description("Is a hallmark genuine, does it hold, and what does it mean? Contacts nothing.")
    .argument("<hallmark>", "the file of the hallmark")
    .option("--key <file>", "the issuer's public key, in PEM or as a JWK")
    .option("--jwks <file>", "the issuer's public keys, as a JWKS")
    .option("--report <file>", "is it the report that was signed for, to the last byte?")
    .option("--card <file>", "does this card say what the tested one said?")
    .option("--revocations <file>", "the issuer's list of revocations: was it taken back?")
    .option("--at <date>", "does it hold at this time, ISO 8601? (now, unless given)")
    .option("--json", "print the answer as JSON, and nothing else")
    .addHelpText(
      "after",
      `
Example:
  $ assay verify report.json.jws --jwks registry.jwks.json --report report.json --revocations revocations.jws

The keys are what you trust: get them from the issuer, not from who shows you the hallmark.

Exit codes: 0 it is genuine and holds · 1 it is not, or does not (changed, another key, another report or card, over, revoked) ·
2 wrong usage, or it cannot be said (the list of revocations is old or not genuine) · 3 our own error`,
    )
    .action(async (hallmark: string, flags: VerifyFlags) => {
      const { verifyFile } = await import("../actions/verify.ts");
      done(await verifyFile(hallmark, flags, screen));
    });
};

import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--key <file>", "the issuer's public key, in PEM or as a JWK"],
  ["--jwks <file>", "the issuer's public keys, as a JWKS"],
  ["--report <file>", "is it the report that was signed for, to the last byte?"],
  ["--card <file>", "does this card say what the tested one said?"],
  ["--revocations <file>", "the issuer's list of revocations: was it taken back?"],
  ["--at <date>", "does it hold at this time, ISO 8601? (now, unless given)"],
  ["--json", "print the answer as JSON, and nothing else"],
] as const;
export type VerifyFlags = FlagsOf<typeof flags>;

export const addVerify = declare({
  name: "verify",
  does: "Is a hallmark genuine, does it hold, and what does it mean? Contacts nothing.",
  args: [["<hallmark>", "the file of the hallmark"]],
  flags,
  help: `
Example:
  $ assay verify report.json.jws --jwks registry.jwks.json --report report.json --revocations revocations.jws

The keys are what you trust: get them from the issuer, not from who shows you the hallmark.

Exit codes: 0 it is genuine and holds · 1 it is not, or does not (changed, another key, another report or card, over, revoked) ·
2 wrong usage, or it cannot be said (the list of revocations is old or not genuine) · 3 our own error`,
  action: async () => (await import("../actions/verify.ts")).verifyFile,
});

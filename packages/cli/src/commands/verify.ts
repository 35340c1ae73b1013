import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--key <file>", "public key of the issuer, as PEM or JWK"],
  ["--jwks <file>", "public keys of the issuer, as JWKS"],
  ["--report <file>", "check that the hallmark was signed for this report, byte by byte"],
  ["--card <file>", "check that this card says the same as the tested one"],
  ["--revocations <file>", "check that this revocation list of the issuer does not contain the hallmark"],
  ["--at <date>", "check the validity at this time, ISO 8601 (default: now)"],
  ["--json", "print only the result, as JSON"],
] as const;
export type VerifyFlags = FlagsOf<typeof flags>;

export const addVerify = declare("verify", {
  group: "many",
  does: "Check that a signed test result is genuine and valid.",
  args: [["<hallmark>", "file of the hallmark"]],
  flags,
  examples: [
    ["assay verify report.json.jws --jwks registry.jwks.json"],
    ["assay verify report.json.jws --jwks registry.jwks.json --report report.json"],
    ["assay verify agent.jws --jwks registry.jwks.json --revocations revoked.jws"],
  ],
  notes: [
    "Assay contacts nothing.",
    "You trust the keys. Get them from the issuer, not from the one who shows you the hallmark.",
  ],
  exitCodes: {
    0: "genuine and valid",
    1: "not genuine or not valid: changed, signed with another key, for another report or card, expired, or revoked",
    2: "wrong usage, or cannot tell, because the revocation list is out of date or not genuine",
    3: "internal error",
  },
  action: async () => (await import("../actions/verify.ts")).verifyFile,
});

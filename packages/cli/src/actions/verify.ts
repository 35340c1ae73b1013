import {
  type HallmarkQuestion,
  type HallmarkVerdict,
  type ToldHallmark,
  toldHallmark,
  verifyHallmark,
} from "@assay/fleet/hallmark";
import { JsonError, type JsonObject, parseJson } from "@assay/protocol";
import type { VerifyFlags } from "../commands/verify.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { fileBytes, fileText, trustedKeysOf } from "../hallmark/key-files.ts";
import type { Screen } from "../terminal/screen.ts";

const endings: Readonly<Record<HallmarkVerdict["is"], ExitCode>> = {
  good: exitCodes.fine,
  bad: exitCodes.agent,
  undecided: exitCodes.usage,
};

/** Runs `assay verify`: reads files, contacts nothing, and explains the hallmark. */
export async function verifyFile(file: string, flags: VerifyFlags, screen: Screen): Promise<ExitCode> {
  const question: HallmarkQuestion = {
    hallmark: fileText("hallmark", file),
    keys: await keysOf(flags),
    at: timeOf(flags.at),
    ...(flags.report !== undefined && { report: fileBytes("--report", flags.report) }),
    ...(flags.card !== undefined && { cardDigest: await digestOfCard(flags.card) }),
    ...(flags.revocations !== undefined && { revocations: fileText("--revocations", flags.revocations) }),
  };
  const verdict = await verifyHallmark(question);
  if (flags.json) screen.json(documentOf(verdict), 2);
  else tell(verdict.is, toldHallmark(verdict, question), screen);
  return endings[verdict.is];
}

async function keysOf({ key, jwks }: VerifyFlags): Promise<HallmarkQuestion["keys"]> {
  if (key === undefined && jwks === undefined)
    throw new UsageError(
      "No key to verify the hallmark with.",
      "Pass the issuer's public key: --key <file> or --jwks <file>. Get it from the issuer.",
    );
  return [
    ...(key === undefined ? [] : await trustedKeysOf("--key", key)),
    ...(jwks === undefined ? [] : await trustedKeysOf("--jwks", jwks)),
  ];
}

function timeOf(given: string | undefined): Date {
  const at = given === undefined ? new Date() : new Date(given);
  if (Number.isNaN(at.getTime()))
    throw new UsageError(`--at ${given} is not a date`, "Write it as 2026-11-16 or 2026-11-16T08:00:00Z.");
  return at;
}

async function digestOfCard(file: string): Promise<string> {
  const text = fileText("--card", file);
  try {
    const { cardDigest } = await import("@assay/suite");
    return cardDigest(parseJson(text) as JsonObject);
  } catch (error) {
    throw error instanceof JsonError ? new UsageError(`--card: ${file} is not valid JSON`) : error;
  }
}

/** Returns the verdict for programs, with the claims of a genuine hallmark. */
const documentOf = (verdict: HallmarkVerdict): object => ({
  verdict: verdict.is,
  ...(verdict.is === "good"
    ? { key: verdict.key.kid, revocations: verdict.revocations === undefined ? "not-looked-at" : "not-revoked" }
    : { code: verdict.code, because: verdict.because }),
  ...(verdict.claims && { claims: verdict.claims }),
});

function tell(is: HallmarkVerdict["is"], { answer, facts, means, meansNot }: ToldHallmark, screen: Screen): void {
  const { colors } = screen;
  const paint = { good: colors.green, bad: colors.red, undecided: colors.yellow }[is];
  screen.line(colors.bold(paint(answer)));
  if (facts.length) screen.line();
  for (const { label, text } of facts) screen.line(`  ${label.padEnd(9)} ${text}`);
  for (const [head, lines] of [["What it means", means] as const, ["What it does not mean", meansNot] as const]) {
    if (lines.length === 0) continue;
    screen.line();
    screen.line(colors.bold(head));
    for (const line of lines) screen.line(`  ${line}`);
  }
}

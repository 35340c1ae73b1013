import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  addressText,
  generateSigningKey,
  HallmarkRefused,
  type HallmarkSource,
  isId,
  type SigningKey,
  signHallmark,
  signRevocations,
  verifyHallmark,
  withRevoked,
} from "@assay/fleet/hallmark";
import { findRun, RunFolder, readRun } from "@assay/library/runs";
import { AssayError } from "@assay/protocol/assay-error";
import { jsonText } from "@assay/protocol/escape";
import { foldRun } from "@assay/suite/report";
import type { KeygenFlags, RevokeFlags, SignFlags } from "../commands/hallmark.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { issuerOf, revocationReason } from "../hallmark/issuer.ts";
import { fileBytes, fileText, signingKeyOf } from "../hallmark/key-files.ts";
import { ownRevocations } from "../hallmark/revocation-list.ts";
import { plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";

export async function makeKey(name: string, { alg }: KeygenFlags, screen: Screen): Promise<ExitCode> {
  const { pem, jwks } = await generateSigningKey(alg);
  // Do not overwrite an existing key, because the hallmarks that it signed depend on it.
  writeNew(`${name}.pem`, pem, 0o600);
  writeNew(`${name}.jwks.json`, `${JSON.stringify(jwks, null, 2)}\n`, 0o644);
  screen.line(`${name}.pem        private key: keep it secret. Anyone who has it can sign in your name.`);
  screen.line(
    `${name}.jwks.json  public key ${jwks.keys[0]!.kid}: publish it, so that others can verify your hallmarks.`,
  );
  return exitCodes.fine;
}

function writeNew(file: string, text: string | Uint8Array, mode: number): void {
  try {
    writeFileSync(file, text, { mode, flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "EEXIST" ? `${file} already exists. Choose another name.` : `${file}: ${message}`);
  }
}

export async function signRun(wanted: string, flags: SignFlags, screen: Screen): Promise<ExitCode> {
  const key = await signingKeyOf("--key", flags.key);
  const issuer = issuerOf(flags.issuer);
  const { file, report, source } = flags.fromReport ? reportFile(wanted) : recorded(wanted, flags.out);
  const out = flags.out ?? `${file}.jws`;
  try {
    const { jws, claims } = await signHallmark({ report, source, key, issuer, days: flags.validDays, now: new Date() });
    if (source === "recording") writeReport(file, report);
    writeFileSync(out, jws);
    const { level, examined } = claims.hallmark;
    screen.line(
      `${out}: ${addressText(claims.sub)}, level ${level}, examined ${examined.rules} of ${examined.of} rules, until ${dayOf(claims.exp)}; id ${claims.jti}`,
    );
    if (source === "report")
      screen.line(
        "The hallmark says that it was signed from a report file. To sign a recording: assay hallmark sign <run>",
      );
    screen.line(`Verify it with: assay verify ${out} --jwks <your public keys> --report ${file}`);
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof HallmarkRefused)) throw error;
    const { code, exitCode, message } = error;
    throw new AssayError({ code, exitCode, message: `Cannot sign a hallmark for ${wanted}: ${message}.` });
  }
}

/** A report to sign, with its file and its source. */
interface Signable {
  readonly file: string;
  readonly report: Uint8Array;
  readonly source: HallmarkSource;
}

const reportFile = (file: string): Signable => ({ file, report: fileBytes("report", file), source: "report" });

/** Returns a run of this machine. Assay computes its report again from the recording. */
function recorded(wanted: string, out: string | undefined): Signable {
  const folder = new RunFolder();
  const recording = findRun(wanted, folder);
  const run = folder.list().find((name) => folder.eventsOf(name) === recording);
  if (run === undefined)
    throw new UsageError(
      `${wanted} is a file, not a run in ${folder.path}`,
      `Sign the recording of your own run: assay hallmark sign last. To sign the report file, add --from-report; the hallmark says so.`,
    );
  const text = `${jsonText(foldRun(readRun(recording)), 2)}\n`;
  const file = `${out?.replace(/(?:\.json)?\.jws$/, "") ?? run}.json`;
  return { file, report: Buffer.from(text), source: "recording" };
}

/** Writes the report, but never overwrites a different one, which others may already have. */
function writeReport(file: string, report: Uint8Array): void {
  if (existsSync(file) && Buffer.compare(readFileSync(file), report) === 0) return;
  writeNew(file, report, 0o644);
}

export async function revokeHallmarks(given: readonly string[], flags: RevokeFlags, screen: Screen): Promise<ExitCode> {
  const key = await signingKeyOf("--key", flags.key);
  const before = existsSync(flags.list) ? await ownRevocations("--list", flags.list, key) : undefined;
  const named = await Promise.all(given.map((each) => namedHallmark(each, key)));
  const issuers = new Set([before?.iss, flags.issuer, ...named.map(({ issuer }) => issuer)].filter(Boolean));
  const [issuer, other] = [...issuers];
  if (issuer === undefined)
    throw new UsageError("The list has no issuer.", "Name the issuer of the hallmarks: --issuer <name>");
  if (other !== undefined)
    throw new UsageError(
      `A list has one issuer, but these hallmarks have two: ${addressText(issuer)} and ${addressText(other)}`,
      "Keep one list for each issuer.",
    );
  const now = new Date();
  const at = Math.floor(now.getTime() / 1000);
  const revoked = withRevoked(
    before,
    named.map(({ id }) => ({ id, at, reason: revocationReason(flags.reason) })),
  );
  writeFileSync(
    flags.list,
    await signRevocations({ key, issuer: issuerOf(issuer), revoked, days: flags.nextDays, now }),
  );
  const fresh = revoked.length - (before?.revocations.revoked.length ?? 0);
  const next = dayOf(at + Math.round(flags.nextDays * 86_400));
  screen.line(
    `${flags.list}: ${plural(fresh, "hallmark")} revoked, ${revoked.length} in all. The next list is due by ${next}.`,
  );
  return exitCodes.fine;
}

/** Returns a hallmark by its file or its id, also one that is no longer valid. */
async function namedHallmark(given: string, key: SigningKey): Promise<{ id: string; issuer?: string }> {
  if (isId(given)) return { id: given };
  const verdict = await verifyHallmark({ hallmark: fileText("hallmark", given), keys: [key.trusted], at: new Date() });
  if (verdict.is === "bad" && !verdict.claims)
    throw new UsageError(`${given} is not a hallmark that this key signed: ${verdict.because}`);
  // A hallmark without claims was rejected above.
  const { jti: id, iss: issuer } = verdict.claims!;
  return { id, issuer };
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

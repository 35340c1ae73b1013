import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runTests } from "../vitest.mjs";

/** The short forms run in CI, where one commit must always give one result. The long forms try something new each time. */
const aSeed = (isShort) => process.env.ASSAY_FUZZ_SEED ?? (isShort ? "1" : String(Math.floor(Math.random() * 2 ** 32)));

function wholeNumber(name, text) {
  if (/^[1-9]\d*$|^0$/.test(text)) return text;
  process.stderr.write(`${name} ${text}: expected a whole number.\n`);
  process.exit(2);
}

/**
 * Sends malformed requests on every wire: the given number (default: a million), or in the short form each wire's
 * default.
 */
export async function fuzzRequests(title, { args: [asked = "1000000"], isShort }) {
  const requests = wholeNumber("requests:", asked);
  const seed = aSeed(isShort);
  const folder = mkdtempSync(join(tmpdir(), "assay-fuzz-"));
  const tally = join(folder, "tally.ndjson");
  const size = isShort ? {} : { ASSAY_FUZZ_REQUESTS: requests };
  const env = { ASSAY_PROVE: "all", ASSAY_FUZZ_SEED: seed, ASSAY_FUZZ_TALLY: tally, ...size };
  const started = performance.now();
  const files = ["e2e/fuzz/requests", "e2e/fuzz/grpc", "e2e/fuzz/older"];
  const result = await runTests(`${title} with seed ${seed}`, files, env);
  const seconds = (performance.now() - started) / 1000;
  const wires = linesOf(tally).map((line) => JSON.parse(line));
  const sum = (name) => wires.reduce((total, wire) => total + wire[name], 0);
  process.stdout.write(
    `fuzz: ${sum("sent")} requests on ${wires.length} wires, ${sum("refused")} refused, in ${(seconds / 60).toFixed(1)} min ` +
      `(${Math.round(sum("sent") / seconds)}/s), ASSAY_FUZZ_SEED=${seed}\n`,
  );
  rmSync(folder, { recursive: true, force: true });
  return result;
}

/** Sends malformed answers to the tester: cards, envelopes, streams, gRPC frames. A failure names the round to start with. */
export function fuzzAnswers(title, { args, isShort }) {
  const number = { type: "string" };
  const { values } = parseArgs({ args, options: { answers: number, seed: number, round: number } });
  const { answers = isShort ? "2000" : "100000", seed = aSeed(isShort), round = "0" } = values;
  for (const [name, text] of Object.entries({ answers, seed, round })) wholeNumber(`--${name}`, text);
  return runTests(`${title} with ${answers} answers and seed ${seed}`, ["e2e/fuzz/answers"], {
    ASSAY_PROVE: isShort ? "sample" : "all",
    ASSAY_FUZZ_ANSWERS: answers,
    ASSAY_FUZZ_SEED: seed,
    ASSAY_FUZZ_ROUND: round,
  });
}

/** Returns the lines of a file; none if no wire got far enough to write it. */
function linesOf(file) {
  try {
    return readFileSync(file, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

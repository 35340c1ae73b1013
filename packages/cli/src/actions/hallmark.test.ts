import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonText } from "@assay/protocol/escape";
import { foldRun, type RunEvent } from "@assay/suite/report";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  brokenReport,
  cardOnlyReport,
  conformantReport,
  runEvents,
} from "../../../fleet/src/hallmark/report.fixture.ts";
import { run as runAssay } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const home = process.cwd();
// The report says when its agent was tested, and hallmarks count from then: days for a long time to come.
const sign = ["--key", "@registry.pem", "--issuer", "https://registry.example", "--valid-days", "36500"];
const hallmark = "report.json.jws";

async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await runAssay(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

const run = "2026-11-15T08-14-02";
const writeRun = (name: string, events: readonly RunEvent[]): void =>
  writeFileSync(`.assay/runs/${name}.ndjson`, events.map((event) => `${JSON.stringify(event)}\n`).join(""));

beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-hallmark-")));
  mkdirSync(".assay/runs", { recursive: true });
  writeRun(run, runEvents());
  await assay("hallmark", "keygen", "registry");
  await assay("hallmark", "sign", "last", ...sign, "--out", hallmark);
});
afterAll(() => process.chdir(home));

test("a key is made once, for its owner alone", async () => {
  // Windows has no such modes.
  expect(statSync("registry.pem").mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  expect(JSON.parse(readFileSync("registry.jwks.json", "utf8")).keys).toMatchObject([{ kty: "OKP", alg: "EdDSA" }]);
  expect(await assay("hallmark", "keygen", "registry")).toMatchObject({
    code: 2,
    err: "assay: registry.pem already exists. Choose another name.\n",
  });
});

test("verify says what a hallmark means, and what not", async () => {
  const { code, out } = await assay("verify", hallmark, "--jwks", "registry.jwks.json", "--at", "2126-01-01");
  const timeless = out
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "«id»")
    .replaceAll(/signed {4}\S+/g, "signed    «now»")
    .replaceAll(/key {7}\S+/g, "key       «kid»")
    .replaceAll(/sha256:[\da-f]{64}/g, "sha256:…");
  expect(code).toBe(0);
  expect(timeless).toMatchInlineSnapshot(`
    "This hallmark is genuine, and holds at 2126-01-01.

      issuer    https://registry.example
      agent     https://agent.example
      says      conformant, level partial: streaming and push not offered
      examined  2 of 3 rules that apply (66 %), at depth quick
      rules     1.0.1-r1
      tested    2026-11-15T08:14:02.000Z
      source    the recording of the issuer's own run
      signed    «now»
      until     2126-10-22T08:14:02.000Z
      card      sha256:…
      report    sha256:…
      id        «id»
      key       «kid» (EdDSA)
      revoked   not looked at: no list was given

    What it means
      https://registry.example says: on 2026-11-15 the agent at https://agent.example was tested with Assay, and of the 2 rules of A2A that were examined it broke none.

    What it does not mean
      1 more rule applies and was not examined.
      Advice that is not followed, contested rules and versions that the agent does not claim do not count; the report has them.
      It says that the agent keeps to the protocol, not that its answers are good, that it is safe, or who runs it.
      It is about the agent as it was then. With another card or other code it may be different; after 2126-10-22 it says nothing.
      It is worth as much as your trust in that key: who has the key can sign whatever they like. Get it from the issuer, not from who shows you the hallmark.
      The report was not given, so only its digest is known: --report checks that it is the one that was signed for.
      Whether it was revoked was not looked at: --revocations does that, with the issuer's newest list.
    "
  `);
});

test("with the report and a list of revocations it looks at those, too", async () => {
  await assay(
    "hallmark",
    "revoke",
    "--list",
    "none.jws",
    "--key",
    "@registry.pem",
    "--issuer",
    "https://registry.example",
  );
  const files = ["--report", "report.json", "--revocations", "none.jws"];
  const { code, out } = await assay("verify", hallmark, "--jwks", "registry.jwks.json", ...files);
  expect(code).toBe(0);
  expect(out).toMatch(/report {4}sha256:\S+ \(the one given\)/);
  expect(out).toMatch(/revoked {3}no, by the list of/);
});

test("a byte of the report more, and it is another one", async () => {
  writeFileSync("touched.json", `${readFileSync("report.json", "utf8")} `);
  const { code, out } = await assay("verify", hallmark, "--jwks", "registry.jwks.json", "--report", "touched.json");
  expect(code).toBe(1);
  expect(out).toContain(
    "This hallmark does not hold: it is about another report: at least one byte of this one is different.",
  );
});

test("nothing is read out of a hallmark that another key signed", async () => {
  await assay("hallmark", "keygen", "other", "--alg", "ES256");
  const { code, out } = await assay("verify", hallmark, "--jwks", "other.jwks.json");
  expect({ code, out }).toEqual({
    code: 1,
    out: "This hallmark is not genuine: you do not trust the key that it names.\n\nWhat it means\n  Nothing. Assay did not read what it says about an agent.\n",
  });
});

test("what is revoked does not hold; the list goes on, and only with its own key", async () => {
  const { jti } = JSON.parse((await assay("verify", hallmark, "--jwks", "registry.jwks.json", "--json")).out).claims;
  const revoke = ["hallmark", "revoke", "--list", "revoked.jws"];
  const other = "00000000-0000-4000-8000-000000000000";
  expect((await assay(...revoke, hallmark, "--key", "@registry.pem", "--reason", "wrong agent")).code).toBe(0);
  expect((await assay(...revoke, jti, other, "--key", "@registry.pem")).out).toContain("1 hallmark revoked, 2 in all");
  expect((await assay(...revoke, jti, "--key", "@other.pem")).code).toBe(2);
  const { code, out } = await assay("verify", hallmark, "--jwks", "registry.jwks.json", "--revocations", "revoked.jws");
  expect(code).toBe(1);
  expect(out).toMatch(/^This hallmark does not hold: its issuer took it back at \S+: wrong agent\.$/m);
  const stale = await assay(
    "verify",
    hallmark,
    "--jwks",
    "registry.jwks.json",
    "--revocations",
    "none.jws",
    "--at",
    "2100-01-01",
  );
  expect(stale.code).toBe(2);
});

test("a run is signed from its recording: the report is written beside the hallmark, byte for byte", async () => {
  expect(readFileSync("report.json", "utf8")).toBe(`${jsonText(foldRun(runEvents()), 2)}\n`);
  const { code, out } = await assay("hallmark", "sign", run, ...sign);
  expect(code).toBe(0);
  expect(out).toContain(`assay verify ${run}.json.jws --jwks <your public keys> --report ${run}.json`);
  expect(readFileSync(`${run}.json`, "utf8")).toBe(readFileSync("report.json", "utf8"));
});

test("a report that is there already is not written over", async () => {
  writeFileSync("mine.json", "mine");
  const told = await assay("hallmark", "sign", "last", ...sign, "--out", "mine.jws");
  expect(told).toMatchObject({ code: 2, err: "assay: mine.json already exists. Choose another name.\n" });
  expect(() => statSync("mine.jws")).toThrow();
});

test("signing a report file requires --from-report, and assay verify shows that", async () => {
  const refused = await assay("hallmark", "sign", "report.json", ...sign);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("report.json is a file, not a run in .assay/runs");
  expect(refused.err).toContain("--from-report");
  expect((await assay("hallmark", "sign", "report.json", "--from-report", ...sign, "--out", "given.jws")).code).toBe(0);
  const { code, out } = await assay("verify", "given.jws", "--jwks", "registry.jwks.json", "--report", "report.json");
  expect(code).toBe(0);
  expect(out).toContain("source    a report file, not a recording (--from-report)");
  expect(out).toContain("The issuer signed a report file.");
});

test.each([
  ["level", { conformanceLevel: "full" }, 'conformanceLevel is "full", and its results give "partial"'],
  ["agent", { agentUrl: "https://victim.example" }, "neither the card nor an interface is at the address of the agent"],
  [
    "counts",
    { summary: { ...conformantReport.summary, applicable: 2 } },
    "summary.applicable is 2, and its results give 3",
  ],
])("assay refuses to sign a report file with an edited head: %s", async (name, change, because) => {
  writeFileSync(`${name}.json`, JSON.stringify({ ...conformantReport, ...change }));
  const told = await assay("hallmark", "sign", `${name}.json`, "--from-report", ...sign);
  expect(told.code).toBe(2);
  expect(told.err).toContain(`the head of the report was edited: ${because}`);
  expect(() => statSync(`${name}.json.jws`)).toThrow();
});

test("a host with lookalike letters is also shown in punycode", async () => {
  const [started, ...rest] = runEvents();
  writeRun("2026-11-15T08-14-03", [{ ...started, agentUrl: "https://аgent.example" } as RunEvent, ...rest]);
  const signed = await assay("hallmark", "sign", "last", ...sign, "--out", "letters.jws");
  expect(signed.out).toContain("https://аgent.example (xn--gent-43d.example), level partial");
  const { out } = await assay("verify", "letters.jws", "--jwks", "registry.jwks.json");
  expect(out).toContain("agent     https://аgent.example (xn--gent-43d.example)");
  expect(out).toContain("the agent at https://аgent.example (xn--gent-43d.example) was tested");
});

test.each([
  ["broken", brokenReport, 1, "the agent is not conformant"],
  ["card", cardOnlyReport, 2, "the run gives no level: Assay examined only the card"],
])("there is no hallmark for a report that is %s", async (name, report, code, because) => {
  writeFileSync(`${name}.json`, JSON.stringify(report));
  const told = await assay("hallmark", "sign", `${name}.json`, "--from-report", ...sign);
  expect(told.code).toBe(code);
  expect(told.err).toContain(`Cannot sign a hallmark for ${name}.json: ${because}`);
  expect(() => statSync(`${name}.json.jws`)).toThrow();
});

test.each([
  [["verify", hallmark], "No key to verify the hallmark with."],
  [["verify", hallmark, "--key", "registry.pem"], "--key: it holds a private key: keep that to yourself"],
  [["verify", hallmark, "--jwks", "gone.json"], "--jwks: cannot read gone.json: file not found"],
  [["verify", hallmark, "--jwks", "registry.jwks.json", "--at", "tomorrow"], "--at tomorrow is not a date"],
  [["hallmark", "sign", "report.json", "--issuer", "me"], "required option '--key <key>' not specified"],
  [
    ["hallmark", "sign", "report.json", "--issuer", "me", "--key", "s3cret-key"],
    "--key: do not put a private key on the command line",
  ],
  [
    ["hallmark", "sign", "report.json", "--issuer", "me", "--key", "@registry.jwks.json"],
    "--key: it is not a private key",
  ],
])("%j fails with the reason, and prints no key", async (args, says) => {
  const { code, err } = await assay(...args);
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(err).not.toContain("s3cret");
});

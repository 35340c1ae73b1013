import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenReport, cardOnlyReport, conformantReport } from "../../../fleet/src/hallmark/report.case.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.case.ts";

const home = process.cwd();
// The report says when its agent was tested, and hallmarks count from then: days for a long time to come.
const sign = ["--key", "@registry.pem", "--issuer", "https://registry.example", "--valid-days", "36500"];
const hallmark = "report.json.jws";

async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-hallmark-")));
  writeFileSync("report.json", JSON.stringify(conformantReport));
  await assay("hallmark", "keygen", "registry");
  await assay("hallmark", "sign", "report.json", ...sign);
});
afterAll(() => process.chdir(home));

test("a key is made once, for its owner alone", async () => {
  expect(statSync("registry.pem").mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync("registry.jwks.json", "utf8")).keys).toMatchObject([{ kty: "OKP", alg: "EdDSA" }]);
  expect(await assay("hallmark", "keygen", "registry")).toMatchObject({
    code: 2,
    err: "assay: registry.pem is there already, and is not written over\n",
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
      1 more rule applies and was not examined: nothing is said about them.
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
  writeFileSync("touched.json", `${JSON.stringify(conformantReport)} `);
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
    out: "This is no genuine hallmark: the key that it names is none of those you trust.\n\nWhat it means\n  Nothing. What it says about an agent was not even read.\n",
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

test.each([
  ["broken", brokenReport, 1, "the agent is not conformant"],
  ["card", cardOnlyReport, 2, "the run gives no level: only the card was examined"],
])("there is no hallmark for a report that is %s", async (name, report, code, because) => {
  writeFileSync(`${name}.json`, JSON.stringify(report));
  const told = await assay("hallmark", "sign", `${name}.json`, ...sign);
  expect(told.code).toBe(code);
  expect(told.err).toContain(`there is no hallmark for ${name}.json: ${because}`);
  expect(() => statSync(`${name}.json.jws`)).toThrow();
});

test.each([
  [["verify", hallmark], "Whose hallmark should it be?"],
  [["verify", hallmark, "--key", "registry.pem"], "--key: it holds a private key: keep that to yourself"],
  [["verify", hallmark, "--jwks", "gone.json"], "--jwks: gone.json cannot be read: there is no such file"],
  [["verify", hallmark, "--jwks", "registry.jwks.json", "--at", "tomorrow"], "--at tomorrow: this is no time"],
  [["hallmark", "sign", "report.json", "--issuer", "me"], "required option '--key <key>' not specified"],
  [
    ["hallmark", "sign", "report.json", "--issuer", "me", "--key", "s3cret-key"],
    "--key: a private key is not written out",
  ],
  [
    ["hallmark", "sign", "report.json", "--issuer", "me", "--key", "@registry.jwks.json"],
    "--key: it is no private key",
  ],
])("%j is told what is missing, and no key", async (args, says) => {
  const { code, err } = await assay(...args);
  expect(code).toBe(2);
  expect(err).toContain(says);
  expect(err).not.toContain("s3cret");
});

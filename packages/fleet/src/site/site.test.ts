import { expect, test } from "vitest";
import { nastyStrings, runThatSays } from "../../../reporters/src/hostile.fixture.ts";
import { generateSigningKey, readSigningKey, readTrustedKeys } from "../hallmark/keys.ts";
import { brokenReport } from "../hallmark/report.fixture.ts";
import { verifyHallmark } from "../hallmark/verify.ts";
import { countedFailures } from "../report/broken-rules.ts";
import { fleetReport } from "../report/make.ts";
import { fleetMarkdown } from "../report/markdown.ts";
import type { ShownAgent, ShownFleet } from "../view/shown.ts";
import { toneOf } from "../view/tone.ts";
import { slugOf } from "./addresses.ts";
import { sourceOf, verdict, verdictsNow } from "./fleet.fixture.ts";
import { type FleetSiteOptions, fleetHtml, fleetSite } from "./site.ts";

const now = new Date("2026-11-16T08:00:00Z");

const quoted = verdict("it's", {
  url: "https://x.example/'; rm -rf ~ #",
  class: "rules-broken",
  outcome: "not-conformant",
  run: "run-broken",
});

async function siteOf(source = sourceOf(), options: Partial<FleetSiteOptions> = {}): Promise<Map<string, string>> {
  const report = await fleetReport(source, { version: "1.2.3" });
  const files = new Map<string, string>();
  for await (const [path, text] of fleetSite(report, source, { now, contact: "ops@registry.example", ...options })) {
    expect(files.has(path)).toBe(false);
    files.set(path, text);
  }
  return files;
}

const { pem, jwks } = await generateSigningKey("EdDSA");
const signing = { key: await readSigningKey(pem), issuer: "Registry", days: 90, revoked: new Set<string>() };

/** The answers of the API that a page holds, by their paths. */
const answersIn = (page: string): Record<string, unknown> =>
  Object.fromEntries(
    [...page.matchAll(/<script type="application\/json" id="([^"]+)">([^<]*)<\/script>/g)].map(([, id, text]) => [
      id!.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"'),
      JSON.parse(text!),
    ]),
  );

const agentIn = (page: string): ShownAgent =>
  Object.entries(answersIn(page)).find(([path]) => path.includes("/agents/"))![1] as ShownAgent;

test("an index, a page and a badge for each agent, and links that all lead somewhere", async () => {
  const site = await siteOf(sourceOf(), { signing });
  const pages = [...site].filter(([path]) => path.endsWith(".html"));
  expect(pages).toHaveLength(1 + verdictsNow.length);
  for (const [path, text] of pages) {
    const up = path.includes("/") ? "../" : "";
    const links = [
      ...text.matchAll(
        /(?:href|src|page|badge|jws|report|keys)"?[=:]"(?!https:|#)([^"]+\.(?:js|css|html|svg|jws|json))"/g,
      ),
    ];
    const targets = links.map(([, to]) => to!);
    expect(targets.length).toBeGreaterThan(2);
    expect(targets.filter((to) => !to.startsWith(up) || !site.has(to.slice(up.length)))).toEqual([]);
  }
});

test("only those that earned one have a hallmark, and it holds for the very report beside it", async () => {
  const site = await siteOf(sourceOf(), { signing });
  const signed = [...site.keys()].filter((path) => path.endsWith(".jws"));
  expect(signed).toEqual(["risen", "good", "newcomer"].map((agent) => `hallmarks/${slugOf(agent)}.jws`));
  const keys = await readTrustedKeys(site.get("hallmarks/keys.jwks.json")!);
  const report = Buffer.from(site.get(`hallmarks/${slugOf("good")}.report.json`)!);
  const verdictOn = await verifyHallmark({ hallmark: site.get(signed[1]!)!, keys, at: now, report });
  expect(verdictOn.is).toBe("good");
});

test("without a key there are none; what was revoked is not signed again", async () => {
  expect([...(await siteOf()).keys()].filter((path) => path.startsWith("hallmarks/"))).toEqual([]);
  const site = await siteOf(sourceOf(), { signing });
  const payload = site.get(`hallmarks/${slugOf("good")}.jws`)!.split(".")[1]!;
  const { jti } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const again = await siteOf(sourceOf(), { signing: { ...signing, revoked: new Set([jti]) } });
  expect([...again.keys()].filter((path) => path.endsWith(".jws"))).toEqual([]);
  expect(agentIn(again.get(`agents/${slugOf("good")}.html`)!).hallmark).toEqual({
    is: "none",
    because: "it was revoked",
  });
});

test("a report that says less than the verdict earns nothing", async () => {
  const source = sourceOf([verdict("liar"), verdict("partial")], [], { "run-good": brokenReport });
  expect([...(await siteOf(source, { signing })).keys()].filter((path) => path.endsWith(".jws"))).toEqual([]);
});

test.each(Object.entries(nastyStrings))("no name or text from an agent becomes markup: %s", async (_name, text) => {
  const reason = { code: "rules-broken", message: text, remedy: text, evidence: text };
  const { report } = runThatSays(text);
  const now = verdict(text || "empty", {
    url: text,
    reason,
    builtWith: { name: text, because: text },
    run: "run-nasty",
  });
  const faulty = { ...now, class: "rules-broken", outcome: "not-conformant" } as const;
  const source = sourceOf([faulty], [{ ...now, sweep: "s1" }], { "run-nasty": report });
  const made = await fleetReport(source, { version: "1" });
  const [calm, nasty] = [await siteOf(sourceOf([verdict("calm")], [verdict("calm")])), await siteOf(source)];
  for (const [path, page] of [...nasty, ["alone.html", fleetHtml(made)] as const]) {
    if (path.endsWith(".html")) {
      // Two answers and the application; nothing that an agent says is an element.
      const around = page.replace(/<script>[\s\S]*?<\/script>/, "<script></script>");
      expect(page.match(/<script\b/g)).toHaveLength(3);
      expect(around.match(/<(?:img|iframe|object|svg|a)\b/g)).toBeNull();
      expect(Object.keys(answersIn(page))).toHaveLength(2);
    }
    expect(path).toMatch(/^(?:[a-z]+\/)?[a-z0-9-]+(?:\.[a-z]+)+$/);
    if (!path.startsWith("viewer."))
      expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
  }
  const markdown = fleetMarkdown(made).replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "code");
  expect(markdown).not.toMatch(/<(?!code>|\/code>)[a-z/!]|[[\]@]|https?:/i);
  expect(calm.size).toBe(nasty.size);
});

test("the site contains no key, labels or machine names of the operator", async () => {
  const site = await siteOf(sourceOf(), { signing });
  const all = [...site.values(), fleetHtml(await fleetReport(sourceOf(), { version: "1" }))].join("\n");
  const { d } = signing.key.key.export({ format: "jwk" });
  const planted = ["gold-customer", "worker-7.internal", d!, pem.split("\n")[1]!, "PRIVATE KEY"];
  expect(planted.filter((secret) => all.includes(secret))).toEqual([]);
  expect(all).toContain(String(jwks.keys[0]!.kid));
});

test("the page of an agent shows its owner the evidence, the broken rule and a contact", async () => {
  const source = sourceOf([{ ...quoted, reason: { ...quoted.reason, evidence: "GET /a → 500" } }]);
  const page = (await siteOf(source)).get(`agents/${slugOf("it's")}.html`)!;
  const { evidence, contact, row, report } = agentIn(page);
  expect([evidence, contact, row.url]).toEqual(["GET /a → 500", "ops@registry.example", quoted.url]);
  expect(countedFailures(report!).map(({ test: rule }) => rule)).toContain("ERR-020");
  // Without JavaScript, too.
  const plain = /<noscript>([\s\S]*?)<\/noscript>/.exec(page)![1]!;
  for (const said of ["GET /a → 500", "works, rules broken", "ops@registry.example"]) expect(plain).toContain(said);
});

test("an unexamined agent is never green", async () => {
  const { examined: _, ...bare } = verdict("hollow");
  const site = await siteOf(sourceOf([{ ...bare, level: null }, verdict("zero", { examined: { rules: 0, of: 9 } })]));
  for (const agent of ["hollow", "zero"]) {
    expect(site.get(`badges/${slugOf(agent)}.svg`)).not.toContain("#1a7f37");
    expect(toneOf(agentIn(site.get(`agents/${slugOf(agent)}.html`)!).row)).toBe("none");
  }
  const { agents } = answersIn(site.get("index.html")!)["/api/fleets/registry"] as ShownFleet;
  expect(agents.map(toneOf)).toEqual(["none", "none"]);
});

test("every agent has file names of its own, which people can read", () => {
  expect(slugOf("https://Agent.example/a2a")).toMatch(/^agent-example-a2a-[\da-f]{12}$/);
  expect(new Set(["A", "a", "a/", "../../etc/passwd", "..", "", "con"].map(slugOf)).size).toBe(7);
  expect(slugOf("../../etc/passwd")).toMatch(/^etc-passwd-[\da-f]{12}$/);
});

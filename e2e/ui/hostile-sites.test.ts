import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fleetReport, fleetSite } from "@assay/fleet";
import { matrixPage } from "@assay/matrix";
import { afterAll, expect, test } from "vitest";
import { slugOf } from "../../packages/fleet/src/site/addresses.ts";
import { sourceOf, verdict } from "../../packages/fleet/src/site/fleet.fixture.ts";
import { sampleEntry, sampleMatrix } from "../../packages/matrix/src/document/sample.fixture.ts";
import { hasBrowser, useBrowser } from "./chromium.fixture.ts";

const hostile = `</pre></script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;

/** Every text from an SDK, a server or a driver is an attack. */
function hostileMatrix(): ReturnType<typeof sampleMatrix> {
  const matrix = sampleMatrix((cell) => ({
    ...cell,
    because: hostile,
    ...(cell.blame && {
      blame: {
        ...cell.blame,
        title: hostile,
        explanation: hostile,
        reasons: cell.blame.reasons.map((reason) => ({ ...reason, says: hostile })),
      },
      failure: { ...cell.failure!, message: hostile, expected: hostile },
      stderr: { client: hostile },
      known: { driver: hostile, role: "client", why: hostile },
    }),
  }));
  return {
    ...matrix,
    drivers: matrix.drivers.map((driver) => ({ ...driver, language: hostile, version: hostile })),
    exchanges: {
      x1: { ...matrix.exchanges["x1"]!, entry: sampleEntry("x1", { hostile }, `{"error":${JSON.stringify(hostile)}}`) },
      x2: { ...matrix.exchanges["x2"]!, entry: sampleEntry("x2", {}, `data: ${hostile}\n\n`, "text/event-stream") },
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), "assay-hostile-sites-"));
const openPage = useBrowser();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file, and returns the page as soon as it shows this text. */
async function opened(file: string, place: string, shows: string): Promise<string> {
  const page = await openPage();
  await page.goto(pathToFileURL(join(folder, file)).href + place);
  await page.getByText(shows).first().waitFor();
  const content = await page.content();
  await page.close();
  return content;
}

test.runIf(hasBrowser)("every part of the matrix opens, and runs no script of a server", async () => {
  writeFileSync(join(folder, "matrix.html"), matrixPage(hostileMatrix(), sampleMatrix()));
  const at = (place: string, shows: string) => opened("matrix.html", `#/matrix/matrix${place}`, shows);
  const overview = await at("?fault=server&client=alpha", "1 of 2 causes");
  expect(overview).toContain("alpha with beta");
  const cell = await at(
    `/cell/${encodeURIComponent("alpha/beta/jsonrpc/1.0/spec-streaming")}`,
    "The fault of the client",
  );
  const cause = await at("/cause/server-beta-err-020", "Report to ");
  for (const page of [overview, cell, cause, await at("/pair/alpha/beta", "alpha")]) {
    expect(page).not.toMatch(/<title>taken|<img/);
    expect(page).not.toContain("is not in this document");
  }
});

test.runIf(hasBrowser)("a fleet league has search and pages, and runs no script from an agent", async () => {
  const agents = Array.from({ length: 230 }, (_, index) => verdict(`${hostile} ${index}`, { url: hostile }));
  const quoted = verdict("it's", {
    url: "https://x.example/'; rm -rf ~ #",
    class: "rules-broken",
    outcome: "not-conformant",
    run: "run-broken",
  });
  const source = sourceOf([...agents, verdict("other"), quoted]);
  const options = { now: new Date("2026-11-16T08:00:00Z"), contact: "ops@registry.example" };
  for await (const [path, text] of fleetSite(await fleetReport(source, { version: "1.2.3" }), source, options)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const index = await opened("index.html", "#/fleet/registry?find=taken&from=200", "201 to 230 of 230");
  expect(index.match(/<tr>/g)!.length).toBeGreaterThan(30);
  const agent = await opened(`agents/${slugOf(agents[0]!.agent)}.html`, "", "Is this your agent?");
  expect(agent).toContain("User-agent: a2a-assay\nDisallow: /");
  for (const page of [index, agent]) expect(page).not.toMatch(/<title>taken|<img src="?x/);
  const owned = await opened(`agents/${slugOf("it's")}.html`, "", "Is this your agent?");
  expect(owned).toContain("npx a2a-assay test 'https://x.example/'\\''; rm -rf ~ #' --depth quick");
  expect(owned).toContain("<b>ERR-020</b> MUST");
});

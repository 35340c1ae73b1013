import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { framed, grpcV10 } from "@assay/protocol/grpc";
import { expect, test } from "vitest";
import type { MatrixExchange } from "../document/evidence.ts";
import { sampleEntry, sampleMatrix } from "../document/sample.case.ts";
import { readable } from "./readable.ts";
import { matrixSite } from "./site.ts";

const hostile = `</pre></script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;

/** Every word that comes from an SDK, a server or a driver is an attack. */
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

test("a page for each pair and each cause, and nothing that any of them would have to load", () => {
  const site = matrixSite(sampleMatrix(), sampleMatrix());
  expect([...site.keys()]).toEqual([
    "index.html",
    "style.css",
    "script.js",
    "pairs/alpha--alpha.html",
    "pairs/alpha--beta.html",
    "pairs/beta--alpha.html",
    "pairs/beta--beta.html",
    "causes/client-alpha-surfaced-sendstreamingmessage-unexpected-error.html",
    "causes/server-beta-err-020.html",
  ]);
  const loaded = [...site].flatMap(([path, text]) =>
    path.endsWith(".html") ? [...text.matchAll(/(?:src|href)="(?!#)([^"]+)"/g)].map(([, to]) => to!) : [],
  );
  const beyond = loaded.filter((to) => !to.startsWith("https://a2a-protocol.org/"));
  const known = new Set([...site.keys()].flatMap((path) => [path, `../${path}`]));
  expect(beyond.filter((to) => !known.has(to.split("#")[0]!))).toEqual([]);
});

test("every link to a cell leads to a place that is there", () => {
  const site = matrixSite(sampleMatrix());
  const missing = [...site].flatMap(([path, text]) =>
    [...text.matchAll(/href="(?!https:)([^"#]*)#([^"]+)"/g)].flatMap(([, to, anchor]) => {
      const page = to === "" ? path : to!.replace("../", "");
      return site.get(page)?.includes(`id="${anchor}"`) ? [] : [`${path}: ${to}#${anchor}`];
    }),
  );
  expect(missing).toEqual([]);
});

test("a large matrix stays a few megabytes", () => {
  const one = sampleMatrix();
  const drivers = Array.from({ length: 9 }, (_, index) => ({ ...one.drivers[0]!, name: `sdk-${index}` }));
  const cells = drivers.flatMap(({ name: client }) =>
    drivers.flatMap(({ name: server }) =>
      one.cells.map((cell) => ({ ...cell, id: `${client}/${server}/${cell.id}`, client, server, scenario: cell.id })),
    ),
  );
  const scenarios = [...new Set(cells.map(({ scenario }) => scenario))].map((id) => ({ id, name: id, group: "" }));
  const site = matrixSite({ ...one, drivers, cells, scenarios });
  const bytes = [...site.values()].reduce((sum, text) => sum + text.length, 0);
  expect(cells.filter(({ outcome }) => outcome === "failed").length).toBe(648);
  expect(bytes).toBeLessThan(6_000_000);
});

test("what crossed as protobuf can be read", () => {
  const entry = sampleEntry("x1", {}, "");
  const asked = framed(grpcV10.writeRequest("ListTasks", { pageSize: 7 }));
  const answered = [1, 2].map(() => framed(grpcV10.writeAnswer("SubscribeToTask", { task: { id: "t" } })));
  const over = (operation: string, request: Uint8Array, answer: Uint8Array): MatrixExchange =>
    readable({
      id: "x1",
      interface: { binding: "GRPC", dialect: "1.0", url: "http://127.0.0.1:1" },
      breaches: [],
      entry: {
        ...entry,
        request: {
          ...entry.request,
          url: `http://127.0.0.1:1/lf.a2a.v1.A2AService/${operation}`,
          postData: {
            mimeType: "application/grpc",
            text: Buffer.from(request).toString("base64"),
            _encoding: "base64",
          },
        },
        response: {
          ...entry.response,
          content: {
            size: 1,
            mimeType: "application/grpc",
            text: Buffer.from(answer).toString("base64"),
            encoding: "base64",
          },
          _arrivals: [1, 2],
        },
      },
    });
  expect(over("ListTasks", asked, new Uint8Array()).entry.request.postData?.text).toContain('"pageSize":7');
  const { content } = over("SubscribeToTask", new Uint8Array(), Buffer.concat(answered)).entry.response;
  expect(content.mimeType).toBe("text/event-stream");
  expect(content.text.match(/^data: \{"task"/gm)).toHaveLength(2);
});

const hasChromium = spawnSync("chromium", ["--version"], { stdio: "ignore" }).status === 0;

test.runIf(hasChromium)("a browser runs the script of the site from a folder, and none of a server", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-site-"));
  try {
    for (const [path, text] of matrixSite(hostileMatrix(), sampleMatrix())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const opened = (address: string): string =>
      execFileSync(
        "chromium",
        [
          ...["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(folder, "profile")}`],
          ...["--dump-dom", `file://${folder}/${address}`],
        ],
        { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
      );
    const overview = opened("index.html#fault=server&client=alpha");
    expect(overview).toContain('aria-live="polite">1 of 2 causes</output>');
    expect(overview).toMatch(/<option value="server" ?(?:selected="")?>/);
    const pair = opened("pairs/alpha--beta.html#jsonrpc-1.0-spec-streaming");
    expect(pair).toMatch(/<details class="finding panel" id="jsonrpc-1.0-spec-streaming" open="">/);
    for (const page of [overview, pair, opened("causes/server-beta-err-020.html")])
      expect(page).not.toMatch(/<title>taken|<img/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

import { framed, grpcV10 } from "@assay/protocol/grpc";
import { expect, test } from "vitest";
import type { MatrixExchange } from "./document/evidence.ts";
import { readable } from "./document/readable.ts";
import { sampleEntry, sampleMatrix } from "./document/sample.fixture.ts";
import { matrixPage } from "./site.ts";

test("the page holds the document and loads nothing; without JavaScript it says what the Markdown says", () => {
  const page = matrixPage(sampleMatrix(), sampleMatrix());
  expect(page).toContain("default-src 'none'");
  expect(page.match(/<script(?![^>]*application\/json)[^>]*>/g)).toEqual(["<script>"]);
  expect(page.match(/<(?:link|img|iframe)\b/g)).toBeNull();
  const ids = [...page.matchAll(/<script type="application\/json" id="([^"]+)">/g)].map(([, id]) => id);
  expect(ids).toEqual(["/api/matrices", "/api/matrices/matrix", "/api/matrices/matrix/since"]);
  expect(/<noscript>([\s\S]*?)<\/noscript>/.exec(page)![1]).toContain("**20 of 28 cells passed.**");
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
  const bytes = matrixPage({ ...one, drivers, cells, scenarios }).length;
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

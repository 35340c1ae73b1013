import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { keptMatrices } from "../../packages/cli/src/ui/matrices.ts";
import { sampleMatrix } from "../../packages/matrix/src/document/sample.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-matrix-"));
const file = join(folder, "sample.json");
const flaky = { driver: "beta", role: "server", why: "It comes and goes.", flaky: true } as const;
const isFlaky = (client: string, server: string, binding: string): boolean =>
  client === "beta" && server === "beta" && binding === "GRPC";
const sample = sampleMatrix((cell) =>
  cell.outcome === "failed" && isFlaky(cell.client, cell.server, cell.binding) ? { ...cell, known: flaky } : cell,
);
writeFileSync(file, JSON.stringify(sample));
const ui = useUi((lab) => ({ ...lab, matrices: keptMatrices([file]) }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(hasBrowser)("Matrix", () => {
  test("from a cell to its scenarios, the exchange and whose fault it is; filters have an address", async () => {
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/matrix`);
    await page.getByRole("link", { name: "2026-11-16" }).click();
    await page.getByText("20 of 28 passed").waitFor();
    await expectAccessible(page);
    await page.getByLabel("client", { exact: true }).selectOption("beta");
    expect(page.url()).toContain("client=beta");
    await page.reload();
    expect(await page.getByLabel("client", { exact: true }).inputValue()).toBe("beta");
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.getByRole("link", { name: "3/4 alpha with alpha" }).click();
    await expectAccessible(page);
    await page.getByRole("link", { name: "failed" }).first().click();
    await page.getByRole("heading", { name: "The fault of the client" }).waitFor();
    await page.locator(".exchange").getByText("1 of 2 events").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "One cause of 4 red cells" }).click();
    await page.getByRole("heading", { name: "Report to example.com/alpha" }).waitFor();
    await expectAccessible(page);
  });

  test("scenarios against one test bed, and the entry of an SDK", async () => {
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/matrix`);
    await page.getByRole("link", { name: "2026-11-16" }).click();
    await page.getByRole("link", { name: "scenario × SDK against one test bed" }).click();
    const clients = page.getByRole("group", { name: "SDK clients against the server of alpha" });
    await clients.getByRole("row", { name: /spec-streaming.*0\/2 alpha.*2\/2 beta/s }).waitFor();
    await expectAccessible(page);
    await clients.getByRole("link", { name: "beta", exact: true }).click();
    await page.getByText("12 of 14 passed as a client; 8 of 14 passed as a server").waitFor();
    await page.getByRole("link", { name: "GetTask: an unknown task is -32603" }).waitFor();
    expect(await page.getByText("SendStreamingMessage").count()).toBe(0);
    await page.getByRole("row", { name: /^beta/ }).getByRole("link").first().click();
    await page.getByText("known, flaky").waitFor();
    await page.getByRole("link", { name: "failed" }).last().click();
    await page.getByText("flaky: it does not fail in every run").waitFor();
    await expectAccessible(page);
  });

  test("on a phone, in the dark, from a file; one that is no matrix is refused", async () => {
    const page = await ui.page({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await page.goto(`${ui.server.url}/#/matrix`);
    const wrong = { name: "a.json", mimeType: "application/json", buffer: Buffer.from("{}") };
    await page.getByLabel("a matrix document").setInputFiles(wrong);
    await page.getByText("a.json is not a matrix document").waitFor();
    await page.getByLabel("a matrix document").setInputFiles(file);
    await page.getByText("20 of 28 passed").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "GetTask: an unknown task is -32603" }).click();
    expect(await page.locator(".exchange mark").textContent()).toContain("-32603");
  });
});

test("where there is none, nothing is listed", async () => {
  expect(keptMatrices([join(folder, "missing.json")]).read("missing")).toBeUndefined();
  const answer = await ui.ask("GET", "/api/matrices/missing");
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ hint: expect.any(String) })]);
});

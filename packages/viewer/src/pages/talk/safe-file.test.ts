import { expect, test } from "vitest";
import { bytesIn, safeName, safeType } from "./safe-file.ts";

test.each([
  ["image/png", "image/png"],
  ["TEXT/PLAIN; charset=utf-8", "text/plain"],
  ["text/html", "application/octet-stream"],
  ["image/svg+xml", "application/octet-stream"],
  ["application/xhtml+xml", "application/octet-stream"],
  [undefined, "application/octet-stream"],
])("%s is kept as %s", (given, kept) => expect(safeType(given)).toBe(kept));

test.each([
  ["report.pdf", "report.pdf"],
  ["../../.ssh/authorized_keys", "authorized_keys"],
  ["C:\\temp\\a.txt", "a.txt"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["...", "file"],
  [undefined, "file"],
])("%s is called %s", (given, name) => expect(safeName(given)).toBe(name));

test("both alphabets of Base64 are read, and what is none is no file", () => {
  expect(bytesIn("-_8=")).toEqual(Uint8Array.of(251, 255));
  expect(bytesIn("%%%")).toBeUndefined();
});

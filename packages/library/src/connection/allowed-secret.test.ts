import { resolve } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import { expect, test } from "vitest";
import { allowingFlag, mayGoTo, readAllowedSecret } from "./allowed-secret.ts";

test.each([
  ["env:TOKEN@a.test", "https://a.test/rpc", true],
  ["env:TOKEN@a.test:443", "https://A.TEST./", true],
  ["env:TOKEN@a.test", "https://a.test:8443/", false],
  ["env:TOKEN@a.test:8443", "https://a.test:8443/", true],
  ["env:TOKEN@a.test", "http://a.test/", false],
  ["env:TOKEN@a.test:443", "http://a.test:443/", false],
  ["env:TOKEN@http://a.test:81", "http://a.test:81/", true],
  ["env:TOKEN@http://a.test:81", "https://a.test:81/", false],
  ["env:TOKEN@a.test", "https://b.a.test/", false],
  ["env:TOKEN@a.test", "https://a.test@b.test/", false],
  ["env:OTHER@a.test", "https://a.test/", false],
  ["@TOKEN@a.test", "https://a.test/", false],
  // This machine, by whichever of its names.
  ["env:TOKEN@localhost:9999", "http://127.0.0.1:9999/", true],
  ["env:TOKEN@[::1]:9999", "http://localhost:9999/", true],
  ["env:TOKEN@127.0.0.1:9999", "http://127.0.0.1:9998/", false],
])("%s lets env:TOKEN go to %s: %s", (flag, address, may) => {
  expect(mayGoTo([readAllowedSecret(flag)], "env:TOKEN", address)).toBe(may);
});

test("a file is known by its path, however it is written", () => {
  const allowed = [readAllowedSecret("@keys/a@b.pem@a.test")];
  for (const path of ["keys/a@b.pem", "./keys/../keys/a@b.pem", resolve("keys/a@b.pem")])
    expect(mayGoTo(allowed, `@${path}`, "https://a.test")).toBe(true);
  expect(mayGoTo(allowed, "@keys/b.pem", "https://a.test")).toBe(false);
});

test.each([
  "env:TOKEN",
  "@file",
  "TOKEN@a.test",
  "env:@a.test",
  "env:A B@a.test",
  "@@a.test",
  "env:T@",
  "env:T@a b",
  "env:T@ftp://a.test",
])("%s is no --allow-secret, and the message says what one looks like", (text) => {
  expect(() => readAllowedSecret(text)).toThrow(UsageError);
});

test.each([
  ["env:TOKEN", "https://a.test/x?y", "--allow-secret env:TOKEN@a.test:443"],
  ["env:TOKEN", "http://127.0.0.1:9999", "--allow-secret env:TOKEN@127.0.0.1:9999"],
  ["env:TOKEN", "http://a.test", "--allow-secret env:TOKEN@http://a.test:80"],
  ["@/my keys/it's", "https://a.test", `--allow-secret '@/my keys/it'\\''s@a.test:443'`],
])("the flag that lets %s go to %s does", (reference, address, flag) => {
  expect(allowingFlag(reference, address)).toBe(flag);
  const given = flag.replace("--allow-secret ", "").replaceAll("'\\''", "\0").replaceAll("'", "").replaceAll("\0", "'");
  expect(mayGoTo([readAllowedSecret(given)], reference, address)).toBe(true);
});

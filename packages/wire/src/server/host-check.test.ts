import { expect, test } from "vitest";
import { createHostCheck } from "./host-check.ts";

const passing = (check: (host: string | undefined) => boolean, hosts: (string | undefined)[]) => hosts.filter(check);

const loopback = [
  "localhost",
  "LOCALHOST:3000",
  "localhost.",
  "a.localhost:1",
  "127.0.0.1:3000",
  "127.9.9.9",
  "[::1]:80",
];
const foreign = ["evil.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.nip.io", "notlocalhost"];
const broken = [
  undefined,
  "",
  ":80",
  "[::1",
  "user@localhost",
  "localhost/x",
  "local host",
  "localhost:80:80",
  "[localhost]",
];
const literals = ["192.168.1.5:3000", "[fe80::1]"];

test("a server on loopback accepts loopback names only", () => {
  const check = createHostCheck({ boundHost: "127.0.0.1" });
  expect(passing(check, [...loopback, ...literals, ...foreign, ...broken])).toEqual(loopback);
});

test("a server on all addresses also accepts IP literals, which cannot be rebound", () => {
  const check = createHostCheck({ boundHost: "0.0.0.0" });
  expect(passing(check, [...loopback, ...literals, ...foreign, ...broken])).toEqual([...loopback, ...literals]);
});

test("the bound name, the public URL's host and listed names pass, whatever the port", () => {
  const check = createHostCheck({
    boundHost: "Box.lan",
    publicUrl: "https://agents.example:8443/base",
    allowed: ["assay"],
  });
  const named = ["box.lan:3000", "agents.example", "AGENTS.example:8443", "assay:3000"];
  expect(passing(check, [...named, ...foreign])).toEqual(named);
});

test("the public URL's host passes with a loopback bind as well", () => {
  const check = createHostCheck({ boundHost: "::1", publicUrl: "https://agents.example" });
  expect(passing(check, ["agents.example", "[::1]:3000", ...literals, ...foreign])).toEqual([
    "agents.example",
    "[::1]:3000",
  ]);
});

import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each([
  "localhost",
  "LOCALHOST",
  "localhost.",
  "demo.localhost",
  "127.0.0.1",
  "127.0.0.1.",
  "127.255.255.254",
  "::1",
  "[::1]",
  "0:0:0:0:0:0:0:1",
  "[0000::0001]",
  "::ffff:127.0.0.1",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  new URL("http://2130706433/").hostname,
  new URL("http://[::ffff:127.0.0.1]/").hostname,
])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  "127.evil.com",
  "127.0.0.1.evil.com",
  "127.0.0.1.nip.io",
  "127.0.0",
  "127.0.0.256",
  "localhost.evil.com",
  "notlocalhost",
  "[localhost]",
  "localhost:80",
  "0.0.0.0",
  "::",
  "::2",
  "1::1",
  "::1::",
  "0:0:1",
  "::ffff:10.0.0.1",
  "::ffff:127.0.0.256",
  "10.0.0.1",
  "",
])("%s may lead elsewhere", (host) => {
  expect(isLoopback(host)).toBe(false);
});

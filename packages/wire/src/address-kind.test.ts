import { expect, test } from "vitest";
import { addressKind } from "./address-kind.ts";

test.each([
  ["127.0.0.1", "loopback"],
  ["[::1]", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["10.1.2.3", "private"],
  ["[fd00::1]", "private"],
  ["169.254.169.254", "metadata"],
  ["fe80::1%eth0", "linkLocal"],
  ["93.184.215.14", "public"],
])("%s is %s", (host, kind) => {
  expect(addressKind(host)).toBe(kind);
});

test.each(["127.evil.com", "10.evil.com", "192.168.evil.com", "localhost", "fd00.evil.com"])(
  "%s is a name, whatever it begins with",
  (host) => {
    expect(addressKind(host)).toBeUndefined();
  },
);

import { expect, test } from "vitest";
import { accountOf } from "./account.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::9", "2001:db8:1:3::/64"],
  ["", ""],
])("%j is on the account %j", (address, account) => {
  expect(accountOf(address)).toBe(account);
});

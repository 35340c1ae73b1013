import { expect, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { startTcpProxy } from "./planted-gateway.fixture.ts";

test("nothing is reported on a TCP proxy with load, size and silence", async () => {
  expect(await judgedThrough(startTcpProxy, "full")).toEqual([]);
});

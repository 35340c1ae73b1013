import { describe, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { hasNginx, startNginx } from "./nginx.fixture.ts";

describe.skipIf(!hasNginx).concurrent("nginx", () => {
  test("holds streams back by default", async ({ expect }) => {
    expect(await judgedThrough((port) => startNginx(port, ""))).toEqual(["GW-STREAM-TIMING broken"]);
  });

  test("preserves everything without buffering", async ({ expect }) => {
    expect(await judgedThrough((port) => startNginx(port, "proxy_buffering off;"))).toEqual([]);
  });
});

import { describe, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { hasNginx, startNginx } from "./nginx.fixture.ts";
import { startTcpProxy } from "./planted-gateway.fixture.ts";

// Depth full includes 70 s of silence on each binding.
describe.concurrent("load, size and silence", () => {
  test("nothing is reported on a TCP proxy", async ({ expect }) => {
    expect(await judgedThrough(startTcpProxy, "full")).toEqual([]);
  });

  test.skipIf(!hasNginx)("nothing is reported on nginx with the settings of docs/gateways.md", async ({ expect }) => {
    const settings = `proxy_buffering off; proxy_read_timeout 3600s; client_max_body_size 20m; proxy_intercept_errors off;
      proxy_ignore_client_abort off; proxy_next_upstream off;`;
    expect(await judgedThrough((port) => startNginx(port, settings), "full")).toEqual([]);
  });

  test.skipIf(!hasNginx)("nginx by default limits bodies, buffers streams and cuts silent ones", async ({ expect }) => {
    expect(await judgedThrough((port) => startNginx(port, ""), "full")).toEqual([
      "GW-BODY-SIZE broken",
      "GW-STREAM-IDLE broken",
      "GW-STREAM-TIMING broken",
    ]);
  });
});

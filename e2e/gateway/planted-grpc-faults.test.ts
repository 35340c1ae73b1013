import { describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { judgedThrough, lineOf, quick, unexaminedThrough } from "./gateway-run.fixture.ts";
import { startFaultyGateway } from "./planted-gateway.fixture.ts";
import { type GrpcFault, grpcFaults, startFaultyGrpcGateway } from "./planted-grpc-gateway.fixture.ts";

describe.concurrent("gateways that break nothing", () => {
  test("nothing is reported on an HTTP/2 proxy without a fault", async ({ expect }) => {
    expect(await judgedThrough((port) => startFaultyGrpcGateway(port, undefined))).toEqual([]);
  });

  test("a gateway may notice a cancellation with the next message", async ({ expect }) => {
    const how = { ...quick, only: ["GW-GRPC-DISCONNECT"] };
    expect(await judgedThrough((port) => startFaultyGrpcGateway(port, "cancels-late"), how)).toEqual([]);
  });

  testIf(provesAll)("a gateway without HTTP/2 is not blamed, and nothing of HTTP/2 passes", async ({ expect }) => {
    const unexamined = await unexaminedThrough((port) => startFaultyGateway(port, undefined));
    const none = "the gateway passed no gRPC call on: ";
    expect(unexamined).toContainEqual(expect.stringContaining(`GRPC 1.0 GW-GRPC-CALL: ${none}`));
    expect(unexamined).toContainEqual(expect.stringContaining(`GRPC 1.0 GW-GRPC-TIMING: ${none}`));
    expect(unexamined).toContainEqual(
      expect.stringContaining("JSONRPC 1.0 GW-STREAM-HTTP2: the request did not reach"),
    );
  });
});

/** `npm test` tries every ninth of them. */
const tried = sampleOf(Object.entries(grpcFaults), 9);

describe.concurrent("a gateway that breaks one thing of HTTP/2", () => {
  test.each(tried)("%s is found", async (fault, broken) => {
    const found = await judgedThrough((port) => startFaultyGrpcGateway(port, fault as GrpcFault));
    expect(found).toEqual(broken.map(lineOf).toSorted());
  });
});

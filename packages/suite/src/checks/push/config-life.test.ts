import type { JsonValue } from "@assay/protocol";
import type { Reply } from "@assay/wire";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import type { ActiveCheck } from "../../define/check.ts";
import type { Finding } from "../../define/finding.ts";
import { configLife } from "./config-life.ts";

const isGone = configLife.find(({ id }) => id === "PUSH-016") as ActiveCheck;

const callOf = (reply: Reply): Call =>
  ({
    on: { url: "http://127.0.0.1/", binding: "HTTP+JSON", dialect: "1.0" },
    exchange: { http: {} },
    reply,
  }) as unknown as Call;
const result = (json: JsonValue): Call => callOf({ is: "result", json });
const notFound = callOf({ is: "error", error: { message: "no", http: 404, details: [] } });
const refused = callOf({ is: "error", error: { message: "no", http: 405, details: [] } });
const wordy = callOf({ is: "malformed", because: "HTTP 200 with a body that is not JSON" });
const config = { id: "c", url: "https://example.com/" };

test.each<[string, Call, Call, Call, string]>([
  ["confirmed, and gone", result({}), notFound, result({ configs: [] }), "holds"],
  ["confirmed in words of its own, and gone", wordy, notFound, result({ configs: [] }), "holds"],
  ["confirmed, and still to be read", result({}), result(config), result({ configs: [] }), "broken"],
  ["confirmed, and still listed", result({}), notFound, result({ configs: [config] }), "broken"],
  ["confirmed in words of its own, and still there", wordy, result(config), result({ configs: [config] }), "broken"],
  ["refused, and still there", refused, result(config), result({ configs: [config] }), "broken"],
  ["confirmed in words of its own, and nothing to be learnt of it", wordy, refused, refused, "broken"],
])("a configuration whose deletion is %s", (_, call, got, listed, expected) => {
  const deletion = { id: "c", call, got, listed: [listed], again: notFound };
  const finding = isGone.judge({ pushConfigs: { deletion, outlived: true } }, undefined as never) as Finding;
  expect(finding.is === "breach" ? finding.code : finding.is).toBe(expected);
});

const lacksId = configLife.find(({ id }) => id === "PUSH-046") as ActiveCheck;

test("a deletion without id that is confirmed with neither result nor error counts as taken: JSONRPC-003 owns its form", () => {
  const reply: Reply = { is: "malformed", because: "neither" };
  const call = {
    on: { url: "http://127.0.0.1/", binding: "JSONRPC", dialect: "1.0" },
    operation: "DeleteTaskPushNotificationConfig",
    exchange: { http: { response: { status: 200, body: Buffer.from('{"jsonrpc":"2.0","id":1}') } } },
    reply,
    said: reply,
  } as unknown as Call;
  const lacking = [{ what: "DeleteTaskPushNotificationConfig without id", call }];
  const [finding] = lacksId.judge({ pushConfigs: { lacking } }, undefined as never) as Finding[];
  expect(finding?.is === "breach" && finding.code).toBe("missing-id-read-as-empty");
});

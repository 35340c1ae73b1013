import { artifact, eachObject, status } from "@assay/agents/making";
import type { Stage } from "../stage.ts";
import { answerOf, by, doing, making, reasonOf, telling } from "./agents.ts";

const strange = { "x-vendor": { build: 7 }, x_trace: "9f86d081" };

/** Rewrites a time with nine fractional digits. */
const nineDigits = (time: unknown): unknown =>
  typeof time === "string" ? time.replace(/(\.\d{3})?Z$/, ".123456789Z") : time;

/** Situations about the answer to a message. */
export const answerStages = {
  send: telling("send"),
  task: by(making(answerOf("task"))),
  "unknown-members": by(making(answerOf("unknown-members")), {
    layers: {
      codec: (json, { is }) => (is === "error" ? json : eachObject(json, (object) => ({ ...object, ...strange }))),
      card: (card) => ({ ...card, ...strange }),
    },
  }),
  times: by(making(answerOf("times")), {
    layers: {
      codec: (json) =>
        eachObject(json, (object) =>
          "timestamp" in object ? { ...object, timestamp: nineDigits(object["timestamp"]) as string } : object,
        ),
    },
  }),
  parts: by(
    doing(async function* () {
      yield status("working");
      yield artifact(
        "everything",
        [
          { data: { rows: [1, 2] }, mediaType: "application/json" },
          {
            raw: Buffer.from("bytes").toString("base64"),
            filename: "a.bin",
            mediaType: "application/octet-stream",
          },
          { url: "https://files.example.com/b.png", mediaType: "image/png" },
          { text: answerOf("parts") },
        ],
        { last: true },
      );
      yield status("completed");
    }),
  ),
  "legacy-card": telling("legacy-card", {
    layers: {
      card: (card, baseUrl) => ({
        url: `${baseUrl}/older`,
        preferredTransport: "JSONRPC",
        protocolVersion: "0.3.0",
        supportsAuthenticatedExtendedCard: false,
        ...card,
      }),
    },
  }),
  failed: by(
    doing(async function* () {
      yield status("working");
      yield status("failed", reasonOf("failed"));
    }),
  ),
  rejected: by(
    doing(async function* () {
      yield status("rejected", reasonOf("rejected"));
    }),
  ),
  "asks-back": by(
    doing(async function* () {
      yield status("input-required", reasonOf("asks-back"));
    }),
  ),
} as const satisfies Record<string, Stage>;

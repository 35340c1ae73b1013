import type { JsonObject, JsonValue } from "@assay/protocol";
import { expectInvalid } from "../../answers/expect-error.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { holds } from "../../define/finding.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { sendParams } from "../../observations/sending.ts";
import { sentCall } from "../../observations/sent-calls.ts";

/** An incomplete message, and its name in findings. */
interface Lack {
  readonly what: string;
  /** makes a valid message incomplete */
  readonly spoil: (message: JsonObject) => JsonObject;
  /** protobuf cannot express it, or there it equals another case of the row */
  readonly jsonOnly?: true;
}

/** Sends one after the other and stops at the first that the agent accepts, to save it work. */
const lacking = (id: string, ...lacks: readonly Lack[]): Check =>
  activeCheck(id, {
    async judge(_seen, target) {
      for (const { what, spoil, jsonOnly } of lacks) {
        if (jsonOnly && target.on.binding === "GRPC") continue;
        const message = spoil(sendParams(target).message);
        const call = await target.call("SendMessage", { message }, { refusable: true });
        const finding = expectInvalid(call, what);
        if (finding.is !== "holds") return finding;
      }
      return holds();
    },
  });

const without =
  (member: string) =>
  (message: JsonObject): JsonObject => {
    const { [member]: _gone, ...rest } = message;
    return rest;
  };

const having =
  (member: string, value: JsonValue) =>
  (message: JsonObject): JsonObject => ({ ...message, [member]: value });

export const incompleteMessageChecks: readonly Check[] = [
  activeCheck("SEND-003", {
    uses: { wrong: invalidInput },
    judge({ wrong }) {
      const sent = sentCall(wrong, ({ field, missing }) => field === "message" && missing === true);
      if (!sent) throw new TypeError("requests with invalid parameters do not include one without a message");
      return expectInvalid(sent.call, sent.what);
    },
  }),
  lacking(
    "SEND-004",
    { what: "SendMessage with an empty messageId", spoil: having("messageId", "") },
    { what: "SendMessage without a messageId", spoil: without("messageId"), jsonOnly: true },
  ),
  lacking(
    "SEND-005",
    { what: "SendMessage without a role", spoil: without("role") },
    { what: "SendMessage with ROLE_UNSPECIFIED", spoil: having("role", "ROLE_UNSPECIFIED"), jsonOnly: true },
  ),
  lacking(
    "SEND-006",
    { what: "SendMessage with empty parts", spoil: having("parts", []) },
    { what: "SendMessage without parts", spoil: without("parts"), jsonOnly: true },
  ),
  lacking(
    "SEND-007",
    { what: "SendMessage with a part without content", spoil: having("parts", [{}]) },
    {
      what: "SendMessage with a part that has text and url",
      spoil: having("parts", [{ text: "hello", url: "https://example.com/hello.txt" }]),
      jsonOnly: true,
    },
  ),
];

import type { JsonObject, JsonValue } from "@assay/protocol";
import { expectInvalid } from "../../answers/expect-error.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { type Finding, holds } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { sendParams } from "../../observations/sending.ts";
import { sentCall } from "../../observations/sent-calls.ts";

/** A message that lacks something, and how to say it. */
interface Lack {
  readonly what: string;
  /** what becomes of a message that is in order */
  readonly spoil: (message: JsonObject) => JsonObject;
  /** protobuf cannot say it, or not apart from another one of the row */
  readonly jsonOnly?: true;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly remedy: string;
  readonly lacks: readonly Lack[];
}

const without =
  (member: string) =>
  (message: JsonObject): JsonObject => {
    const { [member]: _gone, ...rest } = message;
    return rest;
  };

const having =
  (member: string, value: JsonValue) =>
  (message: JsonObject): JsonObject => ({ ...message, [member]: value });

const rows: readonly Row[] = [
  {
    id: "SEND-004",
    title: "a message without a messageId is refused",
    remedy: "Refuse a message whose `messageId` is missing or empty with InvalidParams (-32602, HTTP 400).",
    lacks: [
      { what: "a message with an empty messageId", spoil: having("messageId", "") },
      { what: "a message without messageId", spoil: without("messageId"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-005",
    title: "a message without a role is refused",
    remedy: "Refuse a message whose `role` is missing or ROLE_UNSPECIFIED with InvalidParams (-32602, HTTP 400).",
    lacks: [
      { what: "a message without role", spoil: without("role") },
      { what: "a message with ROLE_UNSPECIFIED", spoil: having("role", "ROLE_UNSPECIFIED"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-006",
    title: "a message without parts is refused",
    remedy: "Refuse a message whose `parts` are missing or empty with InvalidParams (-32602, HTTP 400).",
    lacks: [
      { what: "a message with empty parts", spoil: having("parts", []) },
      { what: "a message without parts", spoil: without("parts"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-007",
    title: "a part with no content, or with two, is refused",
    remedy: "Refuse a part that has not exactly one of `text`, `raw`, `url` and `data` with InvalidParams.",
    lacks: [
      { what: "a part without content", spoil: having("parts", [{}]) },
      {
        what: "a part with text and url",
        spoil: having("parts", [{ text: "hello", url: "https://example.com/hello.txt" }]),
        jsonOnly: true,
      },
    ],
  },
];

/** One after the other: an agent that takes the first has done work enough. */
async function tryAll({ lacks }: Row, target: Target): Promise<Finding> {
  for (const { what, spoil, jsonOnly } of lacks) {
    if (jsonOnly && target.on.binding === "GRPC") continue;
    const message = spoil(sendParams(target).message);
    const call = await target.call("SendMessage", { message }, { refusable: true });
    const finding = expectInvalid(call, what);
    if (finding.is !== "holds") return finding;
  }
  return holds();
}

const incompleteMessages: readonly Check[] = rows.map((row) =>
  activeCheck({
    id: row.id,
    title: row.title,
    remedy: row.remedy,
    uses: {},
    judge: (_seen, target) => tryAll(row, target),
  }),
);

const messageIsRequired = activeCheck({
  id: "SEND-003",
  title: "a send without a message is refused",
  remedy: "Refuse a SendMessage request that has no `message` with InvalidParams (-32602, HTTP 400, INVALID_ARGUMENT).",
  uses: { wrong: invalidInput },
  judge({ wrong }) {
    const sent = sentCall(wrong, ({ field, missing }) => field === "message" && missing === true);
    if (!sent) throw new TypeError("requests with wrong parameters lack the one without a message");
    return expectInvalid(sent.call, sent.what);
  },
});

export const incompleteMessageChecks: readonly Check[] = [messageIsRequired, ...incompleteMessages];

import type { JsonObject, JsonValue } from "@assay/protocol";
import { expectInvalid } from "../../answers/expect-error.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { type Finding, holds } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { sendParams } from "../../observations/sending.ts";
import { sentCall } from "../../observations/sent-calls.ts";

/** An incomplete message, and its name in findings. */
interface Lack {
  readonly what: string;
  /** makes a valid message incomplete */
  readonly spoil: (message: JsonObject) => JsonObject;
  /** protobuf cannot express it, or it equals another case of the row there */
  readonly jsonOnly?: true;
}

interface Row {
  readonly id: string;
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
    lacks: [
      { what: "SendMessage with an empty messageId", spoil: having("messageId", "") },
      { what: "SendMessage without a messageId", spoil: without("messageId"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-005",
    lacks: [
      { what: "SendMessage without a role", spoil: without("role") },
      { what: "SendMessage with ROLE_UNSPECIFIED", spoil: having("role", "ROLE_UNSPECIFIED"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-006",
    lacks: [
      { what: "SendMessage with empty parts", spoil: having("parts", []) },
      { what: "SendMessage without parts", spoil: without("parts"), jsonOnly: true },
    ],
  },
  {
    id: "SEND-007",
    lacks: [
      { what: "SendMessage with a part without content", spoil: having("parts", [{}]) },
      {
        what: "SendMessage with a part that has text and url",
        spoil: having("parts", [{ text: "hello", url: "https://example.com/hello.txt" }]),
        jsonOnly: true,
      },
    ],
  },
];

/** Sends one after the other and stops at the first that the agent accepts, to save it work. */
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
    uses: {},
    judge: (_seen, target) => tryAll(row, target),
  }),
);

const messageIsRequired = activeCheck({
  id: "SEND-003",
  uses: { wrong: invalidInput },
  judge({ wrong }) {
    const sent = sentCall(wrong, ({ field, missing }) => field === "message" && missing === true);
    if (!sent) throw new TypeError("requests with invalid parameters do not include one without a message");
    return expectInvalid(sent.call, sent.what);
  },
});

export const incompleteMessageChecks: readonly Check[] = [messageIsRequired, ...incompleteMessages];

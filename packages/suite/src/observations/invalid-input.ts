import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { hasOperation } from "../answers/operations-of.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";
import { inDialectOf } from "./in-dialect-of.ts";
import { sendParams } from "./sending.ts";
import { type SentCalls, sentCalls } from "./sent-calls.ts";

/** A request with one error. */
export interface WrongInput {
  /** "SendMessage with parts that are a string" */
  readonly what: string;
  /** the last segment of the path to the error */
  readonly field: string;
  /** a member is missing, instead of having a wrong type */
  readonly missing?: true;
  /** a value outside its enum, which lenient readers treat as missing */
  readonly unknownValue?: string;
  /** readers that convert numbers to text treat it as a task id */
  readonly orNotFound?: true;
  readonly call: Call;
}

/** Sends wrong JSON types. Protobuf has no wrong types, so over gRPC a required member is missing. */
export const invalidInput = observation<SentCalls<WrongInput>>("requests with wrong parameters", {
  async make(target) {
    const cases = target.on.binding === "GRPC" ? [withoutMessage] : [...wrongTypes(target), withoutMessage];
    const known = cases.filter(({ operation }) => hasOperation(target.on, operation));
    // Invalid input cannot be translated, so it is written in the version itself.
    const how = (params: JsonObject) =>
      target.on.dialect === "1.0" ? { share: JSON.stringify(params) } : ({ literal: true, fair: false } as const);
    return sentCalls(
      known.map(async ({ operation, params, ...rest }) => ({
        ...rest,
        call: await target.call(operation, params, { refusable: true, ...how(params) }),
      })),
    );
  },
});

interface Case extends Omit<WrongInput, "call"> {
  readonly operation: UnaryOperation;
  readonly params: JsonObject;
}

const withoutMessage: Case = {
  what: "SendMessage without a message",
  field: "message",
  missing: true,
  operation: "SendMessage",
  params: {},
};

function wrongTypes(target: Target): Case[] {
  const message = inDialectOf(target, "SendMessage", sendParams(target))["message"] as JsonObject;
  // HTTP+JSON of 0.3 uses the names of its .proto.
  const parts = Object.hasOwn(message, "content") ? "content" : "parts";
  const send = { operation: "SendMessage" } as const;
  return [
    {
      what: "SendMessage with parts that are a string",
      field: "parts",
      ...send,
      params: { message: { ...message, [parts]: "hello" } },
    },
    {
      what: "SendMessage with a message that is a string",
      field: "message",
      ...send,
      params: { message: "hello" },
    },
    {
      what: "SendMessage with a role that does not exist",
      field: "role",
      unknownValue: unknownRole(target),
      ...send,
      params: { message: { ...message, role: unknownRole(target) } },
    },
    {
      what: 'ListTasks with pageSize "abc"',
      field: "pageSize",
      operation: "ListTasks",
      params: { pageSize: "abc" },
    },
    // In a path every id is text.
    ...(target.on.binding === "JSONRPC"
      ? [
          {
            what: "GetTask with an id that is a number",
            field: "id",
            orNotFound: true as const,
            operation: "GetTask" as const,
            params: { id: 4815162342 },
          },
        ]
      : []),
  ];
}

const unknownRole = ({ on }: Target): string => (on.dialect === "1.0" ? "ROLE_WIZARD" : "wizard");

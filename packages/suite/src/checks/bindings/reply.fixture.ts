import type { Binding, JsonValue, Operation } from "@assay/protocol";
import type { Reply } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import { spoken } from "./call.fixture.ts";

/** Builds a call for rules about content: only the reply matters. */
export const replied = (operation: Operation, reply: Reply, binding: Binding = "JSONRPC"): Call => ({
  ...spoken(binding, { operation }),
  reply,
  said: reply,
});

/** Builds a stream that the server ended in good order. */
export const streamOf = (events: readonly JsonValue[]): Reply => ({
  is: "stream",
  events: events.map((json, at) => ({ is: "result", json, at, bytes: 0 })),
});

import type { Operation } from "@assay/protocol";
import { errorTable, isStreaming } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { isA2A, isNamed } from "./error-names.ts";
import { errorOf } from "./reading.ts";

interface Asked {
  readonly operation: Operation;
  readonly call: Call;
}

/**
 * Recognises an unknown operation. Any other error shows that the agent knows it. `asked` are other calls to compare
 * with: if a web server writes all errors of an agent, a missing path looks like any other error.
 */
export function isUnknown({ operation, call }: Asked, asked: readonly Asked[] = []): boolean {
  const error = errorOf(call);
  if (isA2A(call)) return false;
  switch (call.on.binding) {
    case "JSONRPC":
      return error?.code === -32601;
    case "GRPC":
      return error?.grpc?.status === "UNIMPLEMENTED";
    case "HTTP+JSON": {
      // The verb for subscribing is disputed (AMB-04); REST-006 tries both.
      if (operation === "SubscribeToTask") return false;
      const status = call.exchange.http.response?.status;
      if (status === 405 || error?.reason === errorTable.MethodNotFound.reason) return true;
      if (status !== 404) return false;
      // Without an id in the path, only the path itself can be missing.
      if (operation === "ListTasks" || operation === "GetExtendedAgentCard") return true;
      const known = asked.find((one) => one.operation === "GetTask");
      return call.reply.is === "malformed" && operation !== "GetTask" && known?.call.reply.is !== "malformed";
    }
  }
}

/**
 * Recognises a web server page, or an error that is not in HTTP+JSON format. One call alone cannot tell if the path is
 * missing or the error has the wrong format.
 */
export const isPage = ({ on, reply, exchange }: Call): boolean =>
  on.binding === "HTTP+JSON" && reply.is === "malformed" && [404, 405].includes(exchange.http.response?.status ?? 0);

/** Returns true if the agent lacks the operation or its capability. */
export const isNotServed = (call: Call): boolean =>
  call.operation !== undefined &&
  (isUnknown({ operation: call.operation, call }) || lacksCapability(call.operation, call));

/** Returns true if a streaming or push operation was refused because the agent lacks the capability. */
export const lacksCapability = (operation: Operation, call: Call): boolean =>
  (isStreaming(operation) && isNamed(call, "UnsupportedOperation")) ||
  (operation.includes("Push") && isNamed(call, "PushNotificationNotSupported"));

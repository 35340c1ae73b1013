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
 * Answered as if there were no such operation. Any other error shows that it is known. `asked` are the calls beside it:
 * an agent that dresses all its errors as its web server does cannot be told from one that lacks the path.
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
      // By which verb one subscribes is not settled (AMB-04), and REST-006 tries both.
      if (operation === "SubscribeToTask") return false;
      const status = call.exchange.http.response?.status;
      if (status === 405 || error?.reason === errorTable.MethodNotFound.reason) return true;
      if (status !== 404) return false;
      // Where there is no id in the path, only the path can be what was not found.
      if (operation === "ListTasks" || operation === "GetExtendedAgentCard") return true;
      const known = asked.find((one) => one.operation === "GetTask");
      return call.reply.is === "malformed" && operation !== "GetTask" && known?.call.reply.is !== "malformed";
    }
  }
}

/**
 * The page of a web server, or an error that is not in the form of HTTP+JSON. Either nothing is served at that path, or the
 * error is dressed so: one call alone does not tell.
 */
export const isPage = ({ on, reply, exchange }: Call): boolean =>
  on.binding === "HTTP+JSON" && reply.is === "malformed" && [404, 405].includes(exchange.http.response?.status ?? 0);

/** Not there: the operation is unknown, or its capability is. */
export const isNotServed = (call: Call): boolean =>
  call.operation !== undefined &&
  (isUnknown({ operation: call.operation, call }) || lacksCapability(call.operation, call));

/** Refuses an operation of streaming or push notifications as a capability that the agent lacks. */
export const lacksCapability = (operation: Operation, call: Call): boolean =>
  (isStreaming(operation) && isNamed(call, "UnsupportedOperation")) ||
  (operation.includes("Push") && isNamed(call, "PushNotificationNotSupported"));

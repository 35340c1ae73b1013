import { type Operation, operations } from "@assay/protocol";
import { dialectFor, type PeerInterface } from "@assay/wire";

/** Returns true if the version of an interface defines an operation. ListTasks, for example, is new in 1.0. */
export const hasOperation = ({ binding, dialect }: PeerInterface, operation: Operation): boolean =>
  dialectFor(binding, dialect)?.methodOf(operation) !== undefined;

export const isSend = (operation: Operation | undefined): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** Returns all operations of the version that an interface speaks. */
export const operationsOf = (on: PeerInterface): readonly Operation[] =>
  (Object.keys(operations) as Operation[]).filter((operation) => hasOperation(on, operation));

import { type Operation, operations } from "@assay/protocol";
import { dialectFor, type PeerInterface } from "@assay/wire";

/** Whether the version that an interface speaks has an operation: 1.0 brought ListTasks, others came before it. */
export const hasOperation = ({ binding, dialect }: PeerInterface, operation: Operation): boolean =>
  dialectFor(binding, dialect)?.methodOf(operation) !== undefined;

/** Sends a message. */
export const isSend = (operation: Operation | undefined): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** All operations of the version that an interface speaks. */
export const operationsOf = (on: PeerInterface): readonly Operation[] =>
  (Object.keys(operations) as Operation[]).filter((operation) => hasOperation(on, operation));

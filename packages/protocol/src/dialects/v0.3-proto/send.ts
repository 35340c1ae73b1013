import { defined } from "../../defined.ts";
import type {
  SendMessageConfiguration as ConfigurationShape,
  SendMessageRequest as SendShape,
} from "../../generated/model-0.3-proto.ts";
import type { SendMessageConfiguration, SendMessageRequest } from "../../model.ts";
import { positive, readHistoryLength } from "../v0.3/send.ts";
import { readMessage, writeMessage } from "./message.ts";
import { readPushConfig, writePushConfig } from "./push-config.ts";

/**
 * What `a2a.v1` sends. Its `blocking` has no presence: in a configuration, "not said" and "do not wait" are the same
 * bytes, and so they are read. Without a configuration nothing was said at all, and we wait. We always say: a send
 * that waits goes out with `blocking: true`, even if that is all its configuration holds.
 *
 * `historyLength` has no presence either, and its 0 means unlimited: 1.0's 0 (none) cannot be asked for.
 *
 * Lost on the way out: `tenant`, a `historyLength` that is not positive, and an empty configuration.
 */
export const readSend = ({ message, configuration, metadata }: SendShape): SendMessageRequest =>
  defined({
    message: readMessage(message),
    configuration: configuration && readConfiguration(configuration),
    metadata,
  });

function readConfiguration(shape: ConfigurationShape): SendMessageConfiguration | undefined {
  const { acceptedOutputModes, pushNotification, historyLength, blocking } = shape;
  const configuration = defined({
    acceptedOutputModes: acceptedOutputModes?.length ? acceptedOutputModes : undefined,
    taskPushNotificationConfig: pushNotification && readPushConfig(pushNotification),
    historyLength: readHistoryLength(historyLength),
    returnImmediately: blocking ? undefined : true,
  });
  return Object.keys(configuration).length ? configuration : undefined;
}

export const writeSend = ({ message, configuration = {}, metadata }: SendMessageRequest): SendShape =>
  defined({ message: writeMessage(message), configuration: writeConfiguration(configuration), metadata });

function writeConfiguration(configuration: SendMessageConfiguration): ConfigurationShape {
  const { acceptedOutputModes, taskPushNotificationConfig, historyLength, returnImmediately } = configuration;
  return defined({
    acceptedOutputModes,
    pushNotification: taskPushNotificationConfig && writePushConfig(taskPushNotificationConfig),
    historyLength: positive(historyLength),
    blocking: returnImmediately ? undefined : true,
  });
}

import { defined } from "../../defined.ts";
import type {
  SendMessageConfiguration as ConfigurationShape,
  SendMessageRequest as SendShape,
} from "../../generated/model-0.3-proto.ts";
import type { SendMessageConfiguration, SendMessageRequest } from "../../model.ts";
import { positive, readHistoryLength } from "../v0.3/requests.ts";
import { readPushConfig, writePushConfig } from "./push-config.ts";
import { readMessage, writeMessage } from "./task.ts";

/**
 * The send request of `a2a.v1`. Its `blocking` has no presence: in a configuration, "not set" and "do not wait" are the
 * same bytes, and are read as "do not wait". Without a configuration the call waits. We always write it: a send that
 * waits has `blocking: true`, even if that is the whole configuration.
 *
 * `historyLength` has no presence either, and 0 means unlimited: 1.0's 0 (none) cannot be expressed.
 *
 * Lost on output: `tenant`, a `historyLength` that is not positive, and an empty configuration.
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

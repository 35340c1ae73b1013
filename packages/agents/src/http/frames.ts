import {
  type Dialect,
  type DialectExchange,
  isTerminal,
  type JsonValue,
  type Operation,
  type StreamResponse,
} from "@assay/protocol";
import type { Layers, Written } from "../layers.ts";

/** The JSON of a stream's events as a dialect writes them, in order. */
export async function* framesOf(
  events: AsyncIterable<StreamResponse>,
  written: Written,
  codec: Layers["codec"],
  exchange: DialectExchange | undefined,
): AsyncGenerator<JsonValue> {
  const { dialect } = written;
  for await (const event of events) {
    const frames =
      dialect.version === "1.0"
        ? [event as unknown as JsonValue]
        : dialect.writeEvents(event, exchange, { last: closesStream(event) });
    for (const frame of frames) yield codec ? codec(frame, written) : frame;
  }
}

/** Whether the stream ends behind this event: the engine closes it there. */
function closesStream({ message, statusUpdate }: StreamResponse): boolean {
  const state = statusUpdate?.status.state;
  return message !== undefined || (state !== undefined && (isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED"));
}

export const writtenAs = (
  is: Written["is"],
  binding: Written["binding"],
  dialect: Dialect,
  operation: Operation | undefined,
): Written => ({ is, binding, dialect, operation });

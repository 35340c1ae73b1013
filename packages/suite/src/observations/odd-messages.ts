import type { Part } from "@assay/protocol";
import { isEnded, looseEvent, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { asking, otherVersionOf } from "../shapes/active-extensions.ts";
import { optionalFor, requiredBy } from "./adorned-messages.ts";
import { follow } from "./sent-message.ts";

/** A part of a media type that no agent reads. */
export const unknownMediaType = observation<Call>("a part of an unknown media type", {
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make(target) {
    const { parts } = target.message("task");
    const mediaType = "application/x-a2a-unknown";
    // Before 1.0 only files had a type. The bytes are base64 twice, for servers that decode them twice.
    const isOlder = target.on.dialect !== "1.0";
    return target.send("task", {
      parts: isOlder ? [...parts, { raw: "WVhOellYaz0=", mediaType }] : parts.map((part) => ({ ...part, mediaType })),
    });
  },
});

/** A part of a media type that no agent reads, in a streamed message. */
export const streamOfUnknownMediaType = observation<Call>("a stream for a part of an unknown media type", {
  messages: 1,
  prompts: ["stream"],
  rank: 7,
  async make(target) {
    const parts = target.message("stream").parts.map((part) => ({ ...part, mediaType: "application/x-a2a-unknown" }));
    const live = await target.stream("stream", { parts });
    // A rejection arrives at once. Any other reaction is up to the agent.
    await live.peek(target.taskTimeout);
    return live.rest(0);
  },
});

/** A program by its label, and a line of text by its content. */
const file: Part = {
  raw: Buffer.from("This is only a test, not a program.\n").toString("base64"),
  mediaType: "application/x-msdownload",
  filename: "setup.exe",
};

/** A message with a file of a type that the card does not list. */
export const unexpectedFile = observation<Call>("a file of an unexpected type", {
  messages: 1,
  prompts: ["task"],
  rank: 9,
  async make(target) {
    const modes = target.facts.inputModes.map((mode) => mode.toLowerCase());
    if (modes.some((mode) => /^(\*|application)\/\*$/.test(mode) || mode === file.mediaType)) {
      throw skipped("not-triggered", "the card declares that the agent accepts files of every type");
    }
    return target.send("task", { parts: [...target.message("task").parts, file] });
  },
});

/** Looks like the end of a frame, a header and a JSON text, and like the start of new ones. */
const injection =
  '"}]}\r\nX-Assay-Injected: yes\r\n\r\ndata: {"assayInjected":true}\n\nevent: assay\n\u2028\u2029 \\" </script> OK';

/** A message whose text would break the frame of a careless response; as a stream if the agent streams. */
export const frameLikeMessage = observation<Call>("a message that looks like a frame", {
  messages: 1,
  prompts: ["task", "stream"],
  rank: 7,
  async make(target) {
    const kind = target.facts.streaming ? "stream" : "task";
    const parts = target.say(injection, target.message(kind).parts);
    if (!target.facts.streaming) return target.send("task", { parts });
    const live = await target.stream("stream", { parts });
    await live.until((frame) => frame.is !== "result" || isEnded(looseEvent(frame)?.state), target.taskTimeout);
    return live.rest(target.quiet);
  },
});

/** Letters with composed and combining marks, other scripts, and characters beyond the first plane. */
const sample = "Grüße, čeština, 中文, e\u0301, 👩‍👧 ✓";

/**
 * A message with non-ASCII text, to see how the agent stores and returns it. If the card declares extensions with a
 * version, the message also asks for one in a version that does not exist, which saves a message.
 */
export const unicodeMessage = observation<{ readonly call: Call; readonly outdated: string | undefined }>(
  "a message in many scripts",
  {
    messages: 1,
    prompts: ["task"],
    rank: 7,
    async make(target) {
      const { parts, ...message } = target.message("task");
      const outdated = optionalFor(target.facts).find((uri) => otherVersionOf(uri) !== undefined);
      const call = await target.send("task", {
        message,
        parts: target.say(sample, parts),
        ...(outdated !== undefined && { edit: asking(...requiredBy(target.facts), otherVersionOf(outdated)!) }),
      });
      const task = taskIn(call);
      if (task) await follow(target, task);
      return { call, outdated };
    },
  },
);

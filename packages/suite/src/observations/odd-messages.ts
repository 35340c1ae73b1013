import type { Part } from "@assay/protocol";
import { isEnded, looseEvent, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { asking, otherVersionOf } from "../shapes/active-extensions.ts";
import { optionalFor, requiredBy } from "./adorned-messages.ts";
import { follow } from "./sent-message.ts";

/** A part of a media type that no agent reads. */
export const unknownMediaType = observation<Call>({
  name: "a part of an unknown media type",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make(target) {
    const { parts } = target.message("task");
    const mediaType = "application/x-a2a-unknown";
    // Before 1.0 only files had a type. The bytes are base64 once more, for servers that decode them twice.
    const isOlder = target.on.dialect !== "1.0";
    return target.send("task", {
      parts: isOlder ? [...parts, { raw: "WVhOellYaz0=", mediaType }] : parts.map((part) => ({ ...part, mediaType })),
    });
  },
});

/** A part of a media type that no agent reads, in a message that is streamed. */
export const streamOfUnknownMediaType = observation<Call>({
  name: "a stream for a part of an unknown media type",
  messages: 1,
  prompts: ["stream"],
  rank: 7,
  async make(target) {
    const parts = target.message("stream").parts.map((part) => ({ ...part, mediaType: "application/x-a2a-unknown" }));
    const live = await target.stream("stream", { parts });
    // Whether it is refused shows at once; what an agent makes of it otherwise is its own affair.
    await live.peek(target.taskTimeout);
    return live.rest(0);
  },
});

/** A program by its label, and a line of text by what is in it. */
const file: Part = {
  raw: Buffer.from("This is only a test, not a program.\n").toString("base64"),
  mediaType: "application/x-msdownload",
  filename: "setup.exe",
};

/** A message that has a file of a type which the card does not list. */
export const unexpectedFile = observation<Call>({
  name: "a file of an unexpected type",
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

/** Looks like the end of a frame, of a header and of a JSON text, and like the begin of new ones. */
const injection =
  '"}]}\r\nX-Assay-Injected: yes\r\n\r\ndata: {"assayInjected":true}\n\nevent: assay\n\u2028\u2029 \\" </script> OK';

/** A message whose text would break the frame of an answer that repeats it carelessly; as a stream, where there are any. */
export const frameLikeMessage = observation<Call>({
  name: "a message that looks like a frame",
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

/** Letters with marks, composed and combining, other scripts, and characters beyond the first plane. */
const sample = "Grüße, čeština, 中文, e\u0301, 👩‍👧 ✓";

/**
 * A message whose text is not all ASCII: whatever comes back of it shows how the agent writes and keeps text. Where the
 * card declares extensions with a version, it asks for one of them in a version that does not exist: messages are dear.
 */
export const unicodeMessage = observation<{ readonly call: Call; readonly outdated: string | undefined }>({
  name: "a message in many scripts",
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
});

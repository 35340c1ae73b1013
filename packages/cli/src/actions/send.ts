import type { StreamResponse } from "@assay/protocol";
import type { SendFlags } from "../commands/send.ts";
import type { ExitCode } from "../exit.ts";
import { ask, follow } from "../talking/exchange.ts";
import { requestOf } from "../talking/message.ts";
import { talkTo } from "../talking/talk.ts";
import { contentOf } from "../terminal/content.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `assay send`: finds the agent, sends the message, shows the response, and saves what the flags name. */
export function sendMessage(
  url: string,
  text: string | undefined,
  flags: SendFlags,
  screen: Screen,
): Promise<ExitCode> {
  const request = requestOf(text, flags);
  const what = Array.isArray(request.message.parts) ? contentOf(request.message.parts) : "";
  return talkTo(url, flags, screen, (talk) => {
    if (flags.stream) {
      talk.announce("SendStreamingMessage", what);
      return follow(talk, "SendStreamingMessage", request);
    }
    talk.announce("SendMessage", what);
    return ask(talk, "SendMessage", request, (answer, timeline, at) => timeline.event(at, answer as StreamResponse));
  });
}

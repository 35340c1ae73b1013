// The A2A provider for Vercel's AI SDK, through generateText and streamText.
import { a2a } from "a2a-ai-provider";
import { generateText, streamText } from "ai";
import { serve } from "../framework.mjs";

const modelOf = (url) => a2a(`${url}/.well-known/agent-card.json`);

await serve({
  send: async ({ url, text }) => (await generateText({ model: modelOf(url), prompt: text, maxRetries: 0 })).text,
  async stream({ url, text }) {
    let failure;
    const result = streamText({
      model: modelOf(url),
      prompt: text,
      maxRetries: 0,
      onError({ error }) {
        failure = error;
      },
    });
    const told = await result.text;
    if (failure) throw failure;
    return told;
  },
});

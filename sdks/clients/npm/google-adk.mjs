// RemoteA2AAgent of Google's ADK for JavaScript, as a separate agent in a runner. Its agentCard is the base address,
// because it appends the path of the card to any address.
import { InMemoryRunner, RemoteA2AAgent } from "@google/adk";
import { serve } from "../framework.mjs";

const user = { appName: "assay", userId: "user" };

async function begun(url) {
  const agent = new RemoteA2AAgent({ name: "remote", agentCard: url });
  const runner = new InMemoryRunner({ agent, appName: user.appName });
  return { runner, session: await runner.sessionService.createSession(user) };
}

/** Returns the texts and calls of all complete events in order, as a user of the runner sees them. */
async function told({ runner, session }, text) {
  const shown = [];
  const newMessage = { role: "user", parts: [{ text }] };
  for await (const event of runner.runAsync({ userId: user.userId, sessionId: session.id, newMessage })) {
    if (event.errorMessage) throw new Error(event.errorMessage);
    for (const part of event.content?.parts ?? []) {
      if (part.text && !part.thought && !event.partial) shown.push(part.text);
      if (part.functionCall) shown.push(JSON.stringify(part.functionCall));
    }
  }
  return shown.join("");
}

const send = async ({ url, text }) => told(await begun(url), text);

await serve({
  send,
  stream: send,
  async converse({ url, text, reply }) {
    const conversation = await begun(url);
    await told(conversation, text);
    return told(conversation, reply);
  },
});

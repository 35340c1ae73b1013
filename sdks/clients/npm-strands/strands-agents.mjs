// A2AAgent of Strands Agents for JavaScript.
import { A2AAgent } from "@strands-agents/sdk/a2a";
import { serve } from "../framework.mjs";

const told = async (agent, text) => {
  const result = await agent.invoke(text);
  return `${result}\n${result.stopReason}`;
};

const send = ({ url, text }) => told(new A2AAgent({ url }), text);

await serve({
  send,
  stream: send,
  async converse({ url, text, reply }) {
    const agent = new A2AAgent({ url });
    await agent.invoke(text);
    return told(agent, reply);
  },
});

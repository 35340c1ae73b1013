"""A2AAgent of the BeeAI framework."""

import logging

from beeai_framework.adapters.a2a.agents import A2AAgent
from beeai_framework.memory import UnconstrainedMemory
from framework import serve

# The framework logs to stdout. Its caller gets only what `run` returns.
logging.disable()


async def send(url: str, text: str) -> str:
    output = await A2AAgent(url=url, memory=UnconstrainedMemory()).run(text)
    return output.last_message.text


async def converse(url: str, text: str, reply: str) -> str:
    agent = A2AAgent(url=url, memory=UnconstrainedMemory())
    await agent.run(text)
    return (await agent.run(reply)).last_message.text


serve(send=send, stream=send, converse=converse)

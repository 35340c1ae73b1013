"""An agent of Pydantic AI on FastA2A, set up as in its documentation. Its model is a function.

    python server.py --port 8000 [--think 2]
"""

import argparse
import asyncio
from collections.abc import AsyncIterator

import uvicorn
from fasta2a.pydantic_ai import agent_to_a2a
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, required=True)
options.add_argument("--think", type=float, default=0, help="seconds before each answer")
args = options.parse_args()


async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    await asyncio.sleep(args.think)
    return ModelResponse(parts=[TextPart("OK")])


async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    await asyncio.sleep(args.think)
    yield "O"
    yield "K"


agent = Agent(FunctionModel(answer, stream_function=stream))
app = agent_to_a2a(agent, name="Pydantic AI agent", url=f"http://127.0.0.1:{args.port}")

uvicorn.run(app, host="127.0.0.1", port=args.port, log_level="warning")

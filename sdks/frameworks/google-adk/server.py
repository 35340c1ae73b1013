"""An agent of Google's ADK behind to_a2a, set up as in its documentation. Its model is a stub.

    python server.py --port 8001 [--think 2]
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator

import uvicorn
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.genai import types

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, required=True)
options.add_argument("--think", type=float, default=0, help="seconds before each answer")
args = options.parse_args()


class OkModel(BaseLlm):
    """Says OK."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        await asyncio.sleep(args.think)
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="OK")]))


agent = LlmAgent(name="adk_agent", description="Answers OK", instruction="You answer OK.", model=OkModel(model="ok"))
app = to_a2a(agent, host="127.0.0.1", port=args.port)

uvicorn.run(app, host="127.0.0.1", port=args.port, log_level="warning")

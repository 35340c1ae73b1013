"""An agent of Strands behind its A2AServer, set up as in its documentation. Its model is a stub.

    python server.py --port 9000 [--think 2]
"""

import argparse
import asyncio
from typing import Any

from strands import Agent
from strands.models import Model
from strands.multiagent.a2a import A2AServer

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, required=True)
options.add_argument("--think", type=float, default=0, help="seconds before each answer")
args = options.parse_args()


class OkModel(Model):
    """Says OK, in two pieces."""

    def update_config(self, **model_config: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, output_model, prompt, system_prompt=None, **kwargs):
        raise NotImplementedError("this model writes text only")
        yield  # makes this a generator, as the interface requires

    async def stream(self, messages, tool_specs=None, system_prompt=None, **kwargs):
        await asyncio.sleep(args.think)
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        for text in ("O", "K"):
            yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def agent(context_id: str) -> Agent:
    return Agent(name="Strands agent", description="Answers OK", model=OkModel(), callback_handler=None)


server = A2AServer(agent_factory=agent, host="127.0.0.1", port=args.port)
server.serve(log_level="warning")

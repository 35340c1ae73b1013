"""An agent on the A2A server of the BeeAI framework, over HTTP+JSON, without a model: python beeai_server.py <port>"""

import sys

from beeai_framework.adapters.a2a.serve.server import A2AServer, A2AServerConfig
from beeai_framework.backend import AssistantMessage
from beeai_framework.runnable import Runnable, RunnableOutput


class Clock(Runnable[RunnableOutput]):
    """Tells the time of a town."""

    @property
    def emitter(self):
        from beeai_framework.emitter import Emitter

        return Emitter.root().child(namespace=["clock"])

    async def run(self, input, /, **kwargs):
        return RunnableOutput(output=[AssistantMessage("It is noon over there.")])


config = A2AServerConfig(host="127.0.0.1", port=int(sys.argv[1]), protocol="http_json")
A2AServer(config=config).register(Clock()).serve()

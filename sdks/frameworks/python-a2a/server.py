"""The agent of python-a2a's own introduction, with a fixed answer instead of the weather.

    python server.py --port 5000 [--think 2]
"""

import argparse
import time

from python_a2a import A2AServer, TaskState, TaskStatus, agent, run_server, skill

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, required=True)
options.add_argument("--think", type=float, default=0, help="seconds before each answer")
args = options.parse_args()


@agent(name="python-a2a agent", description="Answers OK", version="1.0.0")
class OkAgent(A2AServer):
    @skill(name="Answer", description="Answers OK", tags=["answer"])
    def answer(self):
        time.sleep(args.think)
        return "OK"

    def handle_task(self, task):
        task.artifacts = [{"parts": [{"type": "text", "text": self.answer()}]}]
        task.status = TaskStatus(state=TaskState.COMPLETED)
        return task


run_server(OkAgent(url=f"http://127.0.0.1:{args.port}"), host="127.0.0.1", port=args.port)

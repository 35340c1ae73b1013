"""A2AClient of python-a2a."""

from framework import serve
from python_a2a import A2AClient


def send(url: str, text: str) -> str:
    return A2AClient(url, timeout=20).ask(text)


async def stream(url: str, text: str) -> str:
    from python_a2a import Message, MessageRole, TextContent

    message = Message(content=TextContent(text=text), role=MessageRole.USER)
    events = A2AClient(url, timeout=20).stream_response(message)
    return "".join([str(each) async for each in events])


serve(send=send, stream=stream)

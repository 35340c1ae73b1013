"""asend_message of LiteLLM, with the agent's address as its base."""

from uuid import uuid4

from a2a.compat.v0_3.types import MessageSendParams, SendMessageRequest, SendStreamingMessageRequest
from framework import serve, texts_in
from litellm.a2a_protocol import asend_message, asend_message_streaming


def params_of(text: str) -> MessageSendParams:
    message = {"role": "user", "parts": [{"kind": "text", "text": text}], "messageId": uuid4().hex}
    return MessageSendParams(message=message)


def shown(responses: list) -> str:
    given = [each.model_dump(mode="json", exclude_none=True) for each in responses]
    for each in given:
        if "error" in each:
            raise RuntimeError(each["error"])
    return texts_in([each["result"] for each in given])


async def send(url: str, text: str) -> str:
    request = SendMessageRequest(id=str(uuid4()), params=params_of(text))
    response = await asend_message(request=request, api_base=url)
    return shown([response])


async def stream(url: str, text: str) -> str:
    request = SendStreamingMessageRequest(id=str(uuid4()), params=params_of(text))
    events = asend_message_streaming(request=request, api_base=url)
    return shown([each async for each in events])


serve(send=send, stream=stream)

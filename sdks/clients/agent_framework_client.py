"""A2AAgent of Microsoft's Agent Framework, with the card that the SDK's resolver reads."""

import httpx
from a2a.client import A2ACardResolver
from agent_framework_a2a import A2AAgent
from framework import serve


async def agent_of(url: str):
    async with httpx.AsyncClient(timeout=20) as http:
        card = await A2ACardResolver(httpx_client=http, base_url=url).get_agent_card()
    return A2AAgent(agent_card=card, url=url, timeout=20)


def shown(response) -> str:
    asked = [str(getattr(each, "text", None) or each.to_dict()) for each in response.user_input_requests]
    return "\n".join([response.text, *asked])


async def send(url: str, text: str) -> str:
    async with await agent_of(url) as agent:
        return shown(await agent.run(text))


async def stream(url: str, text: str) -> str:
    async with await agent_of(url) as agent:
        events = agent.run(text, stream=True)
        return "".join([event.text async for event in events])


async def converse(url: str, text: str, reply: str) -> str:
    async with await agent_of(url) as agent:
        session = agent.create_session()
        await agent.run(text, session=session)
        return shown(await agent.run(reply, session=session))


serve(send=send, stream=stream, converse=converse)

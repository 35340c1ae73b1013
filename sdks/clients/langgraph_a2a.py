"""The tool a2a_send_message of langgraph-a2a-client, called as a LangGraph agent calls it."""

from framework import serve, texts_in
from langgraph_a2a_client import A2AClientToolProvider


async def send(url: str, text: str) -> str:
    provider = A2AClientToolProvider(known_agent_urls=[url], timeout=20)
    [tool] = [each for each in provider.tools if each.name == "a2a_send_message"]
    result = await tool.ainvoke({"message_text": text, "target_agent_url": url})
    if result.get("status") == "error":
        raise RuntimeError(result.get("error"))
    response = result["response"]
    return texts_in([response.get("task", response)])


serve(send=send)

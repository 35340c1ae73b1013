"""Reads a response with the SDK's own client. Returns it in ProtoJSON, or the error that the client raises."""

import json
from typing import Any

import httpx
from a2a.client import A2ACardResolver
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.types import AgentCapabilities, AgentCard, GetExtendedAgentCardRequest, GetTaskRequest, SendMessageRequest
from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP
from google.protobuf.json_format import MessageToDict

BASE = "http://127.0.0.1"


def answering(payload: dict[str, Any]) -> httpx.MockTransport:
    """Answers every request with the payload. An envelope gets the id that the client expects."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=payload)
        asked_by = json.loads(request.content)["id"]
        envelope = payload if "jsonrpc" in payload else {"jsonrpc": "2.0", "result": payload}
        return httpx.Response(200, json={**envelope, "id": asked_by})

    return httpx.MockTransport(answer)


def whole(value: Any) -> Any:
    """A data part stores numbers as doubles, so convert -32001.0 back to -32001."""
    match value:
        case dict():
            return {name: whole(member) for name, member in value.items()}
        case list():
            return [whole(element) for element in value]
        case float() if value.is_integer():
            return int(value)
    return value


async def read_by_client(request: dict[str, Any]) -> dict[str, Any]:
    operation = request.get("operation")
    async with httpx.AsyncClient(transport=answering(whole(request.get("wire_payload", {})))) as http:
        client = JsonRpcTransport(http, AgentCard(capabilities=AgentCapabilities(extended_agent_card=True)), BASE)
        try:
            match operation:
                case "send_message":
                    read = await client.send_message(SendMessageRequest())
                case "get_task":
                    read = await client.get_task(GetTaskRequest(id="1"))
                case "get_agent_card":
                    read = await A2ACardResolver(http, BASE).get_agent_card()
                case "get_extended_agent_card":
                    read = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
                case _:
                    return {"error": {"message": f"no operation {operation}"}}
        except Exception as error:  # Everything that a user of the SDK would have to catch.
            code = JSON_RPC_ERROR_CODE_MAP.get(type(error))
            return {"error": {"message": str(error), **({} if code is None else {"code": code})}}
        return MessageToDict(read)

"""The client side of the driver protocol (docs/drivers.md): reads one request per line, and writes answers."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.metadata import version
from typing import Any

Json = dict[str, Any]
Call = Callable[[Json, Json], Awaitable[Any]]
Stream = Callable[[Json, Json], AsyncIterator[Any]]

PACKAGE = "a2a-sdk"


def sdk() -> Json:
    """Returns the name and the installed version of the package."""
    return {"name": PACKAGE, "version": version(PACKAGE)}


def write(line: Json) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Unsupported(Exception):
    """Raised if the SDK does not support the operation."""


class Malformed(Exception):
    """Raised if the request cannot be read."""


class Driver:
    """The operations of an SDK's client: calls answer once, streams once per event."""

    def __init__(
        self, model: str, calls: dict[str, Call], streams: dict[str, Stream], surfaced: Callable[[Exception], Json]
    ) -> None:
        self._model = model
        self._calls = calls
        self._streams = streams
        self._surfaced = surfaced
        self._open: dict[str, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Answers requests until stdin ends."""
        write({"ready": True, "sdk": sdk(), "model": self._model})
        loop = asyncio.get_running_loop()
        answering: set[asyncio.Task[None]] = set()
        # Read in a thread, so that answers are written while no request arrives.
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            task = asyncio.create_task(self._answer(line))
            answering.add(task)
            task.add_done_callback(answering.discard)
        for task in answering:
            task.cancel()

    async def _answer(self, line: str) -> None:
        name = ""
        try:
            try:
                request = json.loads(line)
                name, op, params, target = request["id"], request["op"], request["params"], request.get("target")
            except (ValueError, KeyError, TypeError) as error:
                raise Malformed(str(error)) from error
            if op == "close":
                if stream := self._open.get(params["id"]):
                    stream.cancel()
                write({"id": name, "result": {}})
            elif op in self._streams:
                await self._follow(name, self._streams[op](target, params))
            elif op in self._calls:
                write({"id": name, "result": await self._calls[op](target, params)})
            else:
                raise Unsupported("The client of the SDK has no such method.")
        except Exception as error:  # Everything that a user of the SDK would have to catch.
            write({"id": name, "error": self._told(error)})

    async def _follow(self, name: str, events: AsyncIterator[Any]) -> None:
        async def read() -> None:
            async for event in events:
                write({"id": name, "event": event})

        reading = self._open[name] = asyncio.create_task(read())
        await asyncio.wait([reading])
        del self._open[name]
        if not reading.cancelled() and (error := reading.exception()):
            raise error
        write({"id": name, "done": True})

    def _told(self, error: Exception) -> Json:
        match error:
            case Unsupported() | NotImplementedError():
                kind = {"kind": "unsupported", "type": type(error).__name__}
            case Malformed():
                kind = {"kind": "driver", "type": type(error).__name__}
            case _:
                kind = self._surfaced(error)
        return {**kind, "message": str(error)}

"""A small A2A 1.0 agent over JSON-RPC that counts words. Python's standard library only.

Start it with: python3 agent.py 9999
"""

import json
import sys
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 9999
URL = f"http://127.0.0.1:{PORT}/"

CARD = {
    "name": "Word Counter",
    "description": "Counts the words of a text.",
    "version": "1.0.0",
    "supportedInterfaces": [{"url": URL, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    "capabilities": {"streaming": False, "pushNotifications": False},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [
        {
            "id": "count",
            "name": "Count words",
            "description": "Returns the number of words in the message.",
            "examples": ["How many words are in this sentence?"],
        }
    ],
}

TERMINAL = {"TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED"}
STATES = TERMINAL | {
    "TASK_STATE_SUBMITTED",
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_AUTH_REQUIRED",
}

tasks = {}  # by id, in the order of their last change


class RpcError(Exception):
    def __init__(self, code, message, reason=None):
        super().__init__(message)
        self.code, self.message, self.reason = code, message, reason


def invalid(message):
    return RpcError(-32602, message)


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text_of(message):
    return " ".join(part["text"] for part in message["parts"] if "text" in part)


def check_message(params):
    message = params.get("message")
    if not isinstance(message, dict):
        raise invalid("message is required")
    if not isinstance(message.get("messageId"), str) or not message["messageId"]:
        raise invalid("message.messageId is required")
    if message.get("role") != "ROLE_USER":
        raise invalid("message.role must be ROLE_USER")
    parts = message.get("parts")
    if not isinstance(parts, list) or not parts:
        raise invalid("message.parts must not be empty")
    for part in parts:
        kinds = [kind for kind in ("text", "raw", "url", "data") if isinstance(part, dict) and kind in part]
        if len(kinds) != 1:
            raise invalid("a part has exactly one of text, raw, url and data")
        if kinds[0] != "data" and not isinstance(part[kinds[0]], str):
            raise invalid(f"{kinds[0]} must be a string")
    for name in ("taskId", "contextId"):
        if name in message and not isinstance(message[name], str):
            raise invalid(f"message.{name} must be a string")
    return message


def history_length(given):
    length = given.get("historyLength")
    if length is None:
        return None
    if isinstance(length, bool) or not isinstance(length, int) or length < 0:
        raise invalid("historyLength must be a number of 0 or more")
    return length


def shown(task, length=None, artifacts=True):
    """The task with its last messages."""
    copy = {key: value for key, value in task.items() if key != "artifacts" or artifacts}
    if length == 0:
        del copy["history"]
    elif length is not None:
        copy["history"] = task["history"][-length:]
    return copy


def send_message(params):
    message = check_message(params)
    configuration = params.get("configuration") or {}
    if not isinstance(configuration, dict):
        raise invalid("configuration must be an object")
    length = history_length(configuration)
    if message.get("taskId"):
        task = find(message["taskId"])
        if message.get("contextId") not in (None, "", task["contextId"]):
            raise invalid("contextId does not match the task")
        raise RpcError(-32004, "The task has ended", "UNSUPPORTED_OPERATION")
    if not any("text" in part for part in message["parts"]):
        raise RpcError(-32005, "This agent reads only text", "CONTENT_TYPE_NOT_SUPPORTED")
    task_id, context_id = str(uuid.uuid4()), message.get("contextId") or str(uuid.uuid4())
    asked = {**message, "taskId": task_id, "contextId": context_id}
    answer = f"{len(text_of(message).split())} words"
    task = {
        "id": task_id,
        "contextId": context_id,
        "status": {"state": "TASK_STATE_COMPLETED", "timestamp": now()},
        "artifacts": [{"artifactId": "count", "parts": [{"text": answer, "mediaType": "text/plain"}]}],
        "history": [asked],
    }
    tasks[task_id] = task
    return {"task": shown(task, length)}


def find(task_id):
    if task_id not in tasks:
        raise RpcError(-32603, f"No task {task_id}")
    return tasks[task_id]


def task_id_in(params):
    task_id = params.get("id")
    if not isinstance(task_id, str) or not task_id:
        raise invalid("id is required")
    return task_id


def get_task(params):
    task_id, length = task_id_in(params), history_length(params)
    return shown(find(task_id), length)


def cancel_task(params):
    task = find(task_id_in(params))
    raise RpcError(-32002, f"Task {task['id']} has ended", "TASK_NOT_CANCELABLE")


def instant(text):
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        raise invalid("statusTimestampAfter must be a timestamp") from None


def list_tasks(params):
    size = params.get("pageSize")
    size = 50 if size is None else size
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 100:
        raise invalid("pageSize must be a number from 1 to 100")
    state = params.get("status")
    if state is not None and state not in STATES:
        raise invalid("status must be a task state")
    after = params.get("statusTimestampAfter")
    after = None if after is None else instant(after)
    length = history_length(params)
    context = params.get("contextId")
    found = [
        task
        for task in reversed(tasks.values())
        if (not context or task["contextId"] == context)
        and (state is None or task["status"]["state"] == state)
        and (after is None or instant(task["status"]["timestamp"]) >= after)
    ]
    start = 0
    if params.get("pageToken"):
        ids = [task["id"] for task in found]
        if params["pageToken"] not in ids:
            raise invalid("pageToken is unknown")
        start = ids.index(params["pageToken"])
    page, rest = found[start : start + size], found[start + size :]
    return {
        "tasks": [shown(task, length, params.get("includeArtifacts") is True) for task in page],
        "nextPageToken": rest[0]["id"] if rest else "",
        "pageSize": size,
        "totalSize": len(found),
    }


def unsupported(code, message, reason):
    def refuse(_params):
        raise RpcError(code, message, reason)

    return refuse


no_streams = unsupported(-32004, "This agent does not stream", "UNSUPPORTED_OPERATION")
no_push = unsupported(-32003, "This agent has no push notifications", "PUSH_NOTIFICATION_NOT_SUPPORTED")

METHODS = {
    "SendMessage": send_message,
    "GetTask": get_task,
    "ListTasks": list_tasks,
    "CancelTask": cancel_task,
    "SendStreamingMessage": no_streams,
    "SubscribeToTask": no_streams,
    "CreateTaskPushNotificationConfig": no_push,
    "GetTaskPushNotificationConfig": no_push,
    "ListTaskPushNotificationConfigs": no_push,
    "DeleteTaskPushNotificationConfig": no_push,
    "GetExtendedAgentCard": unsupported(-32004, "This agent has no extended card", "UNSUPPORTED_OPERATION"),
}


def error_of(error):
    body = {"code": error.code, "message": error.message}
    if error.reason:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "domain": "a2a-protocol.org"}
        body["data"] = [{**info, "reason": error.reason}]
    return body


def respond(body, version):
    """The JSON-RPC response to a request body."""
    try:
        request = json.loads(body)
    except ValueError:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "The body is not JSON"}}
    is_request = (
        isinstance(request, dict)
        and request.get("jsonrpc") == "2.0"
        and isinstance(request.get("method"), str)
        and not isinstance(request.get("id"), (bool, dict, list))
    )
    if not is_request:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "This is not a request"}}
    answer = {"jsonrpc": "2.0", "id": str(request.get("id"))}
    try:
        if version not in ("1.0", "1.0.0"):
            raise RpcError(-32009, f"Version {version} is not supported", "VERSION_NOT_SUPPORTED")
        if request["method"] not in METHODS:
            raise RpcError(-32601, "Unknown method")
        params = request.get("params", {})
        if not isinstance(params, dict):
            raise invalid("params must be an object")
        return {**answer, "result": METHODS[request["method"]](params)}
    except RpcError as error:
        return {**answer, "error": error_of(error)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/.well-known/agent-card.json":
            self.send_json(200, CARD, {"Cache-Control": "max-age=60", "ETag": '"1"'})
        else:
            self.send_json(404, {"error": "not found"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_json(200, respond(body, self.headers.get("A2A-Version", "0.3")))

    def send_json(self, status, value, headers=None):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()

// Generated from sdk-faults/sdk-calls.yaml by `npm run generate`. Do not edit.

import type { SdkLanguage } from "../report/sdk-faults.ts";

/** The call of each SDK that avoids a failure, by rule. */
export const sdkCalls: Readonly<Record<string, Readonly<Record<SdkLanguage, string>>>> = {
  "JSONRPC-007": {
    "python": "Mount the routes of `create_jsonrpc_routes(request_handler, rpc_url)`. They answer unreadable requests themselves, so let no middleware parse the body first.",
    "js": "Mount `jsonRpcHandler({ requestHandler, userBuilder })`. It answers unreadable requests itself, so put no `express.json()` in front of it.",
    "go": "Serve `a2asrv.NewJSONRPCHandler(handler)`. It answers unreadable requests itself, so read no body in front of it.",
    "java": "Depend on `a2a-java-sdk-reference-jsonrpc`. Its routes answer unreadable requests themselves, so add no exception mapper in front of them."
  },
  "JSONRPC-008": {
    "python": "Mount the routes of `create_jsonrpc_routes(request_handler, rpc_url)`. They answer unreadable requests themselves, so let no middleware parse the body first.",
    "js": "Mount `jsonRpcHandler({ requestHandler, userBuilder })`. It answers unreadable requests itself, so put no `express.json()` in front of it.",
    "go": "Serve `a2asrv.NewJSONRPCHandler(handler)`. It answers unreadable requests itself, so read no body in front of it.",
    "java": "Depend on `a2a-java-sdk-reference-jsonrpc`. Its routes answer unreadable requests themselves, so add no exception mapper in front of them."
  },
  "JSONRPC-009": {
    "python": "Raise `InvalidParamsError` (a2a.utils.errors) for missing parameters; another exception becomes -32603.",
    "js": "Throw `RequestMalformedError` (@a2a-js/sdk) for missing parameters; another error becomes -32603.",
    "go": "Return an error that wraps `a2a.ErrInvalidParams` for missing parameters; another error becomes -32603.",
    "java": "Throw `new InvalidParamsError()` for missing parameters; another exception becomes -32603."
  },
  "VER-005": {
    "python": "Mount `create_jsonrpc_routes` and `create_rest_routes`; both check the version. Over gRPC, raise `VersionNotSupportedError` yourself.",
    "js": "Mount `jsonRpcHandler` and `restHandler`; both call `validateVersion`. In a handler of your own, call it yourself.",
    "go": "Return `a2a.ErrVersionNotSupported` from `Before` of a `CallInterceptor`, and register it with `a2asrv.WithCallInterceptors`.",
    "java": "Throw `new VersionNotSupportedError(...)` when the requested version is not one that you serve."
  },
  "SEND-008": {
    "python": "Let `DefaultRequestHandler` load the task. In a handler of your own, raise `UnsupportedOperationError` when the task is in a terminal state.",
    "js": "Let `DefaultRequestHandler` load the task. In a handler of your own, throw `UnsupportedOperationError` when the task is in a terminal state.",
    "go": "Return `a2a.ErrUnsupportedOperation` when `execCtx.StoredTask.Status.State.Terminal()` is true.",
    "java": "Throw `new UnsupportedOperationError()` when `context.getTask().status().state().isFinal()` is true."
  },
  "STREAM-016": {
    "python": "Let `DefaultRequestHandler` load the task. In a handler of your own, raise `UnsupportedOperationError` when the task is in a terminal state.",
    "js": "Let `DefaultRequestHandler` load the task. In a handler of your own, throw `UnsupportedOperationError` when the task is in a terminal state.",
    "go": "Return `a2a.ErrUnsupportedOperation` when `execCtx.StoredTask.Status.State.Terminal()` is true.",
    "java": "Throw `new UnsupportedOperationError()` when `context.getTask().status().state().isFinal()` is true."
  },
  "STREAM-017": {
    "python": "Let `DefaultRequestHandler` load the task. In a handler of your own, raise `TaskNotFoundError` when `task_store.get()` returns None.",
    "js": "Let `DefaultRequestHandler` load the task. In a handler of your own, throw `TaskNotFoundError` when `taskStore.load()` returns nothing.",
    "go": "Let `a2asrv.NewHandler` load the task. In a handler of your own, return `a2a.ErrTaskNotFound`.",
    "java": "Throw `new TaskNotFoundError()` when the message has a taskId and `context.getTask()` is null."
  },
  "CTX-008": {
    "python": "Let `DefaultRequestHandler` load the task. In a handler of your own, raise `TaskNotFoundError` when `task_store.get()` returns None.",
    "js": "Let `DefaultRequestHandler` load the task. In a handler of your own, throw `TaskNotFoundError` when `taskStore.load()` returns nothing.",
    "go": "Let `a2asrv.NewHandler` load the task. In a handler of your own, return `a2a.ErrTaskNotFound`.",
    "java": "Throw `new TaskNotFoundError()` when the message has a taskId and `context.getTask()` is null."
  },
  "STREAM-003": {
    "python": "Call `event_queue.enqueue_event(task)` before the first update. The task is `context.current_task`, or a new one from `new_task_from_user_message(context.message)`.",
    "js": "Call `eventBus.publish(AgentEvent.task(task))` before the first `AgentEvent.statusUpdate`.",
    "go": "Yield `a2a.NewSubmittedTask(execCtx, execCtx.Message)` when `execCtx.StoredTask` is nil, else yield the stored task.",
    "java": "Call `emitter.addTask(task)` before the first `emitter.updateStatus(...)`; build a new task with `emitter.taskBuilder()`."
  },
  "HIST-006": {
    "python": "Let `DefaultRequestHandler` answer; it cuts the history. In a handler of your own, call `apply_history_length(task, config)` (a2a.utils.task).",
    "js": "Let `DefaultRequestHandler` answer; it cuts the history. In a handler of your own, slice `task.history` to `configuration.historyLength`.",
    "go": "Cut `task.History` to `Config.HistoryLength` in `After` of a `CallInterceptor`.",
    "java": "Cut `task.history()` to `context.getConfiguration().historyLength()` before you return the task."
  },
  "CANCEL-001": {
    "python": "In `cancel()`, call `await updater.cancel()` (TaskUpdater) and stop the work of `execute()`.",
    "js": "In `cancelTask()`, publish `AgentEvent.statusUpdate` with `TaskState.TASK_STATE_CANCELED` and stop the work of `execute()`.",
    "go": "In `Cancel`, yield `a2a.NewStatusUpdateEvent(execCtx, a2a.TaskStateCanceled, nil)`. The context of `Execute` is canceled.",
    "java": "In `cancel()`, call `emitter.cancel()` and stop the work of `execute()`."
  }
};

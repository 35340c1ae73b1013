// Generated from sdk-faults/sdk-faults.yaml by `npm run generate`. Do not edit.

import type { KnownSdk, SdkFault } from "../report/sdk-faults.ts";

export const sdks: Readonly<Record<string, KnownSdk>> = {
  "a2a-python": {
    "package": "a2a-sdk",
    "language": "Python",
    "calls": "python",
    "releases": [
      {
        "version": "1.3.0",
        "dialects": [
          "1.0",
          "0.3"
        ],
        "pages": [
          "a2a-python-1.3.0.md",
          "a2a-python-1.3.0-compat-0.3.md"
        ]
      },
      {
        "version": "0.3.26",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "a2a-python-0.3.26.md"
        ]
      }
    ]
  },
  "a2a-js": {
    "package": "@a2a-js/sdk",
    "language": "JavaScript",
    "calls": "js",
    "releases": [
      {
        "version": "1.3.0",
        "dialects": [
          "1.0",
          "0.3"
        ],
        "pages": [
          "a2a-js-1.3.0.md",
          "a2a-js-1.3.0-compat-0.3.md"
        ]
      },
      {
        "version": "0.3.14",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "a2a-js-0.3.14.md"
        ]
      },
      {
        "version": "0.2.5",
        "dialects": [
          "0.2"
        ],
        "pages": [
          "a2a-js-0.2.5.md"
        ]
      }
    ]
  },
  "a2a-go": {
    "package": "a2a-go",
    "language": "Go",
    "calls": "go",
    "releases": [
      {
        "version": "2.4.0",
        "dialects": [
          "1.0",
          "0.3"
        ],
        "pages": [
          "a2a-go.md"
        ]
      },
      {
        "version": "0.3.15",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "a2a-go.md"
        ]
      }
    ]
  },
  "a2a-rust": {
    "package": "a2a-lf",
    "language": "Rust",
    "releases": [
      {
        "version": "0.4.2",
        "dialects": [
          "1.0"
        ],
        "pages": [
          "a2a-rust.md"
        ]
      }
    ]
  },
  "a2a-java": {
    "package": "a2a-java-sdk",
    "language": "Java",
    "calls": "java",
    "releases": [
      {
        "version": "0.3.3.Final",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "a2a-java.md"
        ]
      }
    ]
  },
  "fasta2a": {
    "package": "fasta2a",
    "language": "Python",
    "releases": [
      {
        "version": "2.1.1",
        "dialects": [
          "1.0"
        ],
        "pages": [
          "fasta2a-2.1.1.md"
        ]
      }
    ]
  },
  "mastra": {
    "package": "@mastra/core",
    "language": "JavaScript",
    "releases": [
      {
        "version": "1.71.0",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "mastra-1.71.0.md"
        ]
      }
    ]
  },
  "python-a2a": {
    "package": "python-a2a",
    "language": "Python",
    "releases": [
      {
        "version": "0.5.10",
        "dialects": [
          "0.3"
        ],
        "pages": [
          "python-a2a-0.5.10.md"
        ]
      }
    ]
  },
  "voltagent": {
    "package": "@voltagent/a2a-server",
    "language": "JavaScript",
    "releases": [
      {
        "version": "2.0.3",
        "dialects": [
          "0.2"
        ],
        "pages": [
          "voltagent-2.0.3.md"
        ]
      }
    ]
  }
};

export const sdkFaults: readonly SdkFault[] = [
  {"sdk":"a2a-python","versions":["1.3.0"],"rules":["CTX-010"],"dialects":["1.0"],"code":"broken","seen":"A message that names only a task is filed under a new context.","workaround":"Subclass DefaultRequestHandler. In on_message_send and on_message_send_stream, load the task with task_store.get() and set params.message.context_id before you call super()."},
  {"sdk":"a2a-python","versions":["1.3.0"],"rules":["STREAM-003"],"dialects":["1.0"],"code":"continued-without-task","seen":"The stream of a message to an existing task does not begin with the Task.","workaround":"Publish the stored task with event_queue.enqueue_event(context.current_task) before the first update of every turn."},
  {"sdk":"a2a-python","versions":["1.3.0"],"rules":["VER-005"],"bindings":["GRPC"],"dialects":["1.0"],"code":"accepted","seen":"gRPC ignores the a2a-version metadata.","workaround":"Pass a grpc.aio.ServerInterceptor to grpc.aio.server(interceptors=[...]) that aborts with FAILED_PRECONDITION unless a2a-version is one you serve."},
  {"sdk":"a2a-python","versions":["1.3.0"],"rules":["LIST-022"],"bindings":["JSONRPC","HTTP+JSON"],"dialects":["1.0"],"code":"accepted","seen":"ListTasks ignores a status that is not a TaskState and returns every task.","workaround":"Check the raw status (params.status, or the query parameter status) in an ASGI middleware in front of the routes. Answer -32602 or HTTP 400 there. DefaultRequestHandler cannot see it, because ParseDict has dropped it."},
  {"sdk":"a2a-python","versions":["1.3.0"],"rules":["BIND-001"],"dialects":["0.3"],"seen":"The 0.3 layer cannot delete push configurations over HTTP+JSON.","workaround":"Add a Starlette route for DELETE /v1/tasks/{id}/pushNotificationConfigs/{configId} that calls on_delete_task_push_notification_config of your request handler."},
  {"sdk":"a2a-python","versions":["1.3.0","0.3.26"],"rules":["V03-REST-004"],"bindings":["HTTP+JSON"],"dialects":["0.3"],"seen":"A historyLength that is not a number is HTTP 500.","workaround":"Check the query parameter historyLength in an ASGI middleware in front of the REST routes and answer HTTP 400."},
  {"sdk":"a2a-python","versions":["0.3.26"],"rules":["GRPC-002"],"dialects":["0.3"],"seen":"gRPC does not implement ListTaskPushNotificationConfig and DeleteTaskPushNotificationConfig.","workaround":"Subclass GrpcHandler, override both methods and call the request handler's on_list_task_push_notification_config and on_delete_task_push_notification_config."},
  {"sdk":"a2a-python","versions":["0.3.26"],"rules":["PUSH-013","PUSH-014"],"bindings":["HTTP+JSON"],"dialects":["0.3"],"code":"crashed","seen":"Listing push configurations over HTTP+JSON is HTTP 500.","workaround":"Subclass RESTHandler and override list_push_notifications; call the request handler's on_list_task_push_notification_config."},
  {"sdk":"a2a-python","versions":["0.3.26"],"rules":["REST-035"],"bindings":["HTTP+JSON"],"dialects":["0.3"],"code":"crashed","seen":"A request body that is not JSON is HTTP 500 over HTTP+JSON.","workaround":"Parse the body once in an ASGI middleware in front of the REST routes and answer HTTP 400 if that fails."},
  {"sdk":"a2a-js","versions":["1.3.0"],"rules":["CARD-026"],"dialects":["1.0"],"seen":"The card shows security schemes in the SDK's internal form, with $case.","workaround":"Give agentCardHandler an agentCardProvider that returns AgentCard.toJSON(card) instead of the card."},
  {"sdk":"a2a-js","versions":["1.3.0"],"rules":["ERR-004"],"bindings":["JSONRPC","HTTP+JSON"],"dialects":["1.0"],"code":"accepted","seen":"Members of the wrong type are dropped, and the message is processed without them.","workaround":"Validate the body in an Express middleware in front of jsonRpcHandler and restHandler; parts must be a non-empty array. Answer -32602 or HTTP 400."},
  {"sdk":"a2a-js","versions":["1.3.0"],"rules":["JSONRPC-004"],"bindings":["JSONRPC"],"dialects":["1.0"],"code":"error-without-id","seen":"A request with the id 0 gets an error with the id null.","workaround":"None is needed for clients that count from 1. To pass the rule, set the id of error responses in an Express middleware."},
  {"sdk":"a2a-js","versions":["1.3.0"],"rules":["JSONRPC-008"],"bindings":["JSONRPC"],"dialects":["1.0"],"code":"broken","seen":"JSON that is not a Request object is answered with -32602 instead of -32600.","workaround":"Answer -32600 in an Express middleware in front of jsonRpcHandler when the body has no jsonrpc \"2.0\" or no method."},
  {"sdk":"a2a-js","versions":["0.3.14","0.2.5"],"rules":["JSONRPC-009","SEND-003"],"dialects":["0.3","0.2"],"code":"crashed","seen":"A send without a message is an internal error.","workaround":"Reject requests without params.message in an Express middleware in front of the SDK's routes with -32602."},
  {"sdk":"a2a-js","versions":["0.3.14"],"rules":["REST-034"],"bindings":["HTTP+JSON"],"dialects":["0.3"],"code":"internal-error-at-open","seen":"A stream that cannot begin is HTTP 500 over HTTP+JSON.","workaround":"Check the taskId with requestHandler.getTask in an Express middleware in front of message:stream and answer the error there."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["LIST-001"],"dialects":["1.0"],"code":"broken","seen":"ListTasks is refused to callers without a name (-31401).","workaround":"Pass a2asrv.WithTaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: ...})) with an Authenticator that returns a constant name."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["STREAM-003"],"dialects":["1.0"],"code":"continued-without-task","seen":"The stream of a message to an existing task does not begin with the Task.","workaround":"Yield execCtx.StoredTask before the first update when it is not nil."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["SEND-008","STREAM-016"],"dialects":["1.0"],"code":"other-reason","seen":"A message to a task that has ended is refused as invalid parameters.","workaround":"Add a CallInterceptor with a2asrv.WithCallInterceptors whose After replaces the error of SendMessage by a2a.ErrUnsupportedOperation for such tasks."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["SUB-003","SUB-006"],"dialects":["1.0"],"seen":"Only a task at work can be subscribed to; every other task is \"not found\".","workaround":"Wrap the RequestHandler. In SubscribeToTask, call GetTask first; return a2a.ErrUnsupportedOperation for ended tasks, and yield the task for waiting ones."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["VER-005","VER-013"],"dialects":["1.0"],"code":"accepted","seen":"A2A-Version is never read.","workaround":"Add a CallInterceptor with a2asrv.WithCallInterceptors whose Before reads a2a-version from the service parameters and returns a2a.ErrVersionNotSupported."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["HIST-006","HIST-009"],"dialects":["1.0"],"seen":"SendMessage and SendStreamingMessage ignore configuration.historyLength.","workaround":"Add a CallInterceptor with a2asrv.WithCallInterceptors whose After cuts Task.History to the requested length."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["JSONRPC-003"],"bindings":["JSONRPC"],"dialects":["1.0"],"seen":"A deletion is answered with neither result nor error.","workaround":"Wrap the handler of NewJSONRPCHandler and add \"result\":{} to a response that has neither result nor error."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["PUSH-011","PUSH-046"],"dialects":["1.0"],"code":["crashed","internal-error-number"],"seen":"A push configuration that does not exist is an internal error.","workaround":"Wrap your push.ConfigStore and return a2a.ErrTaskNotFound where it returns push.ErrPushConfigNotFound."},
  {"sdk":"a2a-go","versions":["2.4.0","0.3.15"],"rules":["JSONRPC-008","JSONRPC-009"],"bindings":["JSONRPC"],"dialects":["1.0","0.3"],"code":"broken","seen":"Requests with an invalid envelope or without params get the wrong JSON-RPC code.","workaround":"Check the envelope in an http.Handler in front of NewJSONRPCHandler. Answer -32600 for a body that is not a Request object, and -32602 for missing params."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["JSONRPC-023"],"bindings":["JSONRPC"],"dialects":["1.0"],"code":"broken","seen":"GetExtendedAgentCard without params is a parse error.","workaround":"In an http.Handler in front of NewJSONRPCHandler, add \"params\":{} to a GetExtendedAgentCard request that has none."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["ERR-004"],"bindings":["JSONRPC","HTTP+JSON"],"dialects":["1.0"],"code":"accepted","seen":"A role that does not exist is accepted.","workaround":"Check Message.Role in a CallInterceptor (a2asrv.WithCallInterceptors) and return a2a.ErrInvalidParams."},
  {"sdk":"a2a-go","versions":["2.4.0","0.3.15"],"rules":["JSONRPC-002"],"bindings":["JSONRPC"],"dialects":["0.3"],"code":"broken","seen":"Errors of 0.3 are labelled text/plain.","workaround":"Set Content-Type to application/json in an http.Handler around the 0.3 handler, before it writes."},
  {"sdk":"a2a-go","versions":["2.4.0"],"rules":["V03-PUSH-006"],"bindings":["JSONRPC"],"dialects":["0.3"],"seen":"An empty list of push configurations is null in 0.3.","workaround":"Wrap your push.ConfigStore and return an empty slice instead of nil from List."},
  {"sdk":"a2a-go","versions":["0.3.15"],"rules":["ERR-007","PUSH-046"],"dialects":["0.3"],"code":"crashed","seen":"A push configuration of an unknown task is an internal error.","workaround":"Wrap your push.ConfigStore and return a2a.ErrTaskNotFound where it returns push.ErrPushConfigNotFound."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["STREAM-003"],"dialects":["1.0"],"seen":"Streams do not open with the Task.","workaround":"Publish the stored task from your AgentExecutor before the first update of every turn."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["SUB-006"],"dialects":["1.0"],"seen":"A task that waits for its user cannot be subscribed to.","workaround":"Wrap the RequestHandler. In subscribe_to_task, yield the stored task when the executor is not running and the task has not ended."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["PUSH-006","PUSH-014","PUSH-019"],"dialects":["1.0"],"seen":"Push configurations are created, listed and deleted for tasks that do not exist.","workaround":"Wrap the RequestHandler. Call get_task before every push configuration operation."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["HIST-009"],"dialects":["1.0"],"seen":"SendStreamingMessage ignores configuration.historyLength.","workaround":"In your AgentExecutor, cut the history of the Task that you publish to the requested length."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["LIST-013"],"dialects":["1.0"],"seen":"ListTasks returns the oldest tasks first.","workaround":"Use a TaskStore of your own that sorts by status timestamp, newest first."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["LIST-019"],"dialects":["1.0"],"seen":"ListTasks returns artifacts that were not asked for.","workaround":"Use a TaskStore of your own that drops artifacts unless include_artifacts is true."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["VER-005"],"bindings":["HTTP+JSON","GRPC"],"dialects":["1.0"],"seen":"HTTP+JSON and gRPC serve every A2A-Version.","workaround":"Add an axum middleware and a tonic interceptor that refuse other versions with VERSION_NOT_SUPPORTED."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["REST-027"],"bindings":["HTTP+JSON"],"dialects":["1.0"],"seen":"Queries and bodies that axum cannot read are answered in plain text.","workaround":"Add an axum middleware that rewrites text/plain errors of the REST router into the error body of §11.6."},
  {"sdk":"a2a-rust","versions":["0.4.2"],"rules":["JSONRPC-023"],"bindings":["JSONRPC"],"dialects":["1.0"],"seen":"GetExtendedAgentCard without params is refused as invalid.","workaround":"In an axum middleware, add \"params\":{} to a GetExtendedAgentCard request that has none."},
  {"sdk":"a2a-java","versions":["0.3.3.Final"],"rules":["CTX-009"],"dialects":["0.3"],"seen":"A message with the id of no task creates a task under that id.","workaround":"In execute, throw new TaskNotFoundError() when the message has a taskId and RequestContext.getTask() is null."},
  {"sdk":"a2a-java","versions":["0.3.3.Final"],"rules":["SEND-008","STREAM-016","LIFE-002"],"dialects":["0.3"],"seen":"A message to a task that has ended starts it again.","workaround":"In execute, throw new UnsupportedOperationError() when RequestContext.getTask() is in a final state (TaskState.isFinal())."},
  {"sdk":"a2a-java","versions":["0.3.3.Final"],"rules":["JSONRPC-004"],"bindings":["JSONRPC"],"dialects":["0.3"],"seen":"The push configuration methods repeat a numeric id as a string.","workaround":"None is needed for clients with string ids. To pass the rule, restore the id in a Vert.x handler around the route."},
  {"sdk":"a2a-java","versions":["0.3.3.Final"],"rules":["JSONRPC-007","JSONRPC-009"],"bindings":["JSONRPC"],"dialects":["0.3"],"seen":"Unreadable requests get the wrong JSON-RPC code.","workaround":"Check the body in a Vert.x handler in front of the route. Answer -32700 for invalid JSON, and -32602 for missing params."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["JSONRPC-001","JSONRPC-006","JSONRPC-007","JSONRPC-008","JSONRPC-009","*"],"answer":"HTTP 500, unreadable","bindings":["JSONRPC"],"dialects":["1.0"],"seen":"A request that does not validate is HTTP 500 in plain text.","workaround":"Subclass FastA2A and wrap _agent_run_endpoint in a handler that catches ValidationError and answers -32700, -32600, -32601 or -32602."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["SEND-010"],"dialects":["1.0"],"seen":"SendMessage never waits for the task.","workaround":"Subclass TaskManager and override send_message; load the task until it has ended unless returnImmediately is set."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["CTX-008","SEND-008","STREAM-016","STREAM-017"],"dialects":["1.0"],"seen":"A message that names a task starts another task.","workaround":"Subclass TaskManager and override send_message and stream_message; look up message.task_id in the storage first."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["DATA-007"],"dialects":["1.0"],"seen":"Timestamps are local time without a zone.","workaround":"Subclass InMemoryStorage and set timestamps with datetime.now(timezone.utc)."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["GET-004","HIST-003","HIST-006","HIST-009"],"dialects":["1.0"],"seen":"Reading a task with historyLength cuts the stored history; other operations ignore historyLength.","workaround":"Subclass InMemoryStorage and override load_task: return {**task, 'history': ...} and leave the stored task alone."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["CANCEL-002","ERR-021"],"dialects":["1.0"],"seen":"CancelTask returns an ended task instead of TaskNotCancelableError.","workaround":"Subclass TaskManager and override cancel_task; answer -32002 for tasks that have ended."},
  {"sdk":"fasta2a","versions":["2.1.1"],"rules":["LIST-001","SUB-003","VER-005"],"dialects":["1.0"],"seen":"ListTasks is unsupported, ended tasks can be subscribed to, and A2A-Version is not read.","workaround":"Add a Starlette middleware that refuses other versions with -32009; subclass TaskManager for the other two."},
  {"sdk":"mastra","versions":["1.71.0"],"rules":["JSONRPC-006","JSONRPC-007","JSONRPC-008","JSONRPC-009"],"bindings":["JSONRPC"],"dialects":["0.3"],"seen":"Requests that do not fit the schema are HTTP 400 with JSON of the framework.","workaround":"Validate the body in a Hono middleware in front of /api/a2a/:agentId and answer the JSON-RPC error there."},
  {"sdk":"mastra","versions":["1.71.0"],"rules":["JSONRPC-019","SUB-004","STREAM-016","STREAM-017"],"bindings":["JSONRPC"],"dialects":["0.3"],"seen":"A stream that is refused breaks off without an error.","workaround":"Look the task up with tasks/get in a Hono middleware before message/stream and tasks/resubscribe reach the handler."},
  {"sdk":"python-a2a","versions":["0.5.10"],"rules":["CARD-016"],"dialects":["0.3"],"seen":"The URL of the card does not speak JSON-RPC.","workaround":"There is none in this package. Serve the agent with a2a-sdk instead."},
  {"sdk":"voltagent","versions":["2.0.3"],"rules":["JSONRPC-017"],"bindings":["JSONRPC"],"dialects":["0.2"],"seen":"The byte 0x1E comes before the JSON of every event.","workaround":"Strip the first byte of every data line in a Hono middleware."},
  {"sdk":"voltagent","versions":["2.0.3"],"rules":["V03-DATA-001"],"dialects":["0.2"],"seen":"A Task has no kind.","workaround":"Add kind: \"task\" to results in a Hono middleware."},
  {"sdk":"voltagent","versions":["2.0.3"],"rules":["CARD-004"],"dialects":["0.2"],"seen":"The card has no description.","workaround":"Set purpose on the Agent; getAgentCard passes it on as the description."},
  {"sdk":"voltagent","versions":["2.0.3"],"rules":["CTX-009"],"dialects":["0.2"],"seen":"A message creates a task under any id.","workaround":"Refuse unknown task ids in a Hono middleware with -32001."},
  {"sdk":"voltagent","versions":["2.0.3"],"rules":["JSONRPC-008"],"bindings":["JSONRPC"],"dialects":["0.2"],"seen":"JSON that is not a Request object is -32603.","workaround":"Answer -32600 in a Hono middleware when the body has no jsonrpc \"2.0\" or no method."},
];

// Generated from sdk-faults/sdk-faults.yaml by `npm run generate`. Do not edit.

import type { SdkMark } from "../sdk-faults/recognise-sdk.ts";

/** What only this SDK writes. */
export const sdkMarks: Readonly<Record<string, readonly SdkMark[]>> = {
  "a2a-python": [
    {
      "error": "^A2A version '[^']*' is not supported by this handler\\. Expected version '"
    },
    {
      "error": "^Task \\S+ is in terminal state: (TASK_STATE_)?[A-Za-z]+$"
    },
    {
      "error": "^(Context|Task) in event doesn't match TaskManager "
    },
    {
      "error": "^Context \\S+ does not match context \\S+ of task \\S+$"
    },
    {
      "error": "^Task \\S+ was specified but does not exist$"
    },
    {
      "error": "^Request payload validation error$"
    },
    {
      "error": "^Task cannot be canceled - current state: TaskState\\."
    },
    {
      "error": "^Authenticated card not supported$"
    },
    {
      "error": "^The agent does not support authenticated extended cards$"
    },
    {
      "error": "^Unexpected <class '(NotImplementedError|a2a\\.)"
    },
    {
      "body": "\"metadata\":\\s?\\{\"errors\":\\s?\\[\\{"
    }
  ],
  "a2a-js": [
    {
      "error": "^The requested A2A protocol version '[^']*' is not supported\\. Supported versions: "
    },
    {
      "error": "^Invalid JSON-RPC Request\\.$"
    },
    {
      "error": "^Push notification config with id '[^']*' not found for task \\S+\\.$"
    },
    {
      "error": "^Task \\S+ is in a terminal state \\(\\w+\\) and cannot be (modified|subscribed to)\\.$"
    },
    {
      "error": "^contextId mismatch: message contextId '[^']*' does not match task '"
    },
    {
      "error": "^Bug: toJson serializer and body must be provided for non-204 responses\\.$"
    },
    {
      "error": "^(Unsupported operation: )?Agent does not support authenticated extended card\\.$"
    },
    {
      "body": "\"securitySchemes\":\\{\"[^\"]+\":\\{\"scheme\":\\{\"\\$case\":"
    }
  ],
  "a2a-go": [
    {
      "error": "^failed to list tasks: unauthenticated$"
    },
    {
      "error": "^task not found: no active execution$"
    },
    {
      "error": "^(executor )?setup failed: (failed to load exec ctx: )?task (loading failed|in a terminal state)"
    },
    {
      "error": "^failed to cancel: cancelation failed: "
    },
    {
      "error": "^failed to (get|list|create|save|delete) push configs?: "
    },
    {
      "error": "cannot unmarshal \\w+ into Go (struct field|value of type) \\S*(a2a\\.|jsonrpc\\.|Message|TaskQueryParams)"
    }
  ],
  "a2a-rust": [
    {
      "error": "^invalid (params|request body): ProtoJSON error: "
    },
    {
      "error": "^version not supported: \\S"
    },
    {
      "body": "^Failed to deserialize query string: (pageSize|historyLength|statusTimestampAfter): "
    }
  ],
  "a2a-java": [],
  "fasta2a": [],
  "mastra": [
    {
      "body": "^\\{\"error\":\"Invalid request body\",\"issues\":\\[\\{\"field\":"
    },
    {
      "body": "Invalid discriminator value\\. Expected 'message/send' \\|"
    }
  ],
  "python-a2a": [
    {
      "body": "\"google_a2a_compatible\":\\s?true"
    },
    {
      "body": "\"parts_array_format\":\\s?true"
    }
  ],
  "voltagent": [
    {
      "error": "^Body is not a valid JSON-RPC request$"
    },
    {
      "body": "^data: \\u001e\\{\"jsonrpc\""
    }
  ]
};

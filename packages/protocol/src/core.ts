/**
 * Everything needed to speak 1.0, which is the part that a 1.0 server loads. `index.ts` adds the older dialects, their
 * schemas and the card linter.
 */
export {
  type RpcAnswer,
  type RpcCall,
  type RpcFailure,
  type RpcId,
  readCall,
  readRpcAnswer,
  writeCall,
  writeResult,
  writeRpcError,
} from "./bindings/jsonrpc.ts";
export {
  matchRoute,
  type RestFailure,
  type RestRequest,
  type RouteMatch,
  readQuery,
  readRestError,
  writeRestError,
  writeRestRequest,
} from "./bindings/rest.ts";
export { wayToCycle } from "./cycle.ts";
export { type Defined, defined } from "./defined.ts";
export type { Dialect, Reading } from "./dialects/dialect.ts";
export { type DialectExchange, startExchange } from "./dialects/exchange.ts";
export { v10 } from "./dialects/v1.0/dialect.ts";
export {
  A2AError,
  a2aErrors,
  type ErrorColumn,
  type ErrorName,
  errorInfoType,
  errorTable,
  type GrpcStatus,
  invalidParams,
  isA2ACode,
  publishedErrors,
} from "./errors.ts";
export { isHeaderName } from "./header-name.ts";
export { ipv6Groups } from "./ipv6.ts";
export {
  duplicateMember,
  isObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  jsonIn,
  jsonObjectIn,
  parseJson,
  writtenText,
} from "./json.ts";
export { isLoopback } from "./loopback.ts";
export {
  type AgentCapabilities,
  type AgentCard,
  type AgentCardSignature,
  type AgentExtension,
  type AgentInterface,
  type AgentSkill,
  type Artifact,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  isInterrupted,
  isResting,
  isTerminal,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type Messages,
  type Part,
  type Role,
  type SecurityScheme,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskPushNotificationConfig,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from "./model.ts";
export { didYouMean, nearest } from "./nearest.ts";
export {
  type AnswerOf,
  isStreaming,
  type Operation,
  operations,
  type RequestOf,
  type StreamingOperation,
  type UnaryOperation,
} from "./operations.ts";
export { type ReadResult, read, validate } from "./schemas/validate.ts";
export type { FieldViolation, Violation, ViolationCode } from "./schemas/violation.ts";
export { testbedHeader } from "./testbed-header.ts";
export {
  type Binding,
  bindings,
  type DialectVersion,
  dialects,
  extensionsHeader,
  newestFirst,
  olderExtensionsHeader,
  readExtensions,
  requestedVersion,
  versionHeader,
} from "./versions.ts";

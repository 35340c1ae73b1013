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
export {
  grpcStatusesV03,
  httpStatusesV03,
  matchRouteV03,
  readQueryV03,
  readRestErrorV03,
  restStatusV03,
  writeRestErrorV03,
  writeRestRequestV03,
} from "./bindings/rest-v0.3.ts";
export { isTooLarge } from "./card/bounds.ts";
export { isSilent, shapeOf } from "./card/evidence.ts";
export { type CardFinding, type CardFindingCode, quote } from "./card/finding.ts";

export type { CardInterface } from "./card/interfaces.ts";
export { lintCard } from "./card/lint.ts";
export { type NormalisedCard, normaliseCard } from "./card/normalise.ts";
export { type OlderWire, validateDialect } from "./dialects/check.ts";
export type { Dialect, Reading } from "./dialects/dialect.ts";
export { readLooseAnswer, readLooseCall } from "./dialects/envelope.ts";
export { type DialectExchange, startExchange } from "./dialects/exchange.ts";
export { type Release, releases, type Wire } from "./dialects/releases.ts";
export { writeRole, writeState } from "./dialects/states.ts";
export { transliterate } from "./dialects/transliterate.ts";
export { v01 } from "./dialects/v0.1/dialect.ts";
export { v02, v02For } from "./dialects/v0.2/dialect.ts";
export { v03 } from "./dialects/v0.3/dialect.ts";
export { v03Proto } from "./dialects/v0.3-proto/dialect.ts";
export { v10 } from "./dialects/v1.0/dialect.ts";
export {
  A2AError,
  type ErrorColumn,
  type ErrorName,
  errorInfoType,
  errorTable,
  type GrpcStatus,
  invalidParams,
} from "./errors.ts";
export { type ErrorAcrossVersions, type ErrorInVersion, errorsAcrossVersions } from "./errors-by-version.ts";
export { fitsGlob } from "./glob.ts";
export { isHeaderName } from "./header-name.ts";
export { ipv6Groups } from "./ipv6.ts";
export { isObject, JsonError, type JsonObject, type JsonValue, parseJson } from "./json.ts";
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
export { nearest } from "./nearest.ts";
export {
  type AnswerOf,
  isStreaming,
  type Operation,
  operations,
  type RequestOf,
  type StreamingOperation,
  type UnaryOperation,
} from "./operations.ts";
export { standardBase64 } from "./schemas/base64.ts";
export { enumNames, type Field, fieldsOf, type MessageName, messageOfKind } from "./schemas/tables.ts";
export { inUtc } from "./schemas/timestamp.ts";
export { type ReadResult, read, validate } from "./schemas/validate.ts";
export type { FieldViolation, Violation, ViolationCode } from "./schemas/violation.ts";
export { testbedHeader } from "./testbed-header.ts";
export {
  type Binding,
  bindings,
  type DialectVersion,
  dialects,
  extensionsHeader,
  olderExtensionsHeader,
  readExtensions,
  requestedVersion,
  versionHeader,
} from "./versions.ts";

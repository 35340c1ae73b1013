// Generated from proto/a2a/v1 by `npm run generate`. Do not edit.

import type { JsonObject } from "../json.ts";

export type TaskState =
  | "TASK_STATE_UNSPECIFIED"
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELLED"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_REJECTED"
  | "TASK_STATE_AUTH_REQUIRED";

export type Role =
  | "ROLE_UNSPECIFIED"
  | "ROLE_USER"
  | "ROLE_AGENT";

export interface Task {
  id: string;
  contextId?: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: Message[];
  metadata?: JsonObject;
}

export interface TaskStatus {
  state: TaskState;
  message?: Message;
  timestamp?: string;
}

export interface Message {
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: Role;
  content: Part[];
  metadata?: JsonObject;
  extensions?: string[];
}

export interface Part {
  text?: string;
  file?: FilePart;
  data?: DataPart;
  metadata?: JsonObject;
}

export interface FilePart {
  fileWithUri?: string;
  fileWithBytes?: string;
  mimeType?: string;
  name?: string;
}

export interface DataPart {
  data: JsonObject;
}

export interface Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part[];
  metadata?: JsonObject;
  extensions?: string[];
}

export interface TaskStatusUpdateEvent {
  taskId: string;
  contextId?: string;
  status: TaskStatus;
  final?: boolean;
  metadata?: JsonObject;
}

export interface TaskArtifactUpdateEvent {
  taskId: string;
  contextId?: string;
  artifact: Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

export interface PushNotificationConfig {
  id?: string;
  url: string;
  token?: string;
  authentication?: AuthenticationInfo;
}

export interface AuthenticationInfo {
  schemes?: string[];
  credentials?: string;
}

export interface TaskPushNotificationConfig {
  name: string;
  pushNotificationConfig: PushNotificationConfig;
}

export interface AgentCard {
  name: string;
  description?: string;
  url: string;
  provider?: AgentProvider;
  version: string;
  documentationUrl?: string;
  capabilities: AgentCapabilities;
  securitySchemes?: Record<string, SecurityScheme>;
  security?: Security[];
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: AgentSkill[];
  supportsAuthenticatedExtendedCard?: boolean;
  preferredTransport?: string;
  additionalInterfaces?: AgentInterface[];
  protocolVersion?: string;
  signatures?: AgentCardSignature[];
  iconUrl?: string;
}

export interface AgentInterface {
  url: string;
  transport: string;
}

export interface AgentProvider {
  url?: string;
  organization?: string;
}

export interface AgentCapabilities {
  streaming?: boolean;
  pushNotifications?: boolean;
  extensions?: AgentExtension[];
}

export interface AgentExtension {
  uri?: string;
  description?: string;
  required?: boolean;
  params?: JsonObject;
}

export interface AgentSkill {
  id: string;
  name: string;
  description?: string;
  tags?: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  security?: Security[];
}

export interface AgentCardSignature {
  protected: string;
  signature: string;
  header?: JsonObject;
}

export interface StringList {
  list?: string[];
}

export interface Security {
  schemes?: Record<string, StringList>;
}

export interface SecurityScheme {
  apiKeySecurityScheme?: APIKeySecurityScheme;
  httpAuthSecurityScheme?: HTTPAuthSecurityScheme;
  oauth2SecurityScheme?: OAuth2SecurityScheme;
  openIdConnectSecurityScheme?: OpenIdConnectSecurityScheme;
  mtlsSecurityScheme?: MutualTlsSecurityScheme;
}

export interface APIKeySecurityScheme {
  description?: string;
  location: string;
  name: string;
}

export interface HTTPAuthSecurityScheme {
  description?: string;
  scheme: string;
  bearerFormat?: string;
}

export interface OAuth2SecurityScheme {
  description?: string;
  flows: OAuthFlows;
  oauth2MetadataUrl?: string;
}

export interface OpenIdConnectSecurityScheme {
  description?: string;
  openIdConnectUrl: string;
}

export interface MutualTlsSecurityScheme {
  description?: string;
}

export interface OAuthFlows {
  authorizationCode?: AuthorizationCodeOAuthFlow;
  clientCredentials?: ClientCredentialsOAuthFlow;
  implicit?: ImplicitOAuthFlow;
  password?: PasswordOAuthFlow;
}

export interface AuthorizationCodeOAuthFlow {
  authorizationUrl?: string;
  tokenUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface ClientCredentialsOAuthFlow {
  tokenUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface ImplicitOAuthFlow {
  authorizationUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface PasswordOAuthFlow {
  tokenUrl?: string;
  refreshUrl?: string;
  scopes?: Record<string, string>;
}

export interface SendMessageRequest {
  message: Message;
  configuration?: SendMessageConfiguration;
  metadata?: JsonObject;
}

export interface SendMessageConfiguration {
  acceptedOutputModes?: string[];
  pushNotification?: PushNotificationConfig;
  historyLength?: number;
  blocking?: boolean;
}

export interface SendMessageResponse {
  task?: Task;
  message?: Message;
}

export interface StreamResponse {
  task?: Task;
  message?: Message;
  statusUpdate?: TaskStatusUpdateEvent;
  artifactUpdate?: TaskArtifactUpdateEvent;
}

export interface GetTaskRequest {
  name: string;
  historyLength?: number;
}

export interface CancelTaskRequest {
  name: string;
}

export interface TaskSubscriptionRequest {
  name: string;
}

export interface CreateTaskPushNotificationConfigRequest {
  parent: string;
  configId?: string;
  config: TaskPushNotificationConfig;
}

export interface GetTaskPushNotificationConfigRequest {
  name: string;
}

export interface DeleteTaskPushNotificationConfigRequest {
  name: string;
}

export interface ListTaskPushNotificationConfigRequest {
  parent: string;
  pageSize?: number;
  pageToken?: string;
}

export interface ListTaskPushNotificationConfigResponse {
  configs?: TaskPushNotificationConfig[];
  nextPageToken?: string;
}

export type GetAgentCardRequest = Record<string, never>;

/** Every message of the model by its name. */
export interface Messages {
  Task: Task;
  TaskStatus: TaskStatus;
  Message: Message;
  Part: Part;
  FilePart: FilePart;
  DataPart: DataPart;
  Artifact: Artifact;
  TaskStatusUpdateEvent: TaskStatusUpdateEvent;
  TaskArtifactUpdateEvent: TaskArtifactUpdateEvent;
  PushNotificationConfig: PushNotificationConfig;
  AuthenticationInfo: AuthenticationInfo;
  TaskPushNotificationConfig: TaskPushNotificationConfig;
  AgentCard: AgentCard;
  AgentInterface: AgentInterface;
  AgentProvider: AgentProvider;
  AgentCapabilities: AgentCapabilities;
  AgentExtension: AgentExtension;
  AgentSkill: AgentSkill;
  AgentCardSignature: AgentCardSignature;
  StringList: StringList;
  Security: Security;
  SecurityScheme: SecurityScheme;
  APIKeySecurityScheme: APIKeySecurityScheme;
  HTTPAuthSecurityScheme: HTTPAuthSecurityScheme;
  OAuth2SecurityScheme: OAuth2SecurityScheme;
  OpenIdConnectSecurityScheme: OpenIdConnectSecurityScheme;
  MutualTlsSecurityScheme: MutualTlsSecurityScheme;
  OAuthFlows: OAuthFlows;
  AuthorizationCodeOAuthFlow: AuthorizationCodeOAuthFlow;
  ClientCredentialsOAuthFlow: ClientCredentialsOAuthFlow;
  ImplicitOAuthFlow: ImplicitOAuthFlow;
  PasswordOAuthFlow: PasswordOAuthFlow;
  SendMessageRequest: SendMessageRequest;
  SendMessageConfiguration: SendMessageConfiguration;
  SendMessageResponse: SendMessageResponse;
  StreamResponse: StreamResponse;
  GetTaskRequest: GetTaskRequest;
  CancelTaskRequest: CancelTaskRequest;
  TaskSubscriptionRequest: TaskSubscriptionRequest;
  CreateTaskPushNotificationConfigRequest: CreateTaskPushNotificationConfigRequest;
  GetTaskPushNotificationConfigRequest: GetTaskPushNotificationConfigRequest;
  DeleteTaskPushNotificationConfigRequest: DeleteTaskPushNotificationConfigRequest;
  ListTaskPushNotificationConfigRequest: ListTaskPushNotificationConfigRequest;
  ListTaskPushNotificationConfigResponse: ListTaskPushNotificationConfigResponse;
  GetAgentCardRequest: GetAgentCardRequest;
}

// Generated from proto/lf/a2a/v1 by `npm run generate`. Do not edit.

import type { JsonObject, JsonValue } from "../json.ts";

export type TaskState =
  | "TASK_STATE_UNSPECIFIED"
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED"
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
  generation?: string;
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
  parts: Part[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

export interface Part {
  text?: string;
  raw?: string;
  url?: string;
  data?: JsonValue;
  metadata?: JsonObject;
  filename?: string;
  mediaType?: string;
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
  contextId: string;
  status: TaskStatus;
  metadata?: JsonObject;
  generation?: string;
}

export interface TaskArtifactUpdateEvent {
  taskId: string;
  contextId: string;
  artifact: Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
  generation?: string;
}

export interface TaskPushNotificationConfig {
  tenant?: string;
  id?: string;
  taskId?: string;
  url: string;
  token?: string;
  authentication?: AuthenticationInfo;
}

export interface AuthenticationInfo {
  scheme: string;
  credentials?: string;
}

export interface AgentCard {
  name: string;
  description: string;
  supportedInterfaces: AgentInterface[];
  provider?: AgentProvider;
  version: string;
  documentationUrl?: string;
  capabilities: AgentCapabilities;
  securitySchemes?: Record<string, SecurityScheme>;
  securityRequirements?: SecurityRequirement[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: AgentSkill[];
  signatures?: AgentCardSignature[];
  iconUrl?: string;
}

export interface AgentInterface {
  url: string;
  protocolBinding: string;
  tenant?: string;
  protocolVersion: string;
}

export interface AgentProvider {
  url: string;
  organization: string;
}

export interface AgentCapabilities {
  streaming?: boolean;
  pushNotifications?: boolean;
  extensions?: AgentExtension[];
  extendedAgentCard?: boolean;
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
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  securityRequirements?: SecurityRequirement[];
}

export interface AgentCardSignature {
  protected: string;
  signature: string;
  header?: JsonObject;
}

export interface StringList {
  list?: string[];
}

export interface SecurityRequirement {
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
  deviceCode?: DeviceCodeOAuthFlow;
}

export interface AuthorizationCodeOAuthFlow {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
  pkceRequired?: boolean;
}

export interface ClientCredentialsOAuthFlow {
  tokenUrl: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
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

export interface DeviceCodeOAuthFlow {
  deviceAuthorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
}

export interface SendMessageRequest {
  tenant?: string;
  message: Message;
  configuration?: SendMessageConfiguration;
  metadata?: JsonObject;
}

export interface SendMessageConfiguration {
  acceptedOutputModes?: string[];
  taskPushNotificationConfig?: TaskPushNotificationConfig;
  historyLength?: number;
  returnImmediately?: boolean;
  ifGenerationMatch?: string;
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
  tenant?: string;
  id: string;
  historyLength?: number;
  currentGeneration?: string;
}

export interface ListTasksRequest {
  tenant?: string;
  contextId?: string;
  status?: TaskState;
  pageSize?: number;
  pageToken?: string;
  historyLength?: number;
  statusTimestampAfter?: string;
  includeArtifacts?: boolean;
}

export interface ListTasksResponse {
  tasks: Task[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

export interface CancelTaskRequest {
  tenant?: string;
  id: string;
  metadata?: JsonObject;
}

export interface SubscribeToTaskRequest {
  tenant?: string;
  id: string;
}

export interface GetTaskPushNotificationConfigRequest {
  tenant?: string;
  taskId: string;
  id: string;
}

export interface DeleteTaskPushNotificationConfigRequest {
  tenant?: string;
  taskId: string;
  id: string;
}

export interface ListTaskPushNotificationConfigsRequest {
  taskId: string;
  pageSize?: number;
  pageToken?: string;
  tenant?: string;
}

export interface ListTaskPushNotificationConfigsResponse {
  configs?: TaskPushNotificationConfig[];
  nextPageToken?: string;
}

export interface GetExtendedAgentCardRequest {
  tenant?: string;
}

/** Every message of the model by its name. */
export interface Messages {
  Task: Task;
  TaskStatus: TaskStatus;
  Message: Message;
  Part: Part;
  Artifact: Artifact;
  TaskStatusUpdateEvent: TaskStatusUpdateEvent;
  TaskArtifactUpdateEvent: TaskArtifactUpdateEvent;
  TaskPushNotificationConfig: TaskPushNotificationConfig;
  AuthenticationInfo: AuthenticationInfo;
  AgentCard: AgentCard;
  AgentInterface: AgentInterface;
  AgentProvider: AgentProvider;
  AgentCapabilities: AgentCapabilities;
  AgentExtension: AgentExtension;
  AgentSkill: AgentSkill;
  AgentCardSignature: AgentCardSignature;
  StringList: StringList;
  SecurityRequirement: SecurityRequirement;
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
  DeviceCodeOAuthFlow: DeviceCodeOAuthFlow;
  SendMessageRequest: SendMessageRequest;
  SendMessageConfiguration: SendMessageConfiguration;
  SendMessageResponse: SendMessageResponse;
  StreamResponse: StreamResponse;
  GetTaskRequest: GetTaskRequest;
  ListTasksRequest: ListTasksRequest;
  ListTasksResponse: ListTasksResponse;
  CancelTaskRequest: CancelTaskRequest;
  SubscribeToTaskRequest: SubscribeToTaskRequest;
  GetTaskPushNotificationConfigRequest: GetTaskPushNotificationConfigRequest;
  DeleteTaskPushNotificationConfigRequest: DeleteTaskPushNotificationConfigRequest;
  ListTaskPushNotificationConfigsRequest: ListTaskPushNotificationConfigsRequest;
  ListTaskPushNotificationConfigsResponse: ListTaskPushNotificationConfigsResponse;
  GetExtendedAgentCardRequest: GetExtendedAgentCardRequest;
}

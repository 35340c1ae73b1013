// Generated from proto/a2a/v1 by `npm run generate`. Do not edit.

import type { Field } from "../schemas/field.ts";
import type { Messages } from "./model-0.3-proto.ts";

export const enums: Record<string, Record<string, number>> = {
  "TaskState": {
    "TASK_STATE_UNSPECIFIED": 0,
    "TASK_STATE_SUBMITTED": 1,
    "TASK_STATE_WORKING": 2,
    "TASK_STATE_COMPLETED": 3,
    "TASK_STATE_FAILED": 4,
    "TASK_STATE_CANCELLED": 5,
    "TASK_STATE_INPUT_REQUIRED": 6,
    "TASK_STATE_REJECTED": 7,
    "TASK_STATE_AUTH_REQUIRED": 8
  },
  "Role": {
    "ROLE_UNSPECIFIED": 0,
    "ROLE_USER": 1,
    "ROLE_AGENT": 2
  }
};

export const messages: Record<keyof Messages, readonly Field[]> = {
  Task: [
    {"json":"id","proto":"id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"status","proto":"status","kind":"TaskStatus","required":"present"},
    {"json":"artifacts","proto":"artifacts","kind":"Artifact","repeated":true},
    {"json":"history","proto":"history","kind":"Message","repeated":true},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  TaskStatus: [
    {"json":"state","proto":"state","kind":"TaskState","required":"present"},
    {"json":"message","proto":"update","kind":"Message"},
    {"json":"timestamp","proto":"timestamp","kind":"timestamp"},
  ],
  Message: [
    {"json":"messageId","proto":"message_id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"taskId","proto":"task_id","kind":"string"},
    {"json":"role","proto":"role","kind":"Role","required":"present"},
    {"json":"content","proto":"content","kind":"Part","repeated":true,"required":"non-empty"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"extensions","proto":"extensions","kind":"string","repeated":true},
  ],
  Part: [
    {"json":"text","proto":"text","kind":"string","oneof":"part"},
    {"json":"file","proto":"file","kind":"FilePart","oneof":"part"},
    {"json":"data","proto":"data","kind":"DataPart","oneof":"part"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  FilePart: [
    {"json":"fileWithUri","proto":"file_with_uri","kind":"string","oneof":"file"},
    {"json":"fileWithBytes","proto":"file_with_bytes","kind":"bytes","oneof":"file"},
    {"json":"mimeType","proto":"mime_type","kind":"string"},
    {"json":"name","proto":"name","kind":"string"},
  ],
  DataPart: [
    {"json":"data","proto":"data","kind":"struct","required":"present"},
  ],
  Artifact: [
    {"json":"artifactId","proto":"artifact_id","kind":"string","required":"present"},
    {"json":"name","proto":"name","kind":"string"},
    {"json":"description","proto":"description","kind":"string"},
    {"json":"parts","proto":"parts","kind":"Part","repeated":true,"required":"non-empty"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"extensions","proto":"extensions","kind":"string","repeated":true},
  ],
  TaskStatusUpdateEvent: [
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"status","proto":"status","kind":"TaskStatus","required":"present"},
    {"json":"final","proto":"final","kind":"bool"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  TaskArtifactUpdateEvent: [
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"artifact","proto":"artifact","kind":"Artifact","required":"present"},
    {"json":"append","proto":"append","kind":"bool"},
    {"json":"lastChunk","proto":"last_chunk","kind":"bool"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  PushNotificationConfig: [
    {"json":"id","proto":"id","kind":"string"},
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"token","proto":"token","kind":"string"},
    {"json":"authentication","proto":"authentication","kind":"AuthenticationInfo"},
  ],
  AuthenticationInfo: [
    {"json":"schemes","proto":"schemes","kind":"string","repeated":true},
    {"json":"credentials","proto":"credentials","kind":"string"},
  ],
  TaskPushNotificationConfig: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
    {"json":"pushNotificationConfig","proto":"push_notification_config","kind":"PushNotificationConfig","required":"present"},
  ],
  AgentCard: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
    {"json":"description","proto":"description","kind":"string"},
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"provider","proto":"provider","kind":"AgentProvider"},
    {"json":"version","proto":"version","kind":"string","required":"present"},
    {"json":"documentationUrl","proto":"documentation_url","kind":"string"},
    {"json":"capabilities","proto":"capabilities","kind":"AgentCapabilities","required":"present"},
    {"json":"securitySchemes","proto":"security_schemes","kind":"SecurityScheme","map":true},
    {"json":"security","proto":"security","kind":"Security","repeated":true},
    {"json":"defaultInputModes","proto":"default_input_modes","kind":"string","repeated":true},
    {"json":"defaultOutputModes","proto":"default_output_modes","kind":"string","repeated":true},
    {"json":"skills","proto":"skills","kind":"AgentSkill","repeated":true},
    {"json":"supportsAuthenticatedExtendedCard","proto":"supports_authenticated_extended_card","kind":"bool"},
    {"json":"preferredTransport","proto":"preferred_transport","kind":"string"},
    {"json":"additionalInterfaces","proto":"additional_interfaces","kind":"AgentInterface","repeated":true},
    {"json":"protocolVersion","proto":"protocol_version","kind":"string"},
    {"json":"signatures","proto":"signatures","kind":"AgentCardSignature","repeated":true},
    {"json":"iconUrl","proto":"icon_url","kind":"string"},
  ],
  AgentInterface: [
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"transport","proto":"transport","kind":"string","required":"present"},
  ],
  AgentProvider: [
    {"json":"url","proto":"url","kind":"string"},
    {"json":"organization","proto":"organization","kind":"string"},
  ],
  AgentCapabilities: [
    {"json":"streaming","proto":"streaming","kind":"bool"},
    {"json":"pushNotifications","proto":"push_notifications","kind":"bool"},
    {"json":"extensions","proto":"extensions","kind":"AgentExtension","repeated":true},
  ],
  AgentExtension: [
    {"json":"uri","proto":"uri","kind":"string"},
    {"json":"description","proto":"description","kind":"string"},
    {"json":"required","proto":"required","kind":"bool"},
    {"json":"params","proto":"params","kind":"struct"},
  ],
  AgentSkill: [
    {"json":"id","proto":"id","kind":"string","required":"present"},
    {"json":"name","proto":"name","kind":"string","required":"present"},
    {"json":"description","proto":"description","kind":"string"},
    {"json":"tags","proto":"tags","kind":"string","repeated":true},
    {"json":"examples","proto":"examples","kind":"string","repeated":true},
    {"json":"inputModes","proto":"input_modes","kind":"string","repeated":true},
    {"json":"outputModes","proto":"output_modes","kind":"string","repeated":true},
    {"json":"security","proto":"security","kind":"Security","repeated":true},
  ],
  AgentCardSignature: [
    {"json":"protected","proto":"protected","kind":"string","required":"present"},
    {"json":"signature","proto":"signature","kind":"string","required":"present"},
    {"json":"header","proto":"header","kind":"struct"},
  ],
  StringList: [
    {"json":"list","proto":"list","kind":"string","repeated":true},
  ],
  Security: [
    {"json":"schemes","proto":"schemes","kind":"StringList","map":true},
  ],
  SecurityScheme: [
    {"json":"apiKeySecurityScheme","proto":"api_key_security_scheme","kind":"APIKeySecurityScheme","oneof":"scheme"},
    {"json":"httpAuthSecurityScheme","proto":"http_auth_security_scheme","kind":"HTTPAuthSecurityScheme","oneof":"scheme"},
    {"json":"oauth2SecurityScheme","proto":"oauth2_security_scheme","kind":"OAuth2SecurityScheme","oneof":"scheme"},
    {"json":"openIdConnectSecurityScheme","proto":"open_id_connect_security_scheme","kind":"OpenIdConnectSecurityScheme","oneof":"scheme"},
    {"json":"mtlsSecurityScheme","proto":"mtls_security_scheme","kind":"MutualTlsSecurityScheme","oneof":"scheme"},
  ],
  APIKeySecurityScheme: [
    {"json":"description","proto":"description","kind":"string"},
    {"json":"location","proto":"location","kind":"string","required":"present"},
    {"json":"name","proto":"name","kind":"string","required":"present"},
  ],
  HTTPAuthSecurityScheme: [
    {"json":"description","proto":"description","kind":"string"},
    {"json":"scheme","proto":"scheme","kind":"string","required":"present"},
    {"json":"bearerFormat","proto":"bearer_format","kind":"string"},
  ],
  OAuth2SecurityScheme: [
    {"json":"description","proto":"description","kind":"string"},
    {"json":"flows","proto":"flows","kind":"OAuthFlows","required":"present"},
    {"json":"oauth2MetadataUrl","proto":"oauth2_metadata_url","kind":"string"},
  ],
  OpenIdConnectSecurityScheme: [
    {"json":"description","proto":"description","kind":"string"},
    {"json":"openIdConnectUrl","proto":"open_id_connect_url","kind":"string","required":"present"},
  ],
  MutualTlsSecurityScheme: [
    {"json":"description","proto":"description","kind":"string"},
  ],
  OAuthFlows: [
    {"json":"authorizationCode","proto":"authorization_code","kind":"AuthorizationCodeOAuthFlow","oneof":"flow"},
    {"json":"clientCredentials","proto":"client_credentials","kind":"ClientCredentialsOAuthFlow","oneof":"flow"},
    {"json":"implicit","proto":"implicit","kind":"ImplicitOAuthFlow","oneof":"flow"},
    {"json":"password","proto":"password","kind":"PasswordOAuthFlow","oneof":"flow"},
  ],
  AuthorizationCodeOAuthFlow: [
    {"json":"authorizationUrl","proto":"authorization_url","kind":"string"},
    {"json":"tokenUrl","proto":"token_url","kind":"string"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true},
  ],
  ClientCredentialsOAuthFlow: [
    {"json":"tokenUrl","proto":"token_url","kind":"string"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true},
  ],
  ImplicitOAuthFlow: [
    {"json":"authorizationUrl","proto":"authorization_url","kind":"string"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true},
  ],
  PasswordOAuthFlow: [
    {"json":"tokenUrl","proto":"token_url","kind":"string"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true},
  ],
  SendMessageRequest: [
    {"json":"message","proto":"request","kind":"Message","required":"present"},
    {"json":"configuration","proto":"configuration","kind":"SendMessageConfiguration"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  SendMessageConfiguration: [
    {"json":"acceptedOutputModes","proto":"accepted_output_modes","kind":"string","repeated":true},
    {"json":"pushNotification","proto":"push_notification","kind":"PushNotificationConfig"},
    {"json":"historyLength","proto":"history_length","kind":"int32"},
    {"json":"blocking","proto":"blocking","kind":"bool"},
  ],
  SendMessageResponse: [
    {"json":"task","proto":"task","kind":"Task","oneof":"payload"},
    {"json":"message","proto":"msg","kind":"Message","oneof":"payload"},
  ],
  StreamResponse: [
    {"json":"task","proto":"task","kind":"Task","oneof":"payload"},
    {"json":"message","proto":"msg","kind":"Message","oneof":"payload"},
    {"json":"statusUpdate","proto":"status_update","kind":"TaskStatusUpdateEvent","oneof":"payload"},
    {"json":"artifactUpdate","proto":"artifact_update","kind":"TaskArtifactUpdateEvent","oneof":"payload"},
  ],
  GetTaskRequest: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
    {"json":"historyLength","proto":"history_length","kind":"int32"},
  ],
  CancelTaskRequest: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
  ],
  TaskSubscriptionRequest: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
  ],
  CreateTaskPushNotificationConfigRequest: [
    {"json":"parent","proto":"parent","kind":"string","required":"present"},
    {"json":"configId","proto":"config_id","kind":"string"},
    {"json":"config","proto":"config","kind":"TaskPushNotificationConfig","required":"present"},
  ],
  GetTaskPushNotificationConfigRequest: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
  ],
  DeleteTaskPushNotificationConfigRequest: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
  ],
  ListTaskPushNotificationConfigRequest: [
    {"json":"parent","proto":"parent","kind":"string","required":"present"},
    {"json":"pageSize","proto":"page_size","kind":"int32"},
    {"json":"pageToken","proto":"page_token","kind":"string"},
  ],
  ListTaskPushNotificationConfigResponse: [
    {"json":"configs","proto":"configs","kind":"TaskPushNotificationConfig","repeated":true},
    {"json":"nextPageToken","proto":"next_page_token","kind":"string"},
  ],
  GetAgentCardRequest: [

  ],
};

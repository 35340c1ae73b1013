// Generated from proto/lf/a2a/v1 by `npm run generate`. Do not edit.

import type { Field } from "../schemas/field.ts";
import type { Messages } from "./model.ts";

export const enums: Record<string, Record<string, number>> = {
  "TaskState": {
    "TASK_STATE_UNSPECIFIED": 0,
    "TASK_STATE_SUBMITTED": 1,
    "TASK_STATE_WORKING": 2,
    "TASK_STATE_COMPLETED": 3,
    "TASK_STATE_FAILED": 4,
    "TASK_STATE_CANCELED": 5,
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
    {"json":"generation","proto":"generation","kind":"int64","draft":"1.1-draft1"},
  ],
  TaskStatus: [
    {"json":"state","proto":"state","kind":"TaskState","required":"present"},
    {"json":"message","proto":"message","kind":"Message"},
    {"json":"timestamp","proto":"timestamp","kind":"timestamp"},
  ],
  Message: [
    {"json":"messageId","proto":"message_id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"taskId","proto":"task_id","kind":"string"},
    {"json":"role","proto":"role","kind":"Role","required":"present"},
    {"json":"parts","proto":"parts","kind":"Part","repeated":true,"required":"non-empty"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"extensions","proto":"extensions","kind":"string","repeated":true},
    {"json":"referenceTaskIds","proto":"reference_task_ids","kind":"string","repeated":true},
  ],
  Part: [
    {"json":"text","proto":"text","kind":"string","oneof":"content"},
    {"json":"raw","proto":"raw","kind":"bytes","oneof":"content"},
    {"json":"url","proto":"url","kind":"string","oneof":"content"},
    {"json":"data","proto":"data","kind":"value","oneof":"content"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"filename","proto":"filename","kind":"string"},
    {"json":"mediaType","proto":"media_type","kind":"string"},
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
    {"json":"contextId","proto":"context_id","kind":"string","required":"present"},
    {"json":"status","proto":"status","kind":"TaskStatus","required":"present"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"generation","proto":"generation","kind":"int64","draft":"1.1-draft1"},
  ],
  TaskArtifactUpdateEvent: [
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"contextId","proto":"context_id","kind":"string","required":"present"},
    {"json":"artifact","proto":"artifact","kind":"Artifact","required":"present"},
    {"json":"append","proto":"append","kind":"bool"},
    {"json":"lastChunk","proto":"last_chunk","kind":"bool"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
    {"json":"generation","proto":"generation","kind":"int64","draft":"1.1-draft1"},
  ],
  TaskPushNotificationConfig: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"id","proto":"id","kind":"string"},
    {"json":"taskId","proto":"task_id","kind":"string"},
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"token","proto":"token","kind":"string"},
    {"json":"authentication","proto":"authentication","kind":"AuthenticationInfo"},
  ],
  AuthenticationInfo: [
    {"json":"scheme","proto":"scheme","kind":"string","required":"present"},
    {"json":"credentials","proto":"credentials","kind":"string"},
  ],
  AgentCard: [
    {"json":"name","proto":"name","kind":"string","required":"present"},
    {"json":"description","proto":"description","kind":"string","required":"present"},
    {"json":"supportedInterfaces","proto":"supported_interfaces","kind":"AgentInterface","repeated":true,"required":"non-empty"},
    {"json":"provider","proto":"provider","kind":"AgentProvider"},
    {"json":"version","proto":"version","kind":"string","required":"present"},
    {"json":"documentationUrl","proto":"documentation_url","kind":"string","optional":true},
    {"json":"capabilities","proto":"capabilities","kind":"AgentCapabilities","required":"present"},
    {"json":"securitySchemes","proto":"security_schemes","kind":"SecurityScheme","map":true},
    {"json":"securityRequirements","proto":"security_requirements","kind":"SecurityRequirement","repeated":true},
    {"json":"defaultInputModes","proto":"default_input_modes","kind":"string","repeated":true,"required":"present"},
    {"json":"defaultOutputModes","proto":"default_output_modes","kind":"string","repeated":true,"required":"present"},
    {"json":"skills","proto":"skills","kind":"AgentSkill","repeated":true,"required":"present"},
    {"json":"signatures","proto":"signatures","kind":"AgentCardSignature","repeated":true},
    {"json":"iconUrl","proto":"icon_url","kind":"string","optional":true},
  ],
  AgentInterface: [
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"protocolBinding","proto":"protocol_binding","kind":"string","required":"present"},
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"protocolVersion","proto":"protocol_version","kind":"string","required":"present"},
  ],
  AgentProvider: [
    {"json":"url","proto":"url","kind":"string","required":"present"},
    {"json":"organization","proto":"organization","kind":"string","required":"present"},
  ],
  AgentCapabilities: [
    {"json":"streaming","proto":"streaming","kind":"bool","optional":true},
    {"json":"pushNotifications","proto":"push_notifications","kind":"bool","optional":true},
    {"json":"extensions","proto":"extensions","kind":"AgentExtension","repeated":true},
    {"json":"extendedAgentCard","proto":"extended_agent_card","kind":"bool","optional":true},
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
    {"json":"description","proto":"description","kind":"string","required":"present"},
    {"json":"tags","proto":"tags","kind":"string","repeated":true,"required":"present"},
    {"json":"examples","proto":"examples","kind":"string","repeated":true},
    {"json":"inputModes","proto":"input_modes","kind":"string","repeated":true},
    {"json":"outputModes","proto":"output_modes","kind":"string","repeated":true},
    {"json":"securityRequirements","proto":"security_requirements","kind":"SecurityRequirement","repeated":true},
  ],
  AgentCardSignature: [
    {"json":"protected","proto":"protected","kind":"string","required":"present"},
    {"json":"signature","proto":"signature","kind":"string","required":"present"},
    {"json":"header","proto":"header","kind":"struct"},
  ],
  StringList: [
    {"json":"list","proto":"list","kind":"string","repeated":true},
  ],
  SecurityRequirement: [
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
    {"json":"deviceCode","proto":"device_code","kind":"DeviceCodeOAuthFlow","oneof":"flow"},
  ],
  AuthorizationCodeOAuthFlow: [
    {"json":"authorizationUrl","proto":"authorization_url","kind":"string","required":"present"},
    {"json":"tokenUrl","proto":"token_url","kind":"string","required":"present"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true,"required":"present"},
    {"json":"pkceRequired","proto":"pkce_required","kind":"bool"},
  ],
  ClientCredentialsOAuthFlow: [
    {"json":"tokenUrl","proto":"token_url","kind":"string","required":"present"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true,"required":"present"},
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
  DeviceCodeOAuthFlow: [
    {"json":"deviceAuthorizationUrl","proto":"device_authorization_url","kind":"string","required":"present"},
    {"json":"tokenUrl","proto":"token_url","kind":"string","required":"present"},
    {"json":"refreshUrl","proto":"refresh_url","kind":"string"},
    {"json":"scopes","proto":"scopes","kind":"string","map":true,"required":"present"},
  ],
  SendMessageRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"message","proto":"message","kind":"Message","required":"present"},
    {"json":"configuration","proto":"configuration","kind":"SendMessageConfiguration"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  SendMessageConfiguration: [
    {"json":"acceptedOutputModes","proto":"accepted_output_modes","kind":"string","repeated":true},
    {"json":"taskPushNotificationConfig","proto":"task_push_notification_config","kind":"TaskPushNotificationConfig"},
    {"json":"historyLength","proto":"history_length","kind":"int32","optional":true},
    {"json":"returnImmediately","proto":"return_immediately","kind":"bool"},
    {"json":"ifGenerationMatch","proto":"if_generation_match","kind":"int64","optional":true,"draft":"1.1-draft1"},
  ],
  SendMessageResponse: [
    {"json":"task","proto":"task","kind":"Task","oneof":"payload"},
    {"json":"message","proto":"message","kind":"Message","oneof":"payload"},
  ],
  StreamResponse: [
    {"json":"task","proto":"task","kind":"Task","oneof":"payload"},
    {"json":"message","proto":"message","kind":"Message","oneof":"payload"},
    {"json":"statusUpdate","proto":"status_update","kind":"TaskStatusUpdateEvent","oneof":"payload"},
    {"json":"artifactUpdate","proto":"artifact_update","kind":"TaskArtifactUpdateEvent","oneof":"payload"},
  ],
  GetTaskRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"id","proto":"id","kind":"string","required":"present"},
    {"json":"historyLength","proto":"history_length","kind":"int32","optional":true},
    {"json":"currentGeneration","proto":"current_generation","kind":"int64","optional":true,"draft":"1.1-draft1"},
  ],
  ListTasksRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"contextId","proto":"context_id","kind":"string"},
    {"json":"status","proto":"status","kind":"TaskState"},
    {"json":"pageSize","proto":"page_size","kind":"int32","optional":true},
    {"json":"pageToken","proto":"page_token","kind":"string"},
    {"json":"historyLength","proto":"history_length","kind":"int32","optional":true},
    {"json":"statusTimestampAfter","proto":"status_timestamp_after","kind":"timestamp"},
    {"json":"includeArtifacts","proto":"include_artifacts","kind":"bool","optional":true},
  ],
  ListTasksResponse: [
    {"json":"tasks","proto":"tasks","kind":"Task","repeated":true,"required":"present"},
    {"json":"nextPageToken","proto":"next_page_token","kind":"string","required":"may-be-empty"},
    {"json":"pageSize","proto":"page_size","kind":"int32","required":"present"},
    {"json":"totalSize","proto":"total_size","kind":"int32","required":"present"},
  ],
  CancelTaskRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"id","proto":"id","kind":"string","required":"present"},
    {"json":"metadata","proto":"metadata","kind":"struct"},
  ],
  SubscribeToTaskRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"id","proto":"id","kind":"string","required":"present"},
  ],
  GetTaskPushNotificationConfigRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"id","proto":"id","kind":"string","required":"present"},
  ],
  DeleteTaskPushNotificationConfigRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"id","proto":"id","kind":"string","required":"present"},
  ],
  ListTaskPushNotificationConfigsRequest: [
    {"json":"taskId","proto":"task_id","kind":"string","required":"present"},
    {"json":"pageSize","proto":"page_size","kind":"int32"},
    {"json":"pageToken","proto":"page_token","kind":"string"},
    {"json":"tenant","proto":"tenant","kind":"string"},
  ],
  ListTaskPushNotificationConfigsResponse: [
    {"json":"configs","proto":"configs","kind":"TaskPushNotificationConfig","repeated":true},
    {"json":"nextPageToken","proto":"next_page_token","kind":"string"},
  ],
  GetExtendedAgentCardRequest: [
    {"json":"tenant","proto":"tenant","kind":"string"},
  ],
};

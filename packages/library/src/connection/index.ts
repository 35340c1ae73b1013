/** Connections to agents and their credentials. */
export { AgentFault } from "./agent-fault.ts";
export {
  type AllowedSecret,
  isPlaceOf,
  readAllowedSecret,
  readSecretPlace,
  type SecretPlace,
  shownPlace,
} from "./allowed-secret.ts";
export { checkCardAt, judgedCard } from "./check-card-at.ts";
export {
  type Connection,
  clientOptions,
  connect,
  findCard,
  givenCredentials,
  parseAddress,
  peerOf,
  readCard,
  withLogin,
  withoutLogin,
} from "./connection.ts";
export {
  assertSendable,
  type CredentialNames,
  type Credentials,
  credentialsOf,
  type ObtainToken,
  readerIn,
  withoutParameters,
} from "./credentials.ts";
export { oauthOf, tokenGetter } from "./oauth.ts";
export { type ConnectionValues, type OptionCaller, program } from "./option-caller.ts";
export { missingFlags, type SecretPolicy } from "./secret-policy.ts";
export { type SecretUse, secretUses } from "./secret-use.ts";
export { troubleJson } from "./trouble-json.ts";

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
export { type ChangeEffect, type ClientChange, changeEffects } from "./card/client-change.ts";
export { compareCards } from "./card/compare.ts";
export { guessedVersion, isSilent, shapeOf } from "./card/evidence.ts";
export { type CardFinding, type CardFindingCode, quote } from "./card/finding.ts";
export type { CardInterface } from "./card/interfaces.ts";
export { lintCard, remarksOn } from "./card/lint.ts";
export { type NormalisedCard, normaliseCard } from "./card/normalise.ts";
export { credentialIn } from "./card/rules/secrets.ts";
// biome-ignore lint/performance/noReExportAll: the whole is the core and the rest, named once
export * from "./core.ts";
export { type OlderWire, validateDialect } from "./dialects/check.ts";
export { readLooseAnswer, readLooseCall } from "./dialects/envelope.ts";
export { type Release, releases, type Wire } from "./dialects/releases.ts";
export { isTaskState, writeRole, writeState } from "./dialects/states.ts";
export { transliterate } from "./dialects/transliterate.ts";
export { v01 } from "./dialects/v0.1/dialect.ts";
export { v02, v02For } from "./dialects/v0.2/dialect.ts";
export { v03 } from "./dialects/v0.3/dialect.ts";
export { v03Proto } from "./dialects/v0.3-proto/dialect.ts";
export { type ErrorAcrossVersions, type ErrorInVersion, errorsAcrossVersions } from "./errors-by-version.ts";
export { fitsGlob } from "./glob.ts";
export { stepOf } from "./json-path.ts";
export { randomFrom } from "./random.ts";
export { standardBase64 } from "./schemas/base64.ts";
export { draftFieldsOf, enumNames, type Field, fieldsOf, type MessageName, messageOfKind } from "./schemas/tables.ts";
export { inUtc } from "./schemas/timestamp.ts";

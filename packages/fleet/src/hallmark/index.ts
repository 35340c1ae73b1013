export { addressText } from "./address-text.ts";
export { HallmarkRefused, type RefusalCode, refusalOf } from "./bearing.ts";
export { type HallmarkClaims, type HallmarkSource, isId } from "./claims.ts";
export {
  generateSigningKey,
  jwksOf,
  readSigningKey,
  readTrustedKeys,
  type SignatureAlgorithm,
  type SigningKey,
  signatureAlgorithms,
  type TrustedKey,
} from "./keys.ts";
export { type RevocationList, readRevocations, signRevocations, withRevoked } from "./revocations.ts";
export { signHallmark } from "./sign.ts";
export { type ToldHallmark, toldHallmark } from "./telling.ts";
export { type HallmarkQuestion, type HallmarkVerdict, verifyHallmark } from "./verify.ts";

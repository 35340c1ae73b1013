import { type Dialect, type DialectVersion, v01, v02, v03 } from "@assay/protocol";

/** Collects the code for versions before 1.0, loaded as a whole with the first request in one of them. */
export const olderDialects: Record<Exclude<DialectVersion, "1.0">, Dialect> = { "0.1": v01, "0.2": v02, "0.3": v03 };

export { ExtendedCardV02Binding } from "./extended-card-v0.2.ts";
export { RestV03Binding } from "./rest-v0.3.ts";

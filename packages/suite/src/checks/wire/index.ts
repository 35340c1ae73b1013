import type { Check } from "../../check.ts";

/** JSONRPC, REST, GRPC, ERR, CAP */
export const wireChecks: readonly Check[] = [];

import type { Check } from "../../define/check.ts";
import { equivalenceChecks } from "./equivalence.ts";
import { grpcCallChecks, olderGrpcChecks } from "./grpc/calls.ts";
import { rpcEnvelopeChecks } from "./jsonrpc/envelope.ts";
import { rpcRefusalChecks } from "./jsonrpc/refusals.ts";
import { knownChecks, knowsCoreMethods, serviceParameterChecks } from "./operations-known.ts";
import { restEnvelopeChecks } from "./rest/envelope.ts";
import { listParameterChecks } from "./rest/list-parameters.ts";
import { olderChecks } from "./rest/older.ts";
import { restRouteChecks } from "./rest/routes.ts";

/** JSONRPC, REST, GRPC, CAP and BIND: the same agent over each of its bindings */
export const bindingChecks: readonly Check[] = [
  ...rpcEnvelopeChecks,
  ...rpcRefusalChecks,
  ...restEnvelopeChecks,
  ...restRouteChecks,
  ...grpcCallChecks,
  ...serviceParameterChecks,
  ...listParameterChecks,
  ...knownChecks,
  ...equivalenceChecks,
  ...olderChecks,
  ...olderGrpcChecks,
  knowsCoreMethods,
];

import type { Check } from "../../define/check.ts";
import { knowsCoreMethods } from "./core-methods-v0.3.ts";
import { equivalenceChecks } from "./equivalence/index.ts";
import { grpcCallChecks } from "./grpc/calls.ts";
import { olderGrpcChecks } from "./grpc/service-v0.3.ts";
import { rpcEnvelopeChecks } from "./jsonrpc/envelope.ts";
import { rpcRefusalChecks } from "./jsonrpc/refusals.ts";
import { knownChecks } from "./operations-known.ts";
import { restEnvelopeChecks } from "./rest/envelope.ts";
import { errorForm, label } from "./rest/envelope-v0.3.ts";
import { listParameterChecks } from "./rest/list-parameters.ts";
import { camelCase, senseless } from "./rest/queries-v0.3.ts";
import { restRouteChecks } from "./rest/routes.ts";
import { spelling } from "./rest/spelling-v0.3.ts";
import { serviceParameterChecks } from "./service-parameters.ts";

/** JSONRPC, REST, GRPC, CAP, and BIND: the same agent behind each of its bindings */
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
  spelling,
  label,
  errorForm,
  senseless,
  camelCase,
  ...olderGrpcChecks,
  knowsCoreMethods,
];

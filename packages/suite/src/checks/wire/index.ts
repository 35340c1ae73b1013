import type { Check } from "../../check.ts";
import { noGenericErrors } from "./errors/breakdowns.ts";
import { detailChecks } from "./errors/details.ts";
import { forbiddenChecks } from "./errors/forbidden.ts";
import { foreignChecks } from "./errors/foreign.ts";
import { internalChecks } from "./errors/internal.ts";
import { mappingChecks } from "./errors/mapping.ts";
import { missingIsNotFound } from "./errors/not-found.ts";
import { validationChecks } from "./errors/validation.ts";
import { grpcCallChecks } from "./grpc/calls.ts";
import { rpcEnvelopeChecks } from "./jsonrpc/envelope.ts";
import { rpcRefusalChecks } from "./jsonrpc/refusals.ts";
import { listParameterChecks } from "./list-parameters.ts";
import { knownChecks } from "./operations-known.ts";
import { pushShapeChecks } from "./push-shapes.ts";
import { restEnvelopeChecks } from "./rest/envelope.ts";
import { restRouteChecks } from "./rest/routes.ts";
import { serviceParameterChecks } from "./service-parameters.ts";
import { sseSyntaxChecks } from "./sse-syntax.ts";

/** JSONRPC, REST, GRPC, ERR, CAP */
export const wireChecks: readonly Check[] = [
  ...rpcEnvelopeChecks,
  ...rpcRefusalChecks,
  ...restEnvelopeChecks,
  ...restRouteChecks,
  ...grpcCallChecks,
  ...sseSyntaxChecks,
  ...serviceParameterChecks,
  ...listParameterChecks,
  ...pushShapeChecks,
  ...knownChecks,
  ...detailChecks,
  ...mappingChecks,
  ...validationChecks,
  missingIsNotFound,
  ...foreignChecks,
  ...forbiddenChecks,
  noGenericErrors,
  ...internalChecks,
];

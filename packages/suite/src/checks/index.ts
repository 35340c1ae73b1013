import { isObject } from "@assay/protocol";
import type { PassiveClientCheck } from "../client/client-check.ts";
import type { SituationCheck } from "../client/situation-check.ts";
import type { Check } from "../define/check.ts";
import { everyRule } from "../rules/catalogue.ts";
import * as equivalence from "./bindings/equivalence.ts";
import * as grpcCalls from "./bindings/grpc/calls.ts";
import * as jsonrpcEnvelope from "./bindings/jsonrpc/envelope.ts";
import * as jsonrpcRefusals from "./bindings/jsonrpc/refusals.ts";
import * as operationsKnown from "./bindings/operations-known.ts";
import * as restEnvelope from "./bindings/rest/envelope.ts";
import * as listParameters from "./bindings/rest/list-parameters.ts";
import * as restOlder from "./bindings/rest/older.ts";
import * as routes from "./bindings/rest/routes.ts";
import * as cancelling from "./cancel/cancelling.ts";
import * as cancelRefusals from "./cancel/refusals.ts";
import * as caching from "./card/caching.ts";
import * as extended from "./card/extended.ts";
import * as interfaces from "./card/interfaces.ts";
import * as location from "./card/location.ts";
import * as nothingSecret from "./card/nothing-secret.ts";
import * as olderMembers from "./card/older-members.ts";
import * as cardShape from "./card/shape.ts";
import * as signatureEntries from "./card/signature-entries.ts";
import * as signedCard from "./card/signed-card.ts";
import * as clientConversations from "./client/passive/conversations.ts";
import * as clientCredentials from "./client/passive/credentials.ts";
import * as clientData from "./client/passive/data.ts";
import * as clientRequests from "./client/passive/requests.ts";
import * as clientServiceParameters from "./client/passive/service-parameters.ts";
import * as clientWebhooks from "./client/passive/webhooks.ts";
import * as clientCards from "./client/situational/cards.ts";
import * as clientChoosing from "./client/situational/choosing.ts";
import * as clientCopes from "./client/situational/copes.ts";
import * as clientFollowing from "./client/situational/following.ts";
import * as clientGenerations from "./client/situational/generations.ts";
import * as clientLogins from "./client/situational/logins.ts";
import * as clientWebhooksInSituations from "./client/situational/webhooks.ts";
import * as isUtf8 from "./data/is-utf8.ts";
import * as olderShapes from "./data/older-shapes.ts";
import * as dataRequests from "./data/requests.ts";
import * as dataShapes from "./data/shapes.ts";
import * as authorization from "./errors/authorization.ts";
import * as details from "./errors/details.ts";
import * as internal from "./errors/internal.ts";
import * as mapping from "./errors/mapping.ts";
import * as validation from "./errors/validation.ts";
import * as activation from "./extensions/activation.ts";
import * as negotiation from "./extensions/negotiation.ts";
import * as generationCounting from "./generation/counting.ts";
import * as generationEvents from "./generation/events.ts";
import * as longPolling from "./generation/long-polling.ts";
import * as generationPreconditions from "./generation/preconditions.ts";
import * as getHistory from "./get/history.ts";
import * as reads from "./get/reads.ts";
import * as authorisations from "./lifecycle/authorisations.ts";
import * as contexts from "./lifecycle/contexts.ts";
import * as lifecycleConversations from "./lifecycle/conversations.ts";
import * as endedTasks from "./lifecycle/ended-tasks.ts";
import * as expectations from "./lifecycle/expectations.ts";
import * as taskShape from "./lifecycle/task-shape.ts";
import * as filters from "./list/filters.ts";
import * as paging from "./list/paging.ts";
import * as listRefusals from "./list/refusals.ts";
import * as listShape from "./list/shape.ts";
import * as configLife from "./push/config-life.ts";
import * as delivery from "./push/delivery.ts";
import * as embedded from "./push/embedded.ts";
import * as pushOlder from "./push/older.ts";
import * as pushRefusals from "./push/refusals.ts";
import * as pushShapes from "./push/shapes.ts";
import * as pushWebhooks from "./push/webhooks.ts";
import * as hostileInput from "./security/hostile-input.ts";
import * as isolation from "./security/isolation.ts";
import * as keepsCredentials from "./security/keeps-credentials.ts";
import * as securityLogins from "./security/logins.ts";
import * as tenants from "./security/tenants.ts";
import * as transport from "./security/transport.ts";
import * as answers from "./send/answers.ts";
import * as blocking from "./send/blocking.ts";
import * as completeAnswers from "./send/complete-answers.ts";
import * as configuration from "./send/configuration.ts";
import * as directMessages from "./send/direct-messages.ts";
import * as incompleteMessages from "./send/incomplete-messages.ts";
import * as asItHappens from "./stream/as-it-happens.ts";
import * as chunks from "./stream/chunks.ts";
import * as ending from "./stream/ending.ts";
import * as events from "./stream/events.ts";
import * as streamRefusals from "./stream/refusals.ts";
import * as severalStreams from "./stream/several-streams.ts";
import * as subscribeRefusals from "./subscribe/refusals.ts";
import * as subscription from "./subscribe/subscription.ts";
import * as v01Card from "./v0.1/card.ts";
import * as v01History from "./v0.1/history.ts";
import * as v01Push from "./v0.1/push.ts";
import * as v01Sending from "./v0.1/sending.ts";
import * as v01Shapes from "./v0.1/shapes.ts";
import * as v01Streams from "./v0.1/streams.ts";
import * as forms from "./versions/forms.ts";
import * as hybrid from "./versions/hybrid.ts";
import * as otherVersions from "./versions/other-versions.ts";

/** The modules of each area. Every check that a module exports is part of the suite. */
export const areas = {
  bindings: [
    equivalence,
    grpcCalls,
    jsonrpcEnvelope,
    jsonrpcRefusals,
    operationsKnown,
    restEnvelope,
    listParameters,
    restOlder,
    routes,
  ],
  cancel: [cancelling, cancelRefusals],
  card: [caching, extended, interfaces, location, nothingSecret, olderMembers, cardShape, signatureEntries, signedCard],
  client: [
    clientConversations,
    clientCredentials,
    clientData,
    clientRequests,
    clientServiceParameters,
    clientWebhooks,
    clientCards,
    clientChoosing,
    clientCopes,
    clientFollowing,
    clientGenerations,
    clientLogins,
    clientWebhooksInSituations,
  ],
  data: [isUtf8, olderShapes, dataRequests, dataShapes],
  errors: [authorization, details, internal, mapping, validation],
  extensions: [activation, negotiation],
  generation: [generationCounting, generationEvents, longPolling, generationPreconditions],
  get: [getHistory, reads],
  lifecycle: [authorisations, contexts, lifecycleConversations, endedTasks, expectations, taskShape],
  list: [filters, paging, listRefusals, listShape],
  push: [configLife, delivery, embedded, pushOlder, pushRefusals, pushShapes, pushWebhooks],
  security: [hostileInput, isolation, keepsCredentials, securityLogins, tenants, transport],
  send: [answers, blocking, completeAnswers, configuration, directMessages, incompleteMessages],
  stream: [asItHappens, chunks, ending, events, streamRefusals, severalStreams],
  subscribe: [subscribeRefusals, subscription],
  "v0.1": [v01Card, v01History, v01Push, v01Sending, v01Shapes, v01Streams],
  versions: [forms, hybrid, otherVersions],
};

type AnyCheck = Check | PassiveClientCheck | SituationCheck;

const isCheck = (value: unknown): value is AnyCheck => isObject(value) && "judge" in value;

export const checksIn = (modules: readonly object[]): AnyCheck[] =>
  modules.flatMap((module) => Object.values(module).flat().filter(isCheck));

const rules = everyRule.map(({ id }) => id);
const place = new Map([...new Set(rules)].map((id, index) => [id, index]));

/** All checks, in the order of the catalogue. */
const all = checksIn(Object.values(areas).flat()).toSorted((a, b) => place.get(a.id)! - place.get(b.id)!);

/** The checks of agents. */
export const checks: readonly Check[] = all.filter(
  (check) => check.kind === "card" || check.kind === "passive" || check.kind === "active",
);

/** Checks of any call of a client. */
export const passiveClientChecks: readonly PassiveClientCheck[] = all.filter(
  (check) => check.kind === "client-passive",
);

/** Checks of clients in situations made for them. */
export const situationChecks: readonly SituationCheck[] = all.filter((check) => check.kind === "client-situation");

/** All checks of clients. A rule may be examined in any call and also in a situation. */
export const clientChecks = [...passiveClientChecks, ...situationChecks];

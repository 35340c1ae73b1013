import { type DialectVersion, dialects, type JsonObject, normaliseCard, operations, validate } from "@assay/protocol";
import {
  type Exchange,
  isGrpcCall,
  type Masker,
  openReplyReader,
  type PeerBinding,
  type PeerInterface,
  probeHeader,
} from "@assay/wire";
import { asObject, asText, brief } from "../answers/loose-json.ts";
import { factsOf } from "../card/agent-facts.ts";
import { checks as allChecks, passiveClientChecks } from "../checks/index.ts";
import type { AgentOffer, ClientCall, ClientRequest } from "../client/client-request.ts";
import { judgeCall } from "../client/judge-call.ts";
import type { Call } from "../define/call.ts";
import type { PassiveCheck } from "../define/check.ts";
import type { AgentFound, RunEvent } from "../report/events.ts";
import { concerns, defaultRuleSet, type RuleSet, ruleIn, ruleSetFor } from "../rules/catalogue.ts";
import { interfaceName } from "../runner/interface-name.ts";
import { planRun, type VersionToPlan } from "../runner/plan/plan.ts";
import { Reporting } from "../runner/reporting.ts";
import { showsAgent } from "../runner/target/retry.ts";
import { PartyChecks, type ToldOfTraffic, type TrafficBreach } from "./party-checks.ts";
import { ReadOffer } from "./read-offer.ts";
import { deliveryChecksFor, type WebhookRegistrations } from "./webhook-registrations.ts";

/** Reads the calls of clients in the form that the checks of agents use. */
class SeenCalls {
  readonly #readers = new Map<PeerInterface, PeerBinding["read"]>();

  /** Must be called before calls on an interface can be read. */
  async learn(on: PeerInterface): Promise<void> {
    if (on.dialect !== "1.0") this.#readers.set(on, await openReplyReader(on));
  }

  /**
   * Returns a client's request as a call; undefined without an operation. `isKept`: it breaks no rule about clients.
   * The agent is not judged by its response to a wrong request.
   */
  read({ exchange, on, operation, params, reply }: ClientCall, isKept: boolean): Call | undefined {
    if (!operation) return undefined;
    const said = this.#readers.get(on)?.(operation, exchange) ?? reply;
    const fair =
      isKept &&
      takesAnswers(exchange) &&
      params !== undefined &&
      validate(operations[operation].request, params).length === 0;
    return {
      exchange,
      on,
      operation,
      ...(params && { params }),
      reply,
      said,
      fair,
      streamed: "streams" in operations[operation],
    };
  }
}

/** Returns true if the client accepts the media types of responses. Without an Accept header it accepts anything. */
function takesAnswers(exchange: Exchange): boolean {
  const accepted = exchange.http.request.headers
    .filter(([name]) => name.toLowerCase() === "accept")
    .map(([, value]) => value);
  return (
    isGrpcCall(exchange) ||
    accepted.length === 0 ||
    accepted.some((value) => /\*\/\*|application\/\*|json/i.test(value))
  );
}

/** One exchange, read and judged. */
export interface JudgedTraffic {
  readonly request: ClientRequest;
  /** the rules that it breaks, of either party */
  readonly breaches: readonly TrafficBreach[];
  /** why the agent is not judged, if the call shows nothing about it */
  readonly unjudged?: string;
}

/** A notification that passed, and the rules that the agent breaks with it. */
export interface JudgedDelivery {
  /** the interface over which its webhook was registered */
  readonly on?: PeerInterface;
  readonly breaches: readonly TrafficBreach[];
}

export interface TrafficOptions {
  readonly masker: Masker;
  readonly strict?: boolean;
  readonly ruleSet?: RuleSet;
  /** earlier results about the same agent under another card */
  readonly told?: ToldOfTraffic;
  /** the webhooks of clients, if notifications pass, too */
  readonly webhooks?: WebhookRegistrations;
  /** receives the result of each rule, as soon as it is known and whenever it gets worse */
  readonly emit: (event: RunEvent) => void;
}

/** Number of remembered requests per client. The checks that compare look back no further. */
const mostRemembered = 40;

interface Place {
  readonly agent: PartyChecks;
  readonly client: PartyChecks;
  readonly checks: readonly PassiveCheck[];
  /** an A2A response has arrived here: before that, another server may answer instead of the agent */
  isMet: boolean;
}

/** Judges both sides of the traffic between clients and an agent whose card is known, with the passive checks. */
export class PairJudge {
  readonly found: AgentFound;
  readonly #options: TrafficOptions;
  readonly #card: JsonObject;
  readonly #read: ReadOffer;
  readonly #calls: SeenCalls;
  readonly #places = new Map<PeerInterface, Place>();
  readonly #before = new Map<string, ClientRequest[]>();
  /** ids of messages that clients sent correctly */
  readonly #sent = new Set<string>();
  readonly #told: ToldOfTraffic = new Map();
  /** the agent has created a task */
  #makesTasks = false;

  private constructor(card: JsonObject, read: ReadOffer, calls: SeenCalls, options: TrafficOptions) {
    this.#card = card;
    this.#read = read;
    this.#calls = calls;
    this.#options = options;
    this.found = foundIn(card, read);
  }

  static async open(card: JsonObject, cardUrl: string, options: TrafficOptions): Promise<PairJudge> {
    const read = await ReadOffer.open(card, cardUrl);
    const calls = new SeenCalls();
    for (const on of read.places) await calls.learn(on);
    return new PairJudge(card, read, calls, options);
  }

  /** `client`: the sender of the request, if known. */
  judge(exchange: Exchange, client = ""): JudgedTraffic {
    const request: ClientRequest | undefined = isOtherHttp2(exchange)
      ? { is: "stray", exchange, because: "HTTP/2 that is not gRPC" }
      : isProbe(exchange)
        ? { is: "stray", exchange, because: "a version probe, which is not part of the conversation" }
        : this.#read.read(exchange);
    if (!request)
      return {
        request: { is: "stray", exchange, because: "several versions have that method, and the card names no version" },
        breaches: [],
      };
    if (exchange.faults) return this.#leftOut(request, exchange.faults);
    const before = this.#before.get(client) ?? [];
    this.#before.set(client, before);
    const judged = request.is === "call" ? this.#judgeCall(request, before) : { breaches: [] };
    before.push(request);
    if (before.length > mostRemembered) before.shift();
    return { request, ...judged };
  }

  /** A call that Assay has changed on purpose shows nothing about either side, but the agent may have the message. */
  #leftOut(request: ClientRequest, faults: readonly string[]): JudgedTraffic {
    const call = request.is === "call" ? this.#calls.read(request, true) : undefined;
    if (call) this.#learn({ ...call, fair: true });
    return { request, breaches: [], unjudged: `fault: ${faults.join(", ")}` };
  }

  #judgeCall(request: ClientCall, before: readonly ClientRequest[]): Omit<JudgedTraffic, "request"> {
    // An incomplete request shows nothing about its client or about the agent.
    if (request.exchange.http.request.bodyTruncated) return { breaches: [], unjudged: "too large to be read" };
    const place = this.#placeOf(request.on);
    const ofClient = judgeCall(request, { agent: this.#read.offer, before }).flatMap(({ check, findings }) =>
      place.client.take(check, findings),
    );
    const call = this.#calls.read(
      request,
      ofClient.every(({ severity }) => severity !== "fail"),
    );
    if (!call) return { breaches: ofClient };
    if (isGiven(call)) this.#read.spoke(call.on);
    if (isGiven(call) && call.fair) this.#options.webhooks?.learn(request);
    if (isGiven(call) || (isA2A(call) && this.#read.isListed(call.on))) place.isMet = true;
    if (!place.isMet) return { breaches: ofClient, unjudged: "no A2A response arrived here yet" };
    if (!showsAgent(call)) return { breaches: ofClient, unjudged: "the response does not come from the agent" };
    this.#learn(call);
    const ofAgent = place.checks.flatMap((check) => {
      // An agent that answers with messages only may not know operations on tasks (AMB-49).
      if (check.id === "GRPC-001" && !this.#makesTasks) return [];
      const found = check.judge(call, this.#sent);
      return found === undefined ? [] : place.agent.take(check, [found].flat());
    });
    return { breaches: [...ofClient, ...ofAgent] };
  }

  /**
   * Judges a notification from the agent to a webhook. `place`: path and query that the agent called. Undefined if no
   * call registered it so far.
   */
  judgeDelivery(exchange: Exchange, place: string): JudgedDelivery | undefined {
    if (exchange.faults) return { breaches: [] };
    const judged = this.#options.webhooks?.judge(exchange, place);
    if (!judged) return undefined;
    const { agent } = this.#placeOf(judged.on);
    return { on: judged.on, breaches: judged.found.flatMap(({ check, findings }) => agent.take(check, findings)) };
  }

  /** A wrong request may come back in any form. */
  #learn(call: Call): void {
    const { params, fair } = call;
    this.#makesTasks ||= hasTask(call);
    const id = asText(asObject(params?.["message"])?.["messageId"]);
    if (fair && id) this.#sent.add(id);
  }

  #placeOf(on: PeerInterface): Place {
    const known = this.#places.get(on);
    if (known) return known;
    const declared = this.#read.isDeclared(on);
    const checks = passiveChecksFor(this.#card, this.#read.offer, on, this.#ruleSetOf(on.dialect), declared);
    const clientChecks = passiveClientChecks.filter(({ id, bindings }) => {
      const rule = ruleIn(on.dialect, id);
      return rule !== undefined && concerns(rule, on.binding) && (bindings?.includes(on.binding) ?? true);
    });
    const { emit, webhooks } = this.#options;
    const deliveryChecks = webhooks ? deliveryChecksFor(on) : [];
    const { told = this.#told } = this.#options;
    const ofAgent = this.#reporting(on.dialect, declared, emit);
    const ofClients = this.#reporting(on.dialect, true, (event) => emit(ofClient(event)));
    const place: Place = {
      agent: new PartyChecks("agent", on, { report: ofAgent, checks: [...checks, ...deliveryChecks], told }),
      client: new PartyChecks("client", on, { report: ofClients, checks: clientChecks, told }),
      checks,
      isMet: false,
    };
    this.#places.set(on, place);
    return place;
  }

  #ruleSetOf(dialect: DialectVersion): RuleSet {
    return ruleSetFor(dialect, this.#options.ruleSet ?? defaultRuleSet);
  }

  #reporting(dialect: DialectVersion, declared: boolean, emit: (event: RunEvent) => void): Reporting {
    const { masker, strict = false } = this.#options;
    const today = new Date().toISOString().slice(0, 10);
    return new Reporting(
      { masker, strict, baseline: [], today, dialect, declared, ruleSet: this.#ruleSetOf(dialect) },
      emit,
    );
  }

  /** Called after the last call: reports the rules that no call triggered on the used interfaces. */
  conclude(): void {
    for (const { agent, client } of this.#places.values()) {
      agent.conclude();
      client.conclude();
    }
  }
}

const ofClient = (event: RunEvent): RunEvent =>
  event.event === "check-finished" ? { ...event, result: { ...event.result, party: "client" } } : event;

const isProbe = ({ http: { request } }: Exchange): boolean =>
  request.headers.some(([name]) => name.toLowerCase() === probeHeader.toLowerCase());

const isOtherHttp2 = (exchange: Exchange): boolean => exchange.transport.http2 === true && !isGrpcCall(exchange);

/** The request was granted. */
const isGiven = ({ reply }: Call): boolean =>
  reply.is === "result" || (reply.is === "stream" && reply.events.some(({ is }) => is === "result"));

const hasTask = ({ reply }: Call): boolean => {
  const results = reply.is === "result" ? [reply] : reply.is === "stream" ? reply.events : [];
  return results.some((each) => each.is === "result" && asObject(asObject(each.json)?.["task"]) !== undefined);
};

/** A result or an error in the form of the binding. */
const isA2A = (call: Call): boolean => isGiven(call) || call.reply.is === "error";

/** Returns the passive checks of the agent on an interface. */
function passiveChecksFor(
  card: JsonObject,
  { cardUrl }: AgentOffer,
  on: PeerInterface,
  ruleSet: RuleSet,
  declared: boolean,
): readonly PassiveCheck[] {
  const facts = factsOf(card, cardUrl, [on], on.dialect);
  const preconditions = { facts, stimuli: {}, options: {}, hasWebhook: false };
  const version: VersionToPlan = { interfaces: [on], preconditions, ruleSet, card: undefined, declared };
  const { checks } = planRun({
    checks: allChecks.filter(({ kind }) => kind === "passive"),
    filtered: [],
    versions: [version],
    depth: "full",
    budget: undefined,
    rude: false,
  });
  return checks.flatMap(({ check, instead }) => (check.kind === "passive" && !instead ? [check] : []));
}

function foundIn(card: JsonObject, { offer }: ReadOffer): AgentFound {
  const { interfaces, cardUrl, streaming, pushNotifications, extendedAgentCard } = offer;
  const reasons = new Map(normaliseCard(card).dialects.map(({ dialect, because }) => [dialect, because]));
  const spoken = dialects.toReversed().filter((dialect) => interfaces.some((on) => on.dialect === dialect));
  return {
    event: "agent-found",
    cardUrl,
    name: brief(asText(card["name"]) ?? "", 200),
    version: brief(asText(card["version"]) ?? "", 100),
    dialects: spoken.map((dialect) => ({
      dialect,
      because: reasons.get(dialect) ?? "its card",
      declared: true,
      cardUrl,
    })),
    interfaces: interfaces.map(interfaceName),
    leftOut: [],
    capabilities: { streaming, pushNotifications, extendedAgentCard },
  };
}

import { randomUUID } from "node:crypto";
import {
  type CardInterface,
  extensionsHeader,
  jsonObjectIn,
  normaliseCard,
  olderExtensionsHeader,
  versionHeader,
} from "@assay/protocol";
import { type AgentFacts, factsOf } from "@assay/suite";
import { type AgentFound, bindingName, type ConformanceResult, type RunEnding } from "@assay/suite/report";
import {
  cardTrouble,
  discoverCard,
  type Exchange,
  type HeaderPairs,
  loginHint,
  type PeerInterface,
  Recording,
  type RequestSpec,
} from "@assay/wire";
import { answerText } from "../compare.ts";
import { concerns, type PropertyResult } from "../examine.ts";
import { type KnownGateway, recognised } from "../known-gateways.ts";
import { properties } from "../properties/index.ts";
import type { Property } from "../property.ts";
import { type ExaminedProperty, notExamined } from "../verdict.ts";
import { type ComparedInterface, pairInterfaces, restBelow } from "./addresses.ts";
import { AgentPath, type PathAddress, type PathOptions } from "./agent-path.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { bypassWarning, judgeCard, lastCard } from "./judge-card.ts";
import { judgeErrors, type ProvokedErrors } from "./judge-errors.ts";
import { judgeLoad } from "./judge-load.ts";
import { firstEventNote, judgeStream } from "./judge-messages.ts";
import { hasLoad, messagesOfLoad, messagesPerCase } from "./load-runs.ts";
import { malformedRequest } from "./malformed.ts";
import { type MessageCase, MessageRuns } from "./message-runs.ts";
import { type Compared, compareFree, passageOf, sameBesides } from "./samples.ts";
import { type Unanswered, unanswered } from "./unanswered.ts";

export interface DirectOptions extends Omit<PathOptions, "issueId" | "onExchange"> {
  readonly direct: PathAddress;
  readonly through: PathAddress;
  readonly depth: "quick" | "full";
  /** the text of the messages */
  readonly text: string;
  /** allows load and size tests, at depth full */
  readonly rude?: boolean;
  onExchange(exchange: Exchange, during: string, isMessage: boolean): void;
}

/** The reason why nothing can be compared. */
export interface DirectTrouble {
  readonly ending: RunEnding;
  readonly message: string;
  readonly hint: string;
}

/** Limits the tasks that a note names. */
const mostNamed = 5;

/** Messages at depth quick, as for `assay test`. */
const quickMessages = 8;

/** An agent on both paths, ready to be examined. */
export interface DirectRun {
  readonly facts: AgentFacts;
  readonly gateway: KnownGateway | undefined;
  readonly interfaces: readonly ComparedInterface[];
  readonly leftOut: AgentFound["leftOut"];
  /** the maximum number of messages that it sends */
  readonly planned: number;
  /** the results to expect */
  readonly results: readonly Pick<ConformanceResult, "test" | "dialect">[];
  examine(note: (text: string) => void): AsyncGenerator<PropertyResult, void>;
}

/** The two paths to one agent. */
export class DirectExamination {
  readonly #options: DirectOptions;
  readonly #direct: AgentPath;
  readonly #through: AgentPath;
  readonly #messages: MessageRuns;
  /** the same in every request, because agents repeat it in their errors */
  readonly #unknownId = randomUUID();

  constructor(options: DirectOptions) {
    this.#options = options;
    const numbers = new Recording({ keep: false });
    const issueId = (): string => numbers.issueId();
    const path = (address: PathAddress, during: string): AgentPath =>
      new AgentPath(address, {
        ...options,
        issueId,
        onExchange: (exchange) => options.onExchange(exchange, during, this.#messages.isSending),
      });
    this.#direct = path(options.direct, "directly");
    this.#through = path(options.through, "through the gateway");
    this.#messages = new MessageRuns(this.#direct, this.#through, options);
  }

  /** The number of messages that were sent. */
  get messages(): number {
    return this.#messages.sent;
  }

  /** Finds the agent on both paths. */
  async open(): Promise<DirectRun | DirectTrouble> {
    const { depth, signal } = this.#options;
    const [direct, through] = [this.#direct, this.#through];
    const search = await discoverCard(direct.http, direct.url, direct.headers, signal);
    if (!search.found) {
      const { kind, message, hint } = cardTrouble(direct.url, search);
      return { ending: endings[kind], message: `${message} This is the direct address.`, hint };
    }
    const { url: cardUrl, json } = search.found;
    const card = await this.#compareCard(cardUrl);
    const declared = normaliseCard(json).interfaces;
    const behind = lastCard(card.through);
    const bases = { direct: direct.url, through: through.url };
    const interfaces = pairInterfaces(declared, behind ? normaliseCard(behind).interfaces : [], bases, cardUrl);
    if (interfaces.length === 0)
      return {
        ending: "no-usable-interface",
        message: `The card at ${cardUrl} declares no interface that --direct supports.`,
        hint: "Declare JSON-RPC or HTTP+JSON of A2A 1.0 or 0.3, or omit --direct to test the gateway with Assay's own agent.",
      };
    const { obstacles, trouble } = await this.#reach(interfaces, behind && normaliseCard(behind).interfaces);
    if (trouble) return trouble;
    const facts = factsOf(
      json,
      cardUrl,
      interfaces.map((on) => on.direct),
    );
    const cases = interfaces
      .filter((on) => !obstacles.has(on))
      .flatMap((on): MessageCase[] => [
        ...(facts.streaming ? [{ on, is: "stream" as const }] : []),
        { on, is: "send" },
      ]);
    const planned = depth === "full" ? cases : cases.slice(0, Math.floor(quickMessages / messagesPerCase));
    return {
      facts,
      gateway: foundBy(card),
      interfaces,
      leftOut: declared.flatMap((each) =>
        interfaces.some((on) => on.binding === each.binding && on.dialect === each.dialect)
          ? []
          : [
              {
                interface: { url: each.url, binding: each.binding, dialect: each.dialect ?? "unknown" },
                because: `--direct does not support A2A ${each.dialect ?? "of an unknown version"} over ${bindingName(each.binding)}`,
              },
            ],
      ),
      planned:
        planned.length * messagesPerCase +
        interfaces.filter((on) => this.#loads(on, obstacles)).length * messagesOfLoad(facts.streaming),
      results: [
        ...properties.filter(({ once, on }) => once || on === "GRPC").map(({ id }) => ({ test: id, dialect: "1.0" })),
        ...interfaces.flatMap((on) => propertiesOn(on).map(({ id }) => ({ test: id, dialect: on.dialect }))),
      ],
      examine: (note) => this.#examine({ card, facts, interfaces, obstacles, planned, note }),
    };
  }

  /** Load and size tests may cost a lot, so they need permission. */
  #loads(on: ComparedInterface, obstacles: ReadonlyMap<ComparedInterface, string>): boolean {
    const { depth, rude } = this.#options;
    return depth === "full" && rude === true && hasLoad(on) && !obstacles.has(on);
  }

  /** Cancels the tasks that are still working. Returns a note about those that may still run. */
  async cleanUp(): Promise<string | undefined> {
    const left = await this.#messages.cancelAll();
    if (left.length === 0) return undefined;
    const more = left.length > mostNamed ? `, and ${left.length - mostNamed} more` : "";
    return `Assay could not cancel these tasks, so they may still run: ${left.slice(0, mostNamed).join(", ")}${more}`;
  }

  async close(): Promise<void> {
    await Promise.all([this.#direct.close(), this.#through.close()]);
  }

  /** Compares a free request on both paths. */
  #compare(
    ask: (path: AgentPath, name: "direct" | "through") => Promise<RequestSpec> | RequestSpec,
  ): Promise<Compared> {
    const [direct, through] = [this.#direct, this.#through];
    return compareFree(
      {
        direct: async () => direct.request(await ask(direct, "direct")),
        through: async () => through.request(await ask(through, "through")),
      },
      sameBesides([direct.url, through.url]),
    );
  }

  async #compareCard(cardUrl: string): Promise<Compared> {
    const through = this.#through;
    // The gateway may serve the card elsewhere than the agent.
    const { found } = await discoverCard(through.http, through.url, through.headers, this.#options.signal);
    const rest = restBelow(cardUrl, this.#direct.url) ?? "/.well-known/agent-card.json";
    const there = found?.url ?? `${through.url}${rest}`;
    return this.#compare(({ headers }, name) => ({
      method: "GET",
      url: name === "direct" ? cardUrl : there,
      headers: [["Accept", "application/json"], [versionHeader, "1.0"], ...headers],
      followRedirects: 3,
    }));
  }

  /** Finds the interfaces that do not answer on both paths. Returns the trouble if none does. */
  async #reach(
    interfaces: readonly ComparedInterface[],
    behind: readonly CardInterface[] | undefined,
  ): Promise<{ obstacles: ReadonlyMap<ComparedInterface, string>; trouble?: DirectTrouble }> {
    const obstacles = new Map<ComparedInterface, string>();
    let trouble: DirectTrouble | undefined;
    for (const on of interfaces) {
      const ask = (path: AgentPath, at: PeerInterface): Promise<Unanswered | undefined> =>
        unanswered(path, at, this.#unknownId, this.#options.signal);
      const isDeclared = !behind || behind.some((each) => each.binding === on.binding && each.dialect === on.dialect);
      const directly = await ask(this.#direct, on.direct);
      const there = directly ? undefined : await ask(this.#through, on.through);
      if (directly) obstacles.set(on, `the agent ${directly.because}`);
      else if (!isDeclared) obstacles.set(on, "the card behind the gateway does not declare this interface");
      else if (there) obstacles.set(on, `the gateway ${there.because}`);
      const found = directly ?? there;
      if (found) trouble ??= this.#troubleOf(found, directly ? on.direct.url : on.through.url, directly !== undefined);
    }
    return { obstacles, ...(trouble && obstacles.size === interfaces.length && { trouble }) };
  }

  #troubleOf({ because, kind }: Unanswered, url: string, isDirect: boolean): DirectTrouble {
    const hints: Record<Unanswered["kind"], string> = {
      login: loginHint,
      silent: isDirect ? "Start the agent, or correct --direct." : "Start the gateway, or correct --through.",
      elsewhere: isDirect
        ? "Correct --direct, or the addresses on the card."
        : `Configure the gateway so that ${this.#through.url} leads to ${this.#direct.url}, or correct --through.`,
    };
    const who = isDirect ? "The agent" : "The gateway";
    return {
      ending: kind === "login" ? "login-required" : "unreachable",
      message: `Nothing can be compared. ${who} at ${url} ${because}.`,
      hint: hints[kind],
    };
  }

  async *#examine({
    card,
    facts,
    interfaces,
    obstacles,
    planned,
    note,
  }: {
    card: Compared;
    facts: AgentFacts;
    interfaces: readonly ComparedInterface[];
    obstacles: ReadonlyMap<ComparedInterface, string>;
    planned: readonly MessageCase[];
    note: (text: string) => void;
  }): AsyncGenerator<PropertyResult, void> {
    const passages = [passageOf(card)];
    const aboutCard = judgeCard(card, this.#direct.url, this.#through.url);
    for (const property of properties.filter(({ once }) => once)) {
      const judgement = aboutCard.get(property.id);
      const bypass =
        property.id === "GW-CARD-ADDRESSES" ? bypassWarning(card, this.#direct.url, this.#through.url) : undefined;
      yield { ...result(property, judgement && { judgement, passages }), ...bypass };
    }
    for (const property of properties.filter(({ on }) => on === "GRPC"))
      yield result(property, { judgement: notExamined("--direct does not support gRPC"), passages: [] });
    await this.#messages.run(planned);
    for (const on of interfaces) {
      const obstacle = obstacles.get(on);
      if (obstacle !== undefined) {
        const examined = { judgement: notExamined(obstacle), passages: [] };
        for (const property of propertiesOn(on))
          yield { ...result(property, examined), binding: on.binding, version: on.dialect };
        continue;
      }
      const stored = await this.#storedTask(on);
      const { sent, streams } = this.#messages.resultsOn(on);
      const found = new Map<string, ExaminedProperty>([
        ...judgeErrors(await this.#provoke(on, facts), stored),
        ["GW-BODY-ANSWER", judgeAnswer(sent, stored)],
        ...(streams ? judgeStream(streams) : []),
        ...(this.#loads(on, obstacles) ? judgeLoad(await this.#messages.load(on, facts.streaming), streams) : []),
      ]);
      if (streams) note(`${bindingName(on.binding)} ${on.dialect}: ${firstEventNote(streams)}`);
      for (const property of propertiesOn(on)) {
        const isLeftOut = streamed.has(property.id) && facts.streaming && !streams;
        const examined = isStreamed(property) && !facts.streaming ? noStreaming : found.get(property.id);
        const lack = property.heavy && !examined ? loadLack(this.#options.depth) : isLeftOut ? depthLack : undefined;
        yield { ...result(property, examined, lack), binding: on.binding, version: on.dialect };
      }
    }
  }

  /** Reads a finished task on both paths: the agent generated it before, so it is the same. */
  async #storedTask(on: ComparedInterface): Promise<Compared | undefined> {
    const id = this.#messages.finishedTask;
    if (id === undefined) return undefined;
    const compared = await this.#compare((path, name) => path.write(on[name], "GetTask", { id }));
    const isRead = (exchange: Exchange): boolean => {
      const answer = exchange.http.response?.status === 200 ? jsonObjectIn(answerText(exchange)) : undefined;
      return answer !== undefined && !("error" in answer);
    };
    // Replicas may keep their own tasks, and so may interfaces.
    return compared.direct.every(isRead) && compared.through.some(isRead) ? compared : undefined;
  }

  async #provoke(on: ComparedInterface, { extensions }: AgentFacts): Promise<ProvokedErrors> {
    const uris = extensions.map(({ uri }) => uri).join(", ");
    const named: HeaderPairs = uris ? [[on.dialect === "1.0" ? extensionsHeader : olderExtensionsHeader, uris]] : [];
    type On = readonly [AgentPath, "direct" | "through"];
    const get = (...[path, name]: On): Promise<RequestSpec> =>
      path.write(on[name], "GetTask", { id: this.#unknownId }, [...path.headers, ...named]);
    const call = { jsonrpc: "2.0", id: 1, method: "AssayNoSuchMethod", params: {} };
    const hasLogin = this.#direct.headers.length > 0 && this.#through.headers.length > 0;
    return {
      unknownTask: await this.#compare(get),
      malformedBody: await this.#compare((path, name) => malformedRequest(path, on[name])),
      ...(on.binding === "JSONRPC" && {
        unknownMethod: await this.#compare(async (...at) => ({
          ...(await get(...at)),
          body: Buffer.from(JSON.stringify(call)),
        })),
      }),
      ...(on.dialect === "1.0" && {
        unsupportedVersion: await this.#compare(async (...at) => inVersion(await get(...at), "99.0")),
        withoutVersion: await this.#compare(async (...at) => inVersion(await get(...at), undefined)),
        olderVersion: await this.#compare(async (...at) => inVersion(await get(...at), "0.3")),
      }),
      ...(hasLogin && {
        withoutCredentials: await this.#compare((path, name) =>
          path.write(on[name], "GetTask", { id: this.#unknownId }, []),
        ),
      }),
    };
  }
}

/** Returns the properties of an interface, without those of cards and of gRPC. */
const propertiesOn = ({ binding, dialect }: ComparedInterface): readonly Property[] =>
  properties.filter((each) => !each.once && concerns(each, binding) && (dialect === "1.0" || each.older));

const endings = {
  login: "login-required",
  payment: "payment-required",
  refused: "egress-refused",
  unreachable: "unreachable",
  "no-card": "no-card",
} as const satisfies Record<string, RunEnding>;

/** A gateway is recognised by headers that the agent itself does not send. */
function foundBy({ direct, through }: Compared): KnownGateway | undefined {
  const [own, theirs] = [direct, through].map((exchanges) => recognised({ client: exchanges.at(-1)!, agent: [] }));
  return own === theirs ? undefined : theirs;
}

/** Replaces the version of a request, or removes it. */
const inVersion = (spec: RequestSpec, version: string | undefined): RequestSpec => ({
  ...spec,
  headers: [
    ...(spec.headers ?? []).filter(([name]) => name.toLowerCase() !== versionHeader.toLowerCase()),
    ...(version === undefined ? [] : [[versionHeader, version] as const]),
  ],
});

const streamed = new Set(["GW-STREAM-EVENTS", "GW-STREAM-TIMING"]);
const noStreaming: ExaminedProperty = { judgement: notExamined("the agent does not offer streaming"), passages: [] };

/** Areas whose properties are visible only at the agent's end, except for the properties below. */
const unseenAreas = ["headers", "bodies", "delivery", "credentials"];
const unseen = new Set(["GW-STREAM-DISCONNECT"]);
const seen = new Set(["GW-CREDENTIALS-ECHOED"]);

/** Load tests of streams need streaming as well. */
const isStreamed = ({ id, area, heavy }: Property): boolean =>
  streamed.has(id) || (heavy === true && area === "streams");

type Lack = NonNullable<PropertyResult["lack"]>;
const depthLack: Lack = { unexamined: "depth", enable: "--depth full" };
const loadLack = (depth: DirectOptions["depth"]): Lack =>
  depth === "full" ? { unexamined: "rude", enable: "--rude" } : { unexamined: "depth", enable: "--depth full --rude" };

function reasonFor({ id, area }: Property): string {
  if (unseen.has(id) || (unseenAreas.includes(area) && !seen.has(id)))
    return "Assay cannot see what reaches your agent";
  return "needs Assay's own agent behind the gateway";
}

const reasonOf = ({ unexamined, enable }: Lack): string =>
  unexamined === "rude" ? "may overload your agent, so it needs --rude" : `needs ${enable}`;

/**
 * Adds the reason to a property that was not examined. The version is that of cards, unless the caller sets another.
 */
function result(property: Property, examined: ExaminedProperty | undefined, lack?: Lack): PropertyResult {
  const about = { property, version: "1.0" } as const;
  const unexamined = (because: string, missing: Lack): PropertyResult => ({
    ...about,
    judgement: notExamined(because),
    passages: [],
    lack: missing,
  });
  if (lack) return unexamined(reasonOf(lack), lack);
  if (examined) return { ...about, ...examined };
  return unexamined(reasonFor(property), { unexamined: "not-triggered", enable: "a run without --direct" });
}

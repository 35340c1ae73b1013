import { eventsOf, maskedEvent, ruleOf, specUrl } from "@assay/suite";
import {
  type Category,
  type ComparedExchanges,
  type ConformanceResult,
  type InterfaceName,
  type RunEvent,
  type RunFinished,
  ruleKey,
} from "@assay/suite/report";
import { createMasker, type Exchange, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import { WireError } from "@assay/wire/server";
import { DirectExamination, type DirectOptions } from "./direct/examine-direct.ts";
import { Ends, type EndsOptions, type Script } from "./ends.ts";
import {
  type Extent,
  examineGateway,
  type PropertyResult,
  requireProperties,
  type TriedWire,
  triedWires,
  wiresFor,
} from "./examine.ts";
import { type KnownGateway, recognised, recognisedByError, settingFor } from "./known-gateways.ts";
import { properties } from "./properties/index.ts";
import type { Area } from "./property.ts";
import { type TestedBinding, testedBindings, unknownTask } from "./requests.ts";
import type { GatewayCall, PropertyVerdict } from "./verdict.ts";

export interface GatewayRunOptions extends Omit<EndsOptions, "onExchange" | "signal">, Extent {
  /** the id of the run */
  readonly run: string;
  /** masked wherever something is written */
  readonly secrets?: readonly Secret[];
  readonly signal?: AbortSignal;
  /** the agent of the user: Assay compares it with itself behind the gateway, and starts none of its own */
  readonly direct?: Pick<DirectOptions, "direct" | "text" | "rude" | "trustHosts">;
  /** called when the agent behind the gateway listens */
  onListening?(url: string): void;
}

const categoryOf: Readonly<Record<Area, Category>> = {
  card: "agent-card",
  headers: "interop",
  bodies: "interop",
  compression: "interop",
  errors: "error-handling",
  streams: "streaming",
  delivery: "lifecycle",
  credentials: "interop",
  push: "interop",
  grpc: "interop",
};

/** Examines a gateway and emits run events as they happen. */
export function testGateway(options: GatewayRunOptions): AsyncGenerator<RunEvent, void> {
  requireProperties(options.only ?? []);
  return eventsOf(options.signal, (emit, signal) => runGateway({ ...options, signal }, emit));
}

type RunOptions = GatewayRunOptions & { readonly signal: AbortSignal };

/** The recipients of a run's events and exchanges. */
interface Stage {
  emit(event: RunEvent): void;
  onExchange(exchange: Exchange, during: string, isMessage?: boolean): void;
}

/** The end of a run. */
type Conclusion = Pick<RunFinished, "ending" | "workingMessages" | "message" | "hint">;

async function runGateway(options: RunOptions, emit: (event: RunEvent) => void): Promise<void> {
  const { run, through, version, depth } = options;
  const began = performance.now();
  const secrets = new Map((options.secrets ?? []).map((secret) => [secret.value, secret]));
  emit({
    event: "run-started",
    subject: "gateway",
    run,
    at: new Date().toISOString(),
    tool: { name: "assay", version },
    ruleSet: "gateway",
    agentUrl: through,
    depth,
    strict: false,
  });
  const onExchange: Stage["onExchange"] = (exchange, during, isMessage = false) => {
    const found = exchange.http.request.headers.flatMap(([name, value]) => secretsInHeader(name, value));
    for (const secret of found) secrets.set(secret.value, secret);
    emit({
      event: "exchange",
      id: exchange.id,
      during,
      ...(isMessage && { working: true }),
      entry: toHarEntry(createMasker([...secrets.values()]).exchange(exchange)),
    });
  };
  /** The gateway may repeat secrets in what it answers, and results quote it. */
  const masked = (event: RunEvent): void => emit(maskedEvent(event, createMasker([...secrets.values()])));
  const conclusion = await (options.direct ? runDirect : runOwnAgent)(options, { emit: masked, onExchange });
  emit({
    event: "run-finished",
    at: new Date().toISOString(),
    duration_ms: Math.round(performance.now() - began),
    ...conclusion,
  });
}

/** Emits each result, and then the harmless changes. */
async function report(
  results: AsyncIterable<PropertyResult>,
  gateway: KnownGateway | undefined,
  addresses: Addresses,
  emit: Stage["emit"],
): Promise<void> {
  const changes = new Map<string, string>();
  for await (const result of results) {
    const { property, judgement } = result;
    if (judgement.is === "changed") changes.set(property.id, judgement.message);
    emit({ event: "check-finished", result: resultOf(result, gateway, addresses) });
  }
  for (const [id, message] of changes) emit({ event: "note", text: `changed harmlessly (${id}): ${message}` });
}

/** Puts Assay's own agent behind the gateway. */
async function runOwnAgent(options: RunOptions, { emit, onExchange }: Stage): Promise<Conclusion> {
  const { through, bindings = testedBindings, signal } = options;
  const workingMessages = 0;
  let ends: Ends | undefined;
  try {
    ends = await Ends.open({ ...options, onExchange: (exchange, end) => onExchange(exchange, `the ${end}'s end`) });
    options.onListening?.(ends.upstreamUrl);
    const first = await ends.send(unknownTask(ends.through, bindings[0]!));
    const gateway =
      recognised(first) ?? recognisedByError(await ends.send(unknownTask(ends.through, bindings[0]!), reset));
    const trouble = await unreachable(ends, first, bindings);
    if (trouble) return { ending: "unreachable", workingMessages, ...trouble };
    const wires = await triedWires(ends, options);
    emit({
      event: "agent-found",
      cardUrl: through,
      name: gateway?.name ?? "unknown gateway",
      version: "",
      dialects: [],
      interfaces: wires
        // A gateway need not pass every binding on.
        .filter(({ obstacle }) => obstacle?.judgement.is !== "not-examined")
        .map((wire) => interfaceOf(options, wire)),
      leftOut: [],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    });
    const results = properties.flatMap((property) =>
      wiresFor(property, wires).map(({ version }) => ({ test: property.id, dialect: version })),
    );
    emit({ event: "planned", ...countsOf(results), workingMessages, withoutCheck: 0 });
    await report(examineGateway(ends, options, wires), gateway, options, emit);
    return { ending: "done", workingMessages };
  } catch (error) {
    if (signal.aborted) return { ending: "interrupted", workingMessages };
    if (!(error instanceof WireError) || error.code !== "cannot-listen") throw error;
    const hint = "Choose another port for the agent: --upstream-port <n>";
    return { ending: "unreachable", workingMessages, message: error.message, hint };
  } finally {
    await ends?.close();
  }
}

/** Compares the user's agent with itself behind the gateway. */
async function runDirect(options: RunOptions, { emit, onExchange }: Stage): Promise<Conclusion> {
  const { through, headers = [], signal } = options;
  const paths = { ...options, ...options.direct!, through: { url: through, headers }, onExchange };
  const examination = new DirectExamination(paths);
  try {
    const opened = await examination.open();
    if ("ending" in opened) return { ...opened, workingMessages: 0 };
    const { facts, gateway, interfaces, leftOut, planned, results } = opened;
    const { cardUrl, streaming, pushNotifications, extendedAgentCard } = facts;
    emit({
      event: "agent-found",
      cardUrl,
      name: gateway?.name ?? "unknown gateway",
      version: "",
      dialects: [],
      interfaces: interfaces.map(({ binding, dialect }) => interfaceOf(options, { binding, version: dialect })),
      leftOut,
      capabilities: { streaming, pushNotifications, extendedAgentCard },
    });
    emit({ event: "planned", ...countsOf(results), workingMessages: planned, withoutCheck: 0 });
    const examined = opened.examine((text) => emit({ event: "note", text }));
    await report(examined, gateway, options, emit);
    return { ending: "done", workingMessages: examination.messages };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ending: "interrupted", workingMessages: examination.messages };
  } finally {
    const text = await examination.cleanUp();
    if (text !== undefined) emit({ event: "note", text });
    await examination.close();
  }
}

/** Counts the results to expect, and the properties. One that is examined in two versions counts twice. */
const countsOf = (results: readonly Pick<ConformanceResult, "test" | "dialect">[]) => ({
  checks: results.length,
  rules: new Set(results.map(ruleKey)).size,
});

/** Closes the connection. Many gateways then show a page of their own. */
const reset: Script = (_request, reply) => void reply.raw.destroy();

type Addresses = Pick<EndsOptions, "through" | "grpcThrough">;

const interfaceOf = (
  { through, grpcThrough = through }: Addresses,
  { binding, version }: Pick<TriedWire, "binding" | "version">,
): InterfaceName => ({
  binding,
  dialect: version,
  url: binding === "GRPC" ? grpcThrough : through,
});

/** Says why no request reached the agent; undefined if one did. */
async function unreachable(
  ends: Ends,
  first: GatewayCall,
  bindings: readonly TestedBinding[],
): Promise<{ message: string; hint: string } | undefined> {
  if (first.agent.length > 0) return undefined;
  for (const binding of bindings.slice(1))
    if ((await ends.send(unknownTask(ends.through, binding))).agent.length > 0) return undefined;
  const { failure, http } = first.client;
  const answer = http.response ? `it answered HTTP ${http.response.status}` : (failure?.message ?? "it did not answer");
  return {
    message: `The gateway at ${ends.through} passed no request on to ${ends.upstreamUrl}: ${answer}.`,
    hint: http.response
      ? `Configure the gateway so that ${ends.through} leads to ${ends.upstreamUrl}. If it passes another host name on, add --allow-host <name>.`
      : "Start the gateway, or correct --through.",
  };
}

function resultOf(
  { property, binding, version, lack, warning, remedy: advice, judgement, passages }: PropertyResult,
  gateway: KnownGateway | undefined,
  addresses: Addresses,
): ConformanceResult {
  const { id, area, title, breaks, remedy, rule } = property;
  const setting = gateway && settingFor(gateway, id);
  // The rules are those of 1.0.
  const cited = rule !== undefined && version === "1.0" ? ruleOf(rule) : undefined;
  const section = cited?.section ?? "";
  const evidence = passages.flatMap(({ client, agent }) => [client.id, ...agent.map((each) => each.id)]);
  const compared = comparedOf(judgement, passages[0]);
  const common = {
    test: id,
    category: categoryOf[area],
    dialect: version,
    // A2A has no rule for the other properties.
    level: cited?.level ?? ("SHOULD" as const),
    title,
    section,
    specUrl: specUrl(section),
    ...(binding && { interface: interfaceOf(addresses, { binding, version }) }),
    evidence,
    ...(compared && { compared }),
  };
  switch (judgement.is) {
    case "preserved":
      return {
        ...common,
        status: "pass",
        verdict: "pass",
        ...(warning !== undefined && { warning }),
        ...(advice !== undefined && { remedy: advice }),
      };
    case "changed":
      return { ...common, status: "pass", verdict: "pass", info: judgement.message };
    case "not-examined":
      return {
        ...common,
        status: "skip",
        verdict: "not-examined",
        message: judgement.because,
        unexamined: "not-triggered",
        ...lack,
      };
    case "broken":
      return {
        ...common,
        status: "fail",
        verdict: "fail",
        message: judgement.message,
        saw: judgement.saw,
        want: judgement.want,
        remedy: `${remedy}${setting === undefined ? "" : ` With ${setting}`} As it is, ${breaks[0]!.toLowerCase()}${breaks.slice(1)}${cited ? ` This breaks ${cited.id} of A2A.` : ""}`,
      };
  }
}

/** Puts the sender before the receiver. Without a known place, the response shows what happened. */
function comparedOf(judgement: PropertyVerdict, call: GatewayCall | undefined): ComparedExchanges | undefined {
  if (!call || (judgement.is !== "broken" && judgement.is !== "changed")) return undefined;
  const { part, header, status, place } = judgement.at ?? { part: "response" };
  const seen = judgement.is === "changed" ? judgement.seen : judgement.at && judgement;
  const client = { end: "client", exchanges: [call.client.id] } as const;
  const agent = { end: "agent", exchanges: call.agent.map(({ id }) => id) } as const;
  const [sender, receiver] = part === "request" ? [client, agent] : [agent, client];
  return {
    part,
    ends: [
      { ...sender, ...(seen && { shows: seen.want }) },
      { ...receiver, ...(seen && { shows: seen.saw }) },
    ],
    ...(header !== undefined && { header }),
    ...(status && { status }),
    ...(place && { place }),
  };
}

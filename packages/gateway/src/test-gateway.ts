import { eventsOf, ruleOf, specUrl } from "@assay/suite";
import type { Category, ConformanceResult, InterfaceName, RunEvent } from "@assay/suite/report";
import { createMasker, type Exchange, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import { WireError } from "@assay/wire/server";
import { Ends, type EndsOptions } from "./ends.ts";
import { type Extent, examineGateway, type PropertyResult } from "./examine.ts";
import { type KnownGateway, recognised, settingFor } from "./known-gateways.ts";
import { properties } from "./properties/index.ts";
import type { Area } from "./property.ts";
import { type TestedBinding, testedBindings, unknownTask } from "./requests.ts";
import type { GatewayCall } from "./verdict.ts";

export interface GatewayRunOptions extends Omit<EndsOptions, "onExchange" | "signal">, Extent {
  /** the id of the run */
  readonly run: string;
  /** masked wherever something is written */
  readonly secrets?: readonly Secret[];
  readonly signal?: AbortSignal;
  /** called when the agent behind the gateway listens */
  onListening?(url: string): void;
}

const categoryOf: Readonly<Record<Area, Category>> = {
  card: "agent-card",
  headers: "interop",
  bodies: "interop",
  errors: "error-handling",
  streams: "streaming",
  delivery: "lifecycle",
  credentials: "interop",
};

/** Examines a gateway and emits run events as they happen. */
export const testGateway = (options: GatewayRunOptions): AsyncGenerator<RunEvent, void> =>
  eventsOf(options.signal, (emit, signal) => runGateway({ ...options, signal }, emit));

async function runGateway(
  options: GatewayRunOptions & { readonly signal: AbortSignal },
  emit: (event: RunEvent) => void,
): Promise<void> {
  const { run, through, version, depth, bindings = testedBindings, signal } = options;
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
  const onExchange = (exchange: Exchange, end: "client" | "agent"): void => {
    const found = exchange.http.request.headers.flatMap(([name, value]) => secretsInHeader(name, value));
    for (const secret of found) secrets.set(secret.value, secret);
    emit({
      event: "exchange",
      id: exchange.id,
      during: `the ${end}'s end`,
      entry: toHarEntry(createMasker([...secrets.values()]).exchange(exchange)),
    });
  };
  let ending: "done" | "interrupted" | "unreachable" = "done";
  let trouble: { message: string; hint: string } | undefined;
  let ends: Ends | undefined;
  try {
    ends = await Ends.open({ ...options, onExchange });
    options.onListening?.(ends.upstreamUrl);
    const first = await ends.send(unknownTask(ends.through, bindings[0]!));
    const gateway = recognised(first);
    trouble = await unreachable(ends, first, bindings);
    if (trouble) ending = "unreachable";
    else {
      emit({
        event: "agent-found",
        cardUrl: through,
        name: gateway?.name ?? "unknown gateway",
        version: "",
        dialects: [],
        interfaces: bindings.map((binding) => interfaceOf(through, binding)),
        leftOut: [],
        capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      });
      const rules = properties.length;
      const checks = properties.reduce((sum, { once }) => sum + (once ? 1 : bindings.length), 0);
      emit({ event: "planned", checks, rules, workingMessages: 0, withoutCheck: 0 });
      const changes = new Map<string, string>();
      for await (const result of examineGateway(ends, { depth, bindings })) {
        const { property, judgement } = result;
        if (judgement.is === "changed") changes.set(property.id, judgement.message);
        emit({ event: "check-finished", result: resultOf(result, gateway, through) });
      }
      for (const [id, message] of changes) emit({ event: "note", text: `changed harmlessly (${id}): ${message}` });
    }
  } catch (error) {
    if (signal.aborted) ending = "interrupted";
    else if (error instanceof WireError && error.code === "cannot-listen") {
      ending = "unreachable";
      trouble = { message: error.message, hint: "Choose another port for the agent: --upstream-port <n>" };
    } else throw error;
  } finally {
    await ends?.close();
  }
  emit({
    event: "run-finished",
    at: new Date().toISOString(),
    ending,
    duration_ms: Math.round(performance.now() - began),
    workingMessages: 0,
    ...trouble,
  });
}

const interfaceOf = (through: string, binding: TestedBinding): InterfaceName => ({
  binding,
  dialect: "1.0",
  url: through,
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
    hint: `Configure the gateway so that ${ends.through} leads to ${ends.upstreamUrl}. If it passes another host name on, add --allow-host <name>.`,
  };
}

function resultOf(
  { property, binding, judgement, passages }: PropertyResult,
  gateway: KnownGateway | undefined,
  through: string,
): ConformanceResult {
  const { id, area, title, breaks, remedy, rule, heavy } = property;
  const setting = gateway && settingFor(gateway, id);
  const evidence = passages.flatMap(({ client, agent }) => [client.id, ...agent.map((each) => each.id)]);
  const common = {
    test: id,
    category: categoryOf[area],
    dialect: "1.0",
    level: "MUST" as const,
    title,
    section: (rule !== undefined && ruleOf(rule)?.section) || "",
    specUrl: specUrl((rule !== undefined && ruleOf(rule)?.section) || ""),
    ...(binding && { interface: interfaceOf(through, binding) }),
    evidence,
  };
  switch (judgement.is) {
    case "preserved":
      return { ...common, status: "pass", verdict: "pass" };
    case "changed":
      return { ...common, status: "pass", verdict: "pass", info: judgement.message };
    case "not-examined":
      return {
        ...common,
        status: "skip",
        verdict: "not-examined",
        message: judgement.because,
        unexamined: heavy ? "depth" : "not-triggered",
        ...(heavy && { enable: "--depth full" }),
      };
    case "broken":
      return {
        ...common,
        status: "fail",
        verdict: "fail",
        message: judgement.message,
        saw: judgement.saw,
        want: judgement.want,
        remedy: `${remedy}${setting === undefined ? "" : ` With ${setting}`} As it is, ${breaks[0]!.toLowerCase()}${breaks.slice(1)}`,
      };
  }
}

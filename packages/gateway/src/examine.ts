import { fitsGlob, nearest } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import type { ConformanceResult } from "@assay/suite/report";
import type { Exchange } from "@assay/wire";
import type { Ends } from "./ends.ts";
import { unknownGrpcTask } from "./grpc-requests.ts";
import { properties } from "./properties/index.ts";
import type { Property } from "./property.ts";
import {
  type ReportedBinding,
  type TestedBinding,
  type TestedVersion,
  testedBindings,
  testedVersions,
  unknownTask,
} from "./requests.ts";
import { broken, type ExaminedProperty, type GatewayCall, notExamined } from "./verdict.ts";

export interface Extent {
  /** full also runs load and size cases */
  readonly depth: "quick" | "full";
  readonly bindings?: readonly TestedBinding[];
  /** examines only these properties: ids, or GW-STREAM-* */
  readonly only?: readonly string[];
}

/** Throws an error if a pattern fits no property. */
export function requireProperties(patterns: readonly string[]): void {
  const unknown = patterns.find((pattern) => !properties.some(({ id }) => fitsGlob(pattern, id)));
  if (unknown === undefined) return;
  const near = nearest(
    unknown,
    properties.map(({ id }) => id),
  );
  const hint = near ? `Did you mean ${near}?` : "docs/gateways.md lists the properties.";
  throw new UsageError(`"${unknown}" matches no property of a gateway`, hint);
}

/** The result of one property in one version, on one binding or for all of them. */
export interface PropertyResult extends ExaminedProperty {
  readonly property: Property;
  readonly version: TestedVersion;
  readonly binding?: ReportedBinding;
  /** the reason if it was not tried */
  readonly lack?: Lack;
  /** something to change that is not the gateway's fault, and the fix */
  readonly warning?: string;
  readonly remedy?: string;
}

/** The reason why a property was not tried, and how to enable it. */
type Lack = Required<Pick<ConformanceResult, "unexamined" | "enable">>;

/** A binding of one version, with the reason if the gateway does not pass it on. */
export interface TriedWire {
  readonly version: TestedVersion;
  readonly binding: ReportedBinding;
  readonly obstacle?: ExaminedProperty;
}

/** Tries every binding. A gateway without gRPC is to blame only if its operator gave an address for gRPC. */
export async function triedWires(
  ends: Ends,
  { bindings = testedBindings, grpcThrough }: Pick<Extent, "bindings"> & { readonly grpcThrough?: string },
): Promise<TriedWire[]> {
  const wires: TriedWire[] = [];
  for (const version of testedVersions)
    for (const binding of bindings) {
      const passage = await ends.send(unknownTask(ends.through, binding, [], version));
      const isPassed = passage.agent.length > 0;
      const reason = `the gateway passed no ${binding} request of ${version} on`;
      wires.push({ binding, version, ...(!isPassed && { obstacle: obstacleOf(passage, reason) }) });
    }
  const first = await ends.call(unknownGrpcTask());
  // The network may lose a call by chance.
  const call = first.agent.length > 0 ? first : await ends.call(unknownGrpcTask());
  const [arrived] = call.agent;
  if (arrived?.transport.http2) wires.push({ binding: "GRPC", version: "1.0" });
  else {
    const reason = arrived
      ? "the gateway passed a gRPC call on over HTTP/1.1, which gRPC does not support"
      : "the gateway passed no gRPC call on";
    wires.push({ binding: "GRPC", version: "1.0", obstacle: obstacleOf(call, reason, grpcThrough !== undefined) });
  }
  return wires;
}

/** Without a connection the address may be wrong, so the gateway is not blamed. */
function obstacleOf(passage: GatewayCall, reason: string, isAsked = false): ExaminedProperty {
  const { client, agent } = passage;
  const saw = agent.length > 0 ? "the call over HTTP/1.1" : answerOf(client);
  const isRefused = client.http.response || ["reset", "closed-early", "malformed"].includes(client.failure?.code ?? "");
  const judgement =
    isAsked && isRefused
      ? broken(reason, { saw, want: "the call at the agent, over HTTP/2" })
      : notExamined(agent.length > 0 ? reason : `${reason}: ${saw}`);
  return { judgement, passages: [passage] };
}

const answerOf = ({ http: { response }, failure }: Exchange): string =>
  response ? `it answered HTTP ${response.status} itself` : (failure?.message ?? "no response");

/** Most properties concern both bindings that are plain HTTP. */
export const concerns = ({ on }: Property, binding: ReportedBinding): boolean =>
  on === undefined ? binding !== "GRPC" : on === binding;

/** Returns the bindings and versions for which a property is examined. */
export const wiresFor = (property: Property, wires: readonly TriedWire[]): readonly TriedWire[] => {
  const own = wires.filter(
    ({ binding, version }) => concerns(property, binding) && (version === "1.0" || property.older),
  );
  return property.once ? own.filter(({ binding }) => binding === own[0]?.binding) : own;
};

/** Examines every property of a gateway and yields the results in the order of the table. */
export async function* examineGateway(
  ends: Ends,
  extent: Extent,
  wires: readonly TriedWire[],
): AsyncGenerator<PropertyResult, void> {
  const known = new Map<string, ExaminedProperty>();
  const examinedOn = async (property: Property, wire: TriedWire): Promise<ExaminedProperty> => {
    const key = `${property.id} ${wire.binding} ${wire.version}`;
    const examined = known.get(key) ?? (await examineTwice(property, ends, wire));
    known.set(key, examined);
    return examined;
  };
  for (const property of properties)
    for (const wire of wiresFor(property, wires)) {
      const { binding, version } = wire;
      const examined =
        omittedBecause(property, ends, extent, wire) ??
        (property.needsStream ? withoutStream(await examinedOn(plainStream, wire)) : undefined) ??
        (await examinedOn(property, wire));
      yield { property, version, ...(!property.once && { binding }), ...lackOf(property, examined), ...examined };
    }
}

/** Examines a property again if it is broken, because the network may lose a response by chance. */
async function examineTwice(
  { isProof, examine }: Property,
  ends: Ends,
  { binding, version }: TriedWire,
): Promise<ExaminedProperty> {
  // Properties of gRPC do not use the binding.
  const first = await examine(ends, binding as TestedBinding, version);
  if (first.judgement.is !== "broken" || isProof) return first;
  return examine(ends, binding as TestedBinding, version);
}

/**
 * Returns the reason to omit the other properties of streams: without a plain stream, they would only repeat its
 * failure.
 */
function withoutStream({ judgement, passages }: ExaminedProperty): Omitted | undefined {
  if (judgement.is !== "broken" && judgement.is !== "not-examined") return undefined;
  const reason = judgement.is === "broken" ? judgement.message : judgement.because;
  const lack: Lack = { unexamined: "prerequisite", enable: `a stream that passes the gateway (${plainStream.id})` };
  return { judgement: notExamined(reason), passages, lack };
}

const plainStream = properties.find(({ id }) => id === "GW-STREAM-EVENTS")!;

const lackOf = ({ needs }: Property, { judgement }: ExaminedProperty): Pick<PropertyResult, "lack"> =>
  needs !== undefined && judgement.is === "not-examined" ? { lack: { unexamined: "prerequisite", enable: needs } } : {};

type Omitted = ExaminedProperty & Pick<PropertyResult, "lack">;

/** Returns the result of a property that cannot be examined in this run. */
function omittedBecause(
  { id, heavy, callback, once }: Property,
  ends: Ends,
  { depth, only }: Extent,
  { binding, version, obstacle }: TriedWire,
): Omitted | undefined {
  const because = (reason: string, lack: Lack): Omitted => ({ judgement: notExamined(reason), passages: [], lack });
  if (only && !only.some((pattern) => fitsGlob(pattern, id)))
    return because("left out by --only", { unexamined: "filter", enable: "a run without --only" });
  if (heavy && depth === "quick") return because("needs --depth full", { unexamined: "depth", enable: "--depth full" });
  if (callback && ends.callbackThrough === undefined)
    return because("needs --callback-through <url>", { unexamined: "webhook", enable: "--callback-through <url>" });
  if (once || !obstacle) return undefined;
  const { judgement } = obstacle;
  const enable =
    binding === "GRPC" ? "a route for gRPC (--grpc-through <address>)" : `a route for ${binding} of A2A ${version}`;
  const lack: Lack = { unexamined: "prerequisite", enable };
  // Only one property of a missing binding is broken; the others cannot be examined.
  if (judgement.is === "broken" && id !== "GW-GRPC-CALL") return because(judgement.message, lack);
  return { ...obstacle, lack };
}

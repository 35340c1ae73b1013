import { type Exchange, isSameHost } from "@assay/wire";
import { answeredHeader, answerText, foreignId } from "../compare.ts";
import { leavesOf } from "../json-text.ts";
import type { GatewayCall } from "../verdict.ts";

/** The comparable parts of a response, by name: `status`, `header etag`, `body $.error.code`. */
type Facets = ReadonlyMap<string, string>;

/** A part of the response that is the same in every direct call and different in every call through the gateway. */
export interface Difference {
  readonly name: string;
  readonly want: string | undefined;
  readonly saw: string | undefined;
}

/** The same request on both paths, as often as it took to tell the agent's own variation from the gateway's. */
export interface Compared {
  readonly direct: readonly Exchange[];
  readonly through: readonly Exchange[];
  readonly differences: readonly Difference[];
  /** the reason why nothing could be compared */
  readonly obstacle?: string;
}

type IsSame = (a: string | undefined, b: string | undefined) => boolean;

const comparedHeaders = ["www-authenticate", "retry-after", "a2a-extensions", "cache-control", "etag"];

function facetsOf(exchange: Exchange): Facets {
  const { response } = exchange.http;
  const facets = new Map<string, string>();
  if (!response) return facets.set("status", "no response");
  facets.set("status", `HTTP ${response.status}`);
  const type = answeredHeader(exchange, "content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type) facets.set("header content-type", type);
  for (const name of comparedHeaders) {
    const value = answeredHeader(exchange, name);
    if (value !== undefined) facets.set(`header ${name}`, value);
  }
  const leaves = leavesOf(answerText(exchange));
  if (leaves) for (const [path, value] of leaves) facets.set(`body ${path}`, value);
  else facets.set("body", response.body.length === 0 ? "nothing" : "not JSON");
  const id = foreignId(exchange, answerText(exchange));
  if (leaves?.has("$.jsonrpc")) facets.set("body $.id", id ?? "the id of the request");
  return facets;
}

/** Statuses that turn a request away, and so show nothing about the response. */
const turnedAway = [429, 503];
/** Statuses of a gateway that asks for credentials or blocks odd requests. */
const refused = [401, 403, 407];

function obstacleIn(exchanges: readonly Exchange[], who: string, statuses = turnedAway): string | undefined {
  for (const { http, failure } of exchanges) {
    if (!http.response) return `${who} gave no response: ${failure?.message ?? "unknown reason"}`;
    if (statuses.includes(http.response.status)) return `${who} answered HTTP ${http.response.status}`;
  }
  return undefined;
}

/** Returns why the responses cannot be compared. */
function obstacleOf(direct: readonly Exchange[], through: readonly Exchange[]): string | undefined {
  const own = new Set(direct.map(({ http }) => http.response?.status));
  const more = refused.filter((status) => !own.has(status));
  return obstacleIn(direct, "the agent") ?? obstacleIn(through, "the gateway", [...turnedAway, ...more]);
}

/** Limits the rounds. Random members may agree by chance in a few calls, but not in this many on both paths. */
const mostRounds = 9;

/**
 * Sends a request twice directly and once through the gateway. While they seem to differ, it repeats both: an agent
 * with random content differs from itself sooner or later. The request must be free of charge.
 */
export async function compareFree(
  ask: { direct(): Promise<Exchange>; through(): Promise<Exchange> },
  isSame: IsSame,
): Promise<Compared> {
  const direct = [await ask.direct()];
  const through = [await ask.through()];
  direct.push(await ask.direct());
  for (;;) {
    const obstacle = obstacleOf(direct, through);
    const differences = obstacle === undefined ? steadyDifferences(direct, through, isSame) : [];
    if (differences.length === 0 || through.length > mostRounds)
      return { direct, through, differences, ...(obstacle !== undefined && { obstacle }) };
    through.push(await ask.through());
    direct.push(await ask.direct());
  }
}

/** Lists the parts that are equal in all of the first exchanges and different in all of the others. */
export function steadyDifferences(
  direct: readonly Exchange[],
  through: readonly Exchange[],
  isSame: IsSame = (a, b) => a === b,
): Difference[] {
  const [ours, theirs] = [direct.map(facetsOf), through.map(facetsOf)];
  const names = new Set([...ours, ...theirs].flatMap((facets) => [...facets.keys()]));
  return [...names].flatMap((name) => {
    const want = ours[0]!.get(name);
    if (!ours.every((facets) => isSame(facets.get(name), want))) return [];
    if (theirs.some((facets) => isSame(facets.get(name), want))) return [];
    return [{ name, want, saw: theirs.at(-1)!.get(name) }];
  });
}

/** Compares texts without the addresses of the two paths, because agents and gateways write their own. */
export function sameBesides(bases: readonly string[]): IsSame {
  const plain = (text: string | undefined): string | undefined =>
    text?.replace(/https?:\/\/[^\s"<>\\]+/g, (url) => {
      const base = bases.find((each) => URL.canParse(url) && isSameHost(url, each, { port: true }));
      if (base === undefined) return url;
      const folder = new URL(base).pathname.replace(/\/+$/, "");
      const { pathname, search } = new URL(url);
      return `${pathname.startsWith(folder) ? pathname.slice(folder.length) : pathname}${search}`.replace(/^\/?/, "/");
    });
  return (a, b) => a === b || plain(a) === plain(b);
}

/** Shows both exchanges: the one through the gateway, and the direct one. */
export const passageOf = ({ direct, through }: Pick<Compared, "direct" | "through">): GatewayCall => ({
  client: through.at(-1)!,
  agent: direct.slice(-1),
});

import { isLoopback } from "../loopback.ts";
import { type DialectVersion, dialects } from "../versions.ts";
import { type ClientChange, type ComparedCard, change, everyone } from "./client-change.ts";
import { quote } from "./finding.ts";
import type { CardInterface } from "./interfaces.ts";
import { parseUrl } from "./url.ts";

export function* interfaceChanges(old: ComparedCard, next: ComparedCard): Iterable<ClientChange> {
  const path = "$.supportedInterfaces";
  const [before, after] = [byKind(old.interfaces), byKind(next.interfaces)];
  const [versionsBefore, versionsAfter] = [versionsIn(old.interfaces), versionsIn(next.interfaces)];
  for (const version of versionsBefore) {
    if (versionsAfter.has(version)) continue;
    const lost = [...before.keys()].filter((kind) => kind.startsWith(`${version} `));
    const affects = `clients that speak only ${version}`;
    yield change("version-dropped", path, `The card no longer offers protocol version ${version}.`, affects, lost);
  }
  for (const version of versionsAfter)
    if (!versionsBefore.has(version))
      yield change("version-added", path, `The card offers protocol version ${version}.`, everyone);
  for (const [kind, addresses] of before) {
    const now = after.get(kind);
    if (now) yield* addressChanges(kind, addresses, now);
    else if (versionsAfter.has(versionOf(kind)))
      yield change("interface-removed", path, `The interface ${kind} is gone.`, `clients that speak only ${kind}`, [
        kind,
      ]);
  }
  for (const kind of after.keys())
    if (!before.has(kind) && versionsBefore.has(versionOf(kind)))
      yield change("interface-added", path, `The card offers ${kind}.`, everyone);
  yield* preferenceChange(old, next, after);
  yield* formChanges(old, next, versionsBefore, versionsAfter);
}

function* addressChanges(kind: string, before: readonly string[], after: readonly string[]): Iterable<ClientChange> {
  const path = "$.supportedInterfaces";
  const gone = before.filter((address) => !after.includes(address));
  const added = after.filter((address) => !before.includes(address));
  if (before.every(isEncrypted) && after.every(isReadableByOthers)) {
    const message = `The interface ${kind} is no longer encrypted: ${after.map(quote).join(", ")}.`;
    yield change("tls-dropped", path, message, "clients that require TLS, as A2A does in production");
    return;
  }
  if (gone.length && added.length) {
    const message = `The interface ${kind} moved from ${gone.map(quote).join(", ")} to ${added.map(quote).join(", ")}.`;
    const host = added.some((address) => !before.some((each) => hostOf(each) === hostOf(address)));
    const affects = `clients that keep the card or the address${host ? ", and clients that may contact only known hosts" : ""}`;
    yield change("interface-moved", path, message, affects);
    return;
  }
  for (const address of gone)
    yield change(
      "address-removed",
      path,
      `The interface ${kind} is gone from ${quote(address)}, and has another address.`,
      "clients that keep the card or the address",
    );
  for (const address of added)
    yield change("address-added", path, `The interface ${kind} has one more address: ${quote(address)}.`, everyone);
}

/** Clients prefer the first interface that they speak. */
function* preferenceChange(
  old: ComparedCard,
  next: ComparedCard,
  after: ReadonlyMap<string, unknown>,
): Iterable<ClientChange> {
  const [first, now] = [old.interfaces[0], next.interfaces[0]];
  if (!first || !now || kindOf(first) === kindOf(now) || !after.has(kindOf(first))) return;
  // A new version in front does not change what clients of the older ones choose.
  if (versionOf(kindOf(first)) !== versionOf(kindOf(now))) return;
  yield change(
    "preference-changed",
    "$.supportedInterfaces[0]",
    `The preferred interface was ${kindOf(first)} and is now ${kindOf(now)}.`,
    "clients that speak both: they change to the new one",
  );
}

/** Clients of 0.x read `url`, and clients of 1.0 read `supportedInterfaces`, whatever the other form says. */
function* formChanges(
  old: ComparedCard,
  next: ComparedCard,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Iterable<ClientChange> {
  const hasUrl = ({ json }: ComparedCard): boolean => typeof json["url"] === "string";
  const hasList = ({ json }: ComparedCard): boolean => Array.isArray(json["supportedInterfaces"]);
  const isOlder = (version: string): boolean => version !== "1.0" && before.has(version) && after.has(version);
  if (hasUrl(old) && !hasUrl(next) && dialects.some(isOlder))
    yield change(
      "older-members-removed",
      "$.url",
      "The card no longer has `url`. Its list of interfaces still names an older version.",
      "clients of older versions: they find the agent by `url`",
    );
  if (hasList(old) && !hasList(next) && before.has("1.0") && after.has("1.0"))
    yield change(
      "interface-list-removed",
      "$.supportedInterfaces",
      "The card no longer has `supportedInterfaces`.",
      "clients of 1.0: they find the agent by this list",
    );
}

/** A later minor version is one of its own: its agent may refuse requests of 1.0 (§3.6.2). */
const nameOfVersion = ({ dialect, later }: CardInterface): string | undefined => later ?? dialect;
const kindOf = (each: CardInterface): string => `${nameOfVersion(each) ?? "unknown version"} ${each.binding}`;
const versionOf = (kind: string): DialectVersion | string => kind.split(" ", 1)[0]!;
const versionsIn = (interfaces: readonly CardInterface[]): ReadonlySet<string> =>
  new Set(interfaces.flatMap((each) => nameOfVersion(each) ?? []));

/** Returns the addresses of each kind of interface. A tenant is part of the address. */
function byKind(interfaces: readonly CardInterface[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const each of interfaces) {
    const address = addressOf(each.url) + (each.tenant === undefined ? "" : ` (tenant ${each.tenant})`);
    kinds.set(kindOf(each), [...(kinds.get(kindOf(each)) ?? []), address]);
  }
  return kinds;
}

/** `https://h` and `https://h/` are the same address. */
const addressOf = (url: string): string => url.replace(/^(https?:\/\/[^/]+)\/$/i, "$1");
const hostOf = (address: string): string => /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/ ]*)/i.exec(address)?.[1] ?? "";

const isEncrypted = (address: string): boolean => urlIn(address)?.scheme === "https";

/** Plain http beyond this machine. The card of a local test agent is not one that lost its TLS. */
const isReadableByOthers = (address: string): boolean => {
  const url = urlIn(address);
  return url?.scheme === "http" && !isLoopback(url.host);
};

const urlIn = (address: string) => parseUrl(address.replace(/ \(tenant .*/s, ""));

import { type CardInterface, newestFirst } from "@assay/protocol";
import { type BoundCredentials, type PeerInterface, speakable } from "@assay/wire";
import type { LeftOut } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import type { TestOptions } from "../options.ts";

/** Limits the list, because a card may have any number of interfaces. */
const leftOutTold = 50;

/** Returns the interfaces of a card that Assay cannot use at all. */
export const unspeakable = (declared: readonly CardInterface[]): LeftOut[] =>
  declared
    .filter((entry) => speakable(entry) === undefined)
    .slice(0, leftOutTold)
    .map(({ url, binding, dialect }) => ({
      interface: { url, binding, dialect: dialect ?? "unknown" },
      because:
        dialect === undefined ? "Assay does not support its version" : "Assay does not support its binding or address",
      forced: true,
    }));

/**
 * Chooses the first interface of each binding and version, and one that declares 1.0 before one that declares a later
 * version in that form. Separate rules examine the others.
 */
export function chooseInterfaces(
  spoken: readonly PeerInterface[],
  options: Pick<TestOptions, "bindings" | "dialects" | "olderOnly" | "connection">,
  /** absent without credentials, or if Assay sends no requests */
  credentials?: BoundCredentials,
): { tested: PeerInterface[]; leftOut: LeftOut[]; keptFrom: LeftOut[] } {
  const { guard } = options.connection;
  const tested: PeerInterface[] = [];
  const leftOut: LeftOut[] = [];
  const leave = (on: PeerInterface, because: string, more: Pick<LeftOut, "forced" | "withheld"> = {}): void => {
    if (leftOut.length < leftOutTold) leftOut.push({ interface: interfaceName(on), because, ...more });
  };
  for (const on of spoken) {
    const because = whyLeftOut(on, { spoken, tested }, options);
    // Where the egress guard refuses a host, its own message applies.
    const isKept =
      because === undefined &&
      credentials?.any === true &&
      !credentials.mayGoTo(on.url) &&
      guard.checkHost(new URL(on.url).hostname).allowed;
    if (isKept) leave(on, keptFrom(on), { forced: true, withheld: true });
    else if (because === undefined) tested.push(on);
    else leave(on, because);
  }
  return { tested, leftOut, keptFrom: leftOut.filter(({ withheld }) => withheld) };
}

/** Versions before 1.0, newest first. */
const olderVersions = newestFirst.filter((version) => version !== "1.0");

function whyLeftOut(
  on: PeerInterface,
  { spoken, tested }: { readonly spoken: readonly PeerInterface[]; readonly tested: readonly PeerInterface[] },
  { bindings, dialects, olderOnly = false }: Parameters<typeof chooseInterfaces>[1],
): string | undefined {
  if (bindings && !bindings.includes(on.binding)) return "excluded by --binding";
  if (dialects && !dialects.includes(on.dialect)) return "excluded by --dialect";
  const older = olderOnly && olderVersions.find((version) => spoken.some(({ dialect }) => dialect === version));
  if (older && on.dialect !== older) return `this run tests only ${older}`;
  const isAlike = ({ binding, dialect }: PeerInterface): boolean => binding === on.binding && dialect === on.dialect;
  if (on.later !== undefined && spoken.some((other) => isAlike(other) && other.later === undefined))
    return `Assay tests the interface of ${on.dialect} with this binding, not that of ${on.later}`;
  return tested.some(isAlike) ? "Assay tests the first interface of this binding and version" : undefined;
}

/** With credentials, Assay never tests an interface anonymously: the agent may behave differently there. */
const keptFrom = (on: PeerInterface): string =>
  `${new URL(on.url).host} is not the address you named, so Assay does not send your credentials there. To allow it: ${trustFlag(on)}`;

/** Returns the flag that allows credentials for an interface. */
export const trustFlag = ({ url }: { readonly url: string }): string => {
  const { protocol, hostname, port } = new URL(url);
  return `--trust-host ${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
};

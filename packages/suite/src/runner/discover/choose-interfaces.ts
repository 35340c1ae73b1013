import type { CardInterface } from "@assay/protocol";
import { type BoundCredentials, type PeerInterface, speakable } from "@assay/wire";
import type { LeftOut } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import type { TestOptions } from "../options.ts";

/** A card may list any number of them. */
const leftOutTold = 50;

/** Interfaces of a card that we cannot speak to, whatever the operator wishes. */
export const unspeakable = (declared: readonly CardInterface[]): LeftOut[] =>
  declared
    .filter((entry) => speakable(entry) === undefined)
    .slice(0, leftOutTold)
    .map(({ url, binding, dialect }) => ({
      interface: { url, binding, dialect: dialect ?? "unknown" },
      because:
        dialect === undefined ? "its version is none that we speak" : "its binding or address is none that we speak",
      forced: true,
    }));

/** The first interface of each binding and version: what others of the same kind differ in is examined by its own rules. */
export function chooseInterfaces(
  spoken: readonly PeerInterface[],
  { bindings, dialects, connection: { guard } }: Pick<TestOptions, "bindings" | "dialects" | "connection">,
  /** absent where nothing is shown to the agent, or nothing asked of it */
  credentials?: BoundCredentials,
): { tested: PeerInterface[]; leftOut: LeftOut[]; keptFrom: LeftOut[] } {
  const tested: PeerInterface[] = [];
  const leftOut: LeftOut[] = [];
  const leave = (on: PeerInterface, because: string, more: Pick<LeftOut, "forced" | "withheld"> = {}): void => {
    if (leftOut.length < leftOutTold) leftOut.push({ interface: interfaceName(on), because, ...more });
  };
  for (const on of spoken) {
    const because = whyLeftOut(on, tested, bindings, dialects);
    // Where our guard stands, it says so itself: nothing is to be shown there before that.
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

function whyLeftOut(
  on: PeerInterface,
  tested: readonly PeerInterface[],
  bindings: TestOptions["bindings"],
  dialects: TestOptions["dialects"],
): string | undefined {
  if (bindings && !bindings.includes(on.binding)) return "left out by --binding";
  if (dialects && !dialects.includes(on.dialect)) return "left out by --dialect";
  const same = tested.find(({ binding, dialect }) => binding === on.binding && dialect === on.dialect);
  return same && "the first interface of this binding and version is tested";
}

/** Under a login the agent is examined with it or not at all: what it does to an anonymous caller is another matter. */
const keptFrom = (on: PeerInterface): string =>
  `${new URL(on.url).host} is not the address you named, so your credentials do not go there; ${trustFlag(on)} lets them`;

/** What lets credentials go to an interface. */
export const trustFlag = ({ url }: { readonly url: string }): string => {
  const { protocol, hostname, port } = new URL(url);
  return `--trust-host ${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
};

import type { CardInterface } from "@assay/protocol";
import { type PeerInterface, speakable } from "@assay/wire";
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
  { bindings, dialects }: Pick<TestOptions, "bindings" | "dialects">,
): { tested: PeerInterface[]; leftOut: LeftOut[] } {
  const tested: PeerInterface[] = [];
  const leftOut: LeftOut[] = [];
  for (const on of spoken) {
    const because = whyLeftOut(on, tested, bindings, dialects);
    if (because === undefined) tested.push(on);
    else if (leftOut.length < leftOutTold) leftOut.push({ interface: interfaceName(on), because });
  }
  return { tested, leftOut };
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

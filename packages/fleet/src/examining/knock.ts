import { normaliseCard } from "@assay/protocol";
import {
  type BoundCredentials,
  createPeer,
  type FoundCard,
  type HeaderPairs,
  type PeerClients,
  speakable,
} from "@assay/wire";
import { type ClassFinding, failureReasons } from "../classes/card-trouble.ts";
import { type InterfaceFinding, mostTelling, passingStatus } from "../classes/interface-finding.ts";
import { answerOf } from "../classes/seen-answer.ts";

/** A card may list any number of interfaces. */
const mostInterfaces = 8;

interface Way {
  readonly clients: PeerClients;
  readonly credentials: BoundCredentials;
  readonly headers: HeaderPairs;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests a nonexistent task once at every address of the card. If no address responds, there is nothing to examine.
 * The suite would retry for a long time to be fair, but a sweep simply returns later. Returns undefined if any address
 * responds.
 */
export async function knock(
  found: FoundCard,
  { clients, credentials, headers, signal }: Way,
): Promise<ClassFinding | undefined> {
  const spoken = normaliseCard(found.json).interfaces.flatMap((each) => speakable(each, found.url) ?? []);
  const places = [...new Map(spoken.map((on) => [`${on.binding} ${on.url}`, on])).values()];
  // The suite reports interfaces that do not get the credentials, so leave those to it.
  const isOpen = places.every(({ url }) => !credentials.any || credentials.mayGoTo(url));
  if (!isOpen || places.length === 0 || places.length > mostInterfaces) return undefined;
  const findings = await Promise.all(
    places.map(async (on): Promise<InterfaceFinding> => {
      const { exchange } = await createPeer(clients, on, headers).call("GetTask", { id: "assay-unknown" }, signal);
      const answer = answerOf(exchange);
      const code =
        answer.failure === "refused-by-guard"
          ? "guard-interface"
          : answer.failure
            ? failureReasons[answer.failure]
            : passingStatus[answer.status ?? 0];
      return code === undefined ? { spoken: true } : { spoken: false, code, answer };
    }),
  );
  return findings.some(({ spoken: answers }) => answers) ? undefined : mostTelling(findings);
}

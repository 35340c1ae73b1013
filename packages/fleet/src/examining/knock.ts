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
 * Asks once, at every address of the card, for a task that does not exist. Where nothing comes back from any of them there is
 * nothing to examine: the suite would ask again and again, out of fairness; a sweep comes back later instead. Undefined where
 * anything answers.
 */
export async function knock(
  found: FoundCard,
  { clients, credentials, headers, signal }: Way,
): Promise<ClassFinding | undefined> {
  const spoken = normaliseCard(found.json).interfaces.flatMap((each) => speakable(each, found.url) ?? []);
  const places = [...new Map(spoken.map((on) => [`${on.binding} ${on.url}`, on])).values()];
  // What is not shown to an address is for the suite to say.
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

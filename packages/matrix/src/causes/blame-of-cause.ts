import { blameFor } from "../blame/blame.ts";
import { cardBreaksRule, withoutCard } from "../blame/card-rules.ts";
import type { BlameFinding } from "../blame/finding.ts";
import { cardIn, isCardFetch } from "../blame/seen.ts";
import type { Blame } from "../document/blame.ts";
import type { BindingName, MatrixVersion } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { offers } from "../running/narrowed-card.ts";
import type { MatrixCause } from "./matrix-cause.ts";

/** The wire over which a client was held up. */
interface HeldUpOn {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
}

/**
 * Says whose it is that many cells are held up. `evidence` are the exchanges of the first contact: where there was one, the card
 * decides.
 */
export function blameOfCause(
  cause: Omit<MatrixCause, "cells" | "blame">,
  evidence: readonly MatrixExchange[],
  on: HeldUpOn,
): Blame {
  const { client = "", server = "" } = cause;
  return blameFor(findingOf(cause, evidence, on), { client, server });
}

function findingOf(
  { kind, client, says, stderr }: Omit<MatrixCause, "cells" | "blame">,
  evidence: readonly MatrixExchange[],
  on: HeldUpOn,
): BlameFinding {
  if (kind === "not-started" || kind === "died") {
    const side = client === undefined ? "server" : "client";
    const isDead = kind === "died";
    return {
      code: isDead ? `${side}-ended` : "not-started",
      about: isDead ? "ended" : "not-started",
      title: `the ${side} program ${isDead ? "ends while it is at work" : "does not start"}`,
      explanation: isDead
        ? `Nothing could be tried with this ${side}: ${says}`
        : `The program of this ${side} could not be had on this machine, so nothing is known of its SDK: ${says}`,
      reasons: [
        {
          says:
            stderr === undefined || stderr === "" ? says : `the last lines of its stderr: ${stderr.trim().slice(-400)}`,
        },
      ],
    };
  }
  const fetched = evidence.filter(isCardFetch);
  const fetch = fetched.findLast((each) => cardIn(each));
  if (fetch) return stumbledOver(fetch, says, on, client === undefined);
  const [last] = fetched.slice(-1);
  return last
    ? withoutCard(last, true)
    : {
        code: "not-sent",
        about: "not-sent/card",
        title: "the card is never asked for",
        explanation: `The client sent nothing at all, not even the request for the card: ${says}`,
        reasons: [{ says: "no request crossed the wire" }],
      };
}

/** The card was read, and nothing followed: by one client, or by every one that tried. */
function stumbledOver(fetch: MatrixExchange, says: string, on: HeldUpOn, byAll: boolean): BlameFinding {
  const fault = cardBreaksRule(fetch, on.version, ", and this one did: it sent nothing after it");
  if (fault) return fault;
  if (!offers(cardIn(fetch)!, on))
    return {
      code: "not-offered",
      about: `not-offered/${on.binding}-${on.version}`,
      title: `the card lists no interface for ${on.binding} ${on.version}`,
      explanation: `The server is said to speak ${on.binding} of ${on.version}, and its card has no such interface, so the client had nowhere to go.`,
      reasons: [{ says: "no interface of the card has this binding and version", exchange: fetch.id }],
    };
  if (byAll)
    return {
      code: "not-shown",
      about: "card",
      title: "no client takes a card that breaks no rule that we know",
      explanation: `Several clients read this card and sent nothing. It breaks no rule that we know of, and that all of them are wrong is not likely either: ${says}`,
      reasons: [{ says: "the card is the last thing that crossed the wire", exchange: fetch.id }],
    };
  return {
    code: "not-sent",
    about: "not-sent/card",
    title: "a card that breaks no rule is not taken",
    explanation: `The card breaks no rule and offers the interface that was to be used. The client read it and sent nothing: ${says}`,
    reasons: [{ says: "the card is the last thing that crossed the wire", exchange: fetch.id }],
  };
}

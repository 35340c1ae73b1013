import { blameFor } from "../blame/blame.ts";
import { cardBreaksRule, withoutCard } from "../blame/card-rules.ts";
import type { BlameFinding } from "../blame/finding.ts";
import { cardIn, isCardFetch } from "../blame/seen.ts";
import type { Blame } from "../document/blame.ts";
import type { BindingName, MatrixVersion } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { offers } from "../running/narrowed-card.ts";
import type { MatrixCause } from "./matrix-cause.ts";

/** The binding and version over which a client was blocked. */
interface HeldUpOn {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
}

/**
 * Decides which side is at fault for blocked cells. `evidence` are the exchanges of the first contact; if
 * there were any, the card decides.
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
      title: `the ${side} program ${isDead ? "exits during the scenario" : "does not start"}`,
      explanation: isDead
        ? `Nothing could be tested with this ${side}: ${says}`
        : `The program of this ${side} is not available on this machine, so its SDK was not tested: ${says}`,
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
        title: "the client never asks for the card",
        explanation: `The client sent nothing at all, not even the request for the card: ${says}`,
        reasons: [{ says: "no request was recorded" }],
      };
}

/** The client read the card and sent nothing: one client, or every one that tried. */
function stumbledOver(fetch: MatrixExchange, says: string, on: HeldUpOn, byAll: boolean): BlameFinding {
  const fault = cardBreaksRule(fetch, on.version, ", and this one did: it sent nothing afterwards");
  if (fault) return fault;
  if (!offers(cardIn(fetch)!, on))
    return {
      code: "not-offered",
      about: `not-offered/${on.binding}-${on.version}`,
      title: `the card lists no interface for ${on.binding} ${on.version}`,
      explanation: `The driver says that the server supports ${on.binding} of ${on.version}, but its card has no such interface, so the client had no address to call.`,
      reasons: [{ says: "no interface of the card has this binding and version", exchange: fetch.id }],
    };
  if (byAll)
    return {
      code: "not-shown",
      about: "card",
      title: "no client accepts a card that breaks no known rule",
      explanation: `Several clients read this card and sent nothing. The card breaks no known rule, but it is unlikely that all of these clients are wrong: ${says}`,
      reasons: [{ says: "the card is the last recorded exchange", exchange: fetch.id }],
    };
  return {
    code: "not-sent",
    about: "not-sent/card",
    title: "the client does not accept a card that breaks no rule",
    explanation: `The card breaks no rule and declares the interface that the scenario uses. The client read it and sent nothing: ${says}`,
    reasons: [{ says: "the card is the last recorded exchange", exchange: fetch.id }],
  };
}

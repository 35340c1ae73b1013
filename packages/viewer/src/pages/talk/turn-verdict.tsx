import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { standingOf, type TalkTurn, type TurnStanding } from "./dialogue.ts";

const looks: Readonly<Record<TurnStanding, { readonly look: string; readonly word: string }>> = {
  waiting: { look: "verdict", word: "not judged yet" },
  valid: { look: "verdict pass", word: "valid" },
  warned: { look: "verdict warn", word: "valid, with a warning" },
  invalid: { look: "verdict fail", word: "not valid" },
  unjudged: { look: "verdict", word: "not judged" },
};

/** Shows the verdict on a turn in one word. */
export function TurnVerdict({ turn }: { readonly turn: TalkTurn }) {
  const { look, word } = looks[standingOf(turn)];
  return <span class={look}>{word}</span>;
}

/** Lists the problems of a turn with their places and rules, and the reason why a turn was not judged. */
export function TurnFaults({ turn, onPlace }: { readonly turn: TalkTurn; readonly onPlace: (event: number) => void }) {
  const { arrivals, judged } = turn;
  const violations = arrivals.flatMap(({ violations: all }, event) => all.map((each) => ({ ...each, event })));
  const breaches = judged?.breaches.filter(({ party, severity }) => party === "agent" || severity === "fail") ?? [];
  if (violations.length + breaches.length === 0 && judged?.unjudged === undefined) return null;
  return (
    <ul class="faults">
      {violations.slice(0, 20).map(({ path, message, event }) => (
        <li>
          <span class="verdict fail">schema</span>{" "}
          <button type="button" class="link" onClick={() => onPlace(event)}>
            <code>
              <Said text={path} />
            </code>
          </button>{" "}
          <Said text={message} />
        </li>
      ))}
      {breaches.map(({ party, rule, severity, message, place }) => (
        <li>
          <span class={severity === "fail" ? "verdict fail" : "verdict warn"}>
            {party === "agent" ? "" : "request of Assay: "}
            <a href={linkTo("rules", [rule])}>{rule}</a>
          </span>{" "}
          <Sentence text={message} />
          {place && (
            <>
              {" "}
              <button type="button" class="link" onClick={() => onPlace(place.event ?? 0)}>
                <code>
                  <Said text={place.path ?? `event ${(place.event ?? 0) + 1}`} />
                </code>
              </button>
            </>
          )}
        </li>
      ))}
      {judged?.unjudged !== undefined && (
        <li>
          <span class="verdict">not judged</span> <Said text={judged.unjudged} />
        </li>
      )}
    </ul>
  );
}

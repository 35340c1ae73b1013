import { type CallRow, type PartyStanding, partyStanding } from "./traffic.ts";

const looks: Readonly<Record<PartyStanding, { readonly look: string; readonly word: string }>> = {
  kept: { look: "verdict pass", word: "kept" },
  warned: { look: "verdict warn", word: "warned" },
  broken: { look: "verdict fail", word: "broken" },
  unjudged: { look: "verdict", word: "not judged" },
  open: { look: "verdict", word: "open" },
};

/** Shows the verdict on one side of a call. */
export function PartyVerdict({ row, side }: { readonly row: CallRow; readonly side: "client" | "agent" }) {
  const { look, word } = looks[partyStanding(row, side)];
  return (
    <span class={look}>
      <span class="party-side">{side} </span>
      <span class="party-word">{word}</span>
    </span>
  );
}

import { bindingName } from "@assay/suite/report";
import { durationText } from "@assay/suite/text";
import { Said, Sentence } from "../../app/sentence.tsx";
import { type CallRow, type NoticeRow, type PartyStanding, partyStanding, type TrafficRow } from "./traffic.ts";

const looks: Readonly<Record<PartyStanding, { readonly look: string; readonly word: string }>> = {
  kept: { look: "verdict pass", word: "kept" },
  warned: { look: "verdict warn", word: "warned" },
  broken: { look: "verdict fail", word: "broken" },
  unjudged: { look: "verdict", word: "not judged" },
  open: { look: "verdict", word: "open" },
};

/** Shows the verdict on one side of a call. */
function PartyVerdict({ row, side }: { readonly row: CallRow; readonly side: "client" | "agent" }) {
  const { look, word } = looks[partyStanding(row, side)];
  return (
    <span class={look}>
      <span class="party-side">{side} </span>
      <span class="party-word">{word}</span>
    </span>
  );
}

/** Shows one row of the traffic: a call or a notice. */
export const RowView = ({ row, now }: { readonly row: TrafficRow; readonly now: number }) =>
  row.is === "notice" ? <Noticed row={row} /> : <Called row={row} now={now} />;

const Noticed = ({ row: { at, side, text } }: { readonly row: NoticeRow }) => (
  <div class="traffic-row notice">
    <span class="numbers soft">{since(at)}</span>
    <span class="soft">
      {side}: <Said text={text} />
    </span>
  </div>
);

function Called({ row, now }: { readonly row: CallRow; readonly now: number }) {
  const { at, method, path, call } = row;
  const [first, ...more] = call?.breaches ?? [];
  return (
    <div class={`traffic-row${first ? " wrong" : call?.faults ? " hit" : ""}`}>
      <span class="numbers soft">{since(at)}</span>
      <span class="traffic-asked">
        <Said text={call?.asked ?? `${method} ${path}`} most={80} />{" "}
        {call?.over && (
          <small>
            {bindingName(call.over.binding)} {call.over.dialect}
          </small>
        )}
      </span>
      <span class="traffic-answer">
        {call ? (
          <>
            <Said text={call.answer} most={80} /> <small class="numbers">{durationText(call.tookMs)}</small>
          </>
        ) : (
          <span class="live numbers">open, {durationText(Math.max(now - at, 0))}</span>
        )}
      </span>
      <PartyVerdict row={row} side="client" />
      <PartyVerdict row={row} side="agent" />
      {first && (
        <span class="traffic-breach">
          {first.party}: <Sentence text={first.message} most={200} /> <span class="soft">{first.rule}</span>
          {more.length > 0 && <span class="soft"> and {more.length} more</span>}
        </span>
      )}
      {call?.faults && (
        <span class="traffic-breach soft">
          fault: <Said text={call.faults.join(", ")} most={120} />
        </span>
      )}
    </div>
  );
}

const since = (ms: number): string => `+${(ms / 1_000).toFixed(2)}`;

import { bindingName } from "@assay/suite/report";
import { durationText } from "@assay/suite/text";
import { Said, Sentence } from "../../app/sentence.tsx";
import { PartyVerdict } from "./party-verdict.tsx";
import type { CallRow, NoticeRow, TrafficRow } from "./traffic.ts";

/** One line of what crossed. */
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
    <div class={first ? "traffic-row wrong" : "traffic-row"}>
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
    </div>
  );
}

const since = (ms: number): string => `+${(ms / 1_000).toFixed(2)}`;

import type { ExchangeRecorded } from "@assay/suite/report";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { RecordedExchange } from "../run/exchange-view.tsx";
import type { CallRow } from "./traffic.ts";

/** Shows a call with its problems, down to the bytes. */
export function CallDetail({ watch, row }: { readonly watch: string; readonly row: CallRow }) {
  const { id, method, path, call } = row;
  return (
    <>
      <p class="watch-back">
        <a href={linkTo("watch", [watch])}>All calls</a>
      </p>
      <h2>
        <Said text={call?.asked ?? `${method} ${path}`} most={120} />
      </h2>
      {!call && (
        <p class="live" role="status">
          the answer goes on; it is judged when it is over
        </p>
      )}
      {call && <Breaches row={row} />}
      {call && <Recorded watch={watch} id={id} row={row} />}
    </>
  );
}

function Breaches({ row: { call } }: { readonly row: CallRow }) {
  const { breaches, unjudged } = call!;
  return (
    <ul class="faults">
      {breaches.length === 0 && unjudged === undefined && call!.over !== undefined && (
        <li>
          <span class="verdict pass">this call breaks no rule</span>
        </li>
      )}
      {breaches.map(({ party, rule, severity, message, place }) => (
        <li>
          <span class={severity === "fail" ? "verdict fail" : "verdict warn"}>
            {party} <a href={linkTo("rules", [rule])}>{rule}</a>
          </span>{" "}
          <Sentence text={message} />{" "}
          {place?.path !== undefined && (
            <code>
              <Said text={place.path} />
            </code>
          )}
        </li>
      ))}
      {unjudged !== undefined && (
        <li>
          <span class="verdict">{call!.faults ? "not judged" : "agent not judged"}</span> <Said text={unjudged} />
        </li>
      )}
    </ul>
  );
}

function Recorded({ watch, id, row }: { readonly watch: string; readonly id: string; readonly row: CallRow }) {
  const loaded = useLoaded(
    () => get<ExchangeRecorded>(`/api/watches/${watch}/exchanges/${encodeURIComponent(id)}`),
    [watch, id],
  );
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  const place = row.call!.breaches.find((breach) => breach.place)?.place;
  return <RecordedExchange exchange={loaded.value} {...(place && { place })} />;
}

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { follow, remove } from "../../app/api.ts";
import { Choice } from "../../app/choice.tsx";
import { Trouble } from "../../app/notice.tsx";
import { go, linkTo, type PageRoute } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { VirtualList } from "../../app/virtual-list.tsx";
import type { WatchDocument, WatchEvent } from "../../documents/watch.ts";
import { CallDetail } from "./call-detail.tsx";
import { RowView } from "./row-view.tsx";
import { isShown, noTraffic, type RowFilter, seen, type Traffic } from "./traffic.ts";

const filters: Readonly<Record<RowFilter, string>> = {
  all: "everything",
  breaches: "with a breach",
  client: "by the client",
  agent: "by the agent",
};

/** The height of a row in pixels: two lines on every screen. */
const rowHeight = 58;

/** Lists the traffic, newest first, with the selected call next to it. */
export function Watching({ document: about, route }: { readonly document: WatchDocument; readonly route: PageRoute }) {
  const { id } = about;
  const seenTraffic = useTraffic(id);
  const { traffic } = seenTraffic;
  const [filter, setFilter] = useState<RowFilter>("all");
  const [trouble, setTrouble] = useState<Error>();
  const now = useNow(about.startedAt, traffic.open > 0);
  const rows = useMemo(() => traffic.rows.filter((row) => isShown(row, filter)).toReversed(), [traffic, filter]);
  const [, chosenId] = route.rest;
  const chosen = rows.findIndex((row) => row.is === "call" && row.id === chosenId);
  const row = traffic.rows.find((each) => each.is === "call" && each.id === chosenId);
  return (
    <div class="watch" data-detail={row !== undefined}>
      <Head
        document={about}
        traffic={seenTraffic}
        filter={filter}
        onFilter={setFilter}
        onEnd={() => void remove(`/api/watches/${id}`).then(() => go(linkTo("watch")), setTrouble)}
      />
      {trouble && <Trouble error={trouble} />}
      <section class="watch-list" aria-label="Traffic">
        {rows.length === 0 ? (
          <Waiting document={about} isFiltered={traffic.rows.length > 0} />
        ) : (
          <>
            <div class="traffic-row traffic-names" aria-hidden="true">
              <span>time</span>
              <span>asked</span>
              <span>answered</span>
              <span>client</span>
              <span>agent</span>
            </div>
            <VirtualList
              label="calls, newest first"
              count={rows.length}
              rowHeight={rowHeight}
              row={(index) => <RowView row={rows[index]!} now={now} />}
              {...(chosen >= 0 && { selected: chosen })}
              onSelect={(index) => {
                const picked = rows[index]!;
                if (picked.is === "call") go(linkTo("watch", [id, picked.id]));
              }}
            />
          </>
        )}
      </section>
      {row?.is === "call" && (
        <aside class="watch-detail" aria-label="The call">
          <CallDetail watch={id} row={row} />
        </aside>
      )}
    </div>
  );
}

interface HeadProps {
  readonly document: WatchDocument;
  readonly traffic: ReturnType<typeof useTraffic>;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly onEnd: () => void;
}

/** Shows the address for the client, the amount of traffic, and the actions on it. */
function Head({
  document: about,
  traffic: { traffic, isPaused, held, pause, clear, isOver },
  filter,
  onFilter,
  onEnd,
}: HeadProps) {
  return (
    <header class="watch-head">
      <p>
        <Where document={about} />
      </p>
      <p class="numbers watch-tally" role="status">
        {traffic.calls} {traffic.calls === 1 ? "call" : "calls"}
        {traffic.open > 0 && (
          <>
            {" "}
            <span class="live">{traffic.open} open</span>
          </>
        )}{" "}
        · <span class={traffic.client ? "verdict fail" : "verdict"}>client {traffic.client}</span> ·{" "}
        <span class={traffic.agent ? "verdict fail" : "verdict"}>agent {traffic.agent}</span>
      </p>
      <p class="watch-buttons">
        <Choice label="Show" value={filter} options={filters} onChange={onFilter} />
        <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
          {isPaused ? `Resume${held ? ` (${held})` : ""}` : "Pause"}
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
        <a class="button" href={`/api/watches/${about.id}/har`} download="watch.har">
          HAR
        </a>
        {!isOver && (
          <button type="button" onClick={onEnd}>
            End
          </button>
        )}
      </p>
    </header>
  );
}

const Where = ({ document: { url, kind, agent, faults } }: { readonly document: WatchDocument }) => (
  <>
    Point your client at <code>{url}</code>{" "}
    <small>
      {kind === "proxy" ? (
        <Said text={`the proxy in front of ${agent}${faults ? `, with faults: ${faults.join(", ")}` : ""}`} />
      ) : (
        "the agent /spec of the test bed, which has other agents too"
      )}
    </small>
  </>
);

function Waiting({ document: { url }, isFiltered }: Readonly<{ document: WatchDocument; isFiltered: boolean }>) {
  if (isFiltered) return <p class="hint watch-empty">No such calls yet.</p>;
  return (
    <div class="watch-empty">
      <p>No calls yet. To try it, run in a terminal:</p>
      <p>
        <code>npx a2a-assay send {url} "streaming hello" --stream</code>
      </p>
    </div>
  );
}

/** Follows the events of a watch and builds the traffic. While paused, it holds events back. */
function useTraffic(id: string) {
  const [traffic, setTraffic] = useState<Traffic>(noTraffic);
  const [isPaused, setPaused] = useState(false);
  const [held, setHeld] = useState(0);
  const [isOver, setOver] = useState(false);
  const waiting = useRef<WatchEvent[]>([]);
  const paused = useRef(false);
  useEffect(() => {
    setTraffic(noTraffic);
    return follow<WatchEvent>(
      `/api/watches/${id}/events`,
      (events) => {
        if (paused.current) {
          waiting.current.push(...events);
          setHeld(waiting.current.length);
        } else setTraffic((before) => seen(before, events));
      },
      () => setOver(true),
    );
  }, [id]);
  const pause = (next: boolean): void => {
    paused.current = next;
    setPaused(next);
    const events = waiting.current.splice(0);
    setHeld(0);
    if (events.length > 0) setTraffic((before) => seen(before, events));
  };
  const clear = (): void =>
    // Open calls stay, so that their results can be added to their rows later.
    setTraffic(({ rows, open }) => ({
      ...noTraffic,
      open,
      rows: rows.filter((row) => row.is === "call" && !row.call),
    }));
  return { traffic, isPaused, held, pause, clear, isOver };
}

/** Returns the milliseconds since the watch started, updated every half second while a call is open. */
function useNow(startedAt: string, isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now - Date.parse(startedAt);
}

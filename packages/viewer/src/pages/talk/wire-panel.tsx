import type { HarEntry } from "@assay/suite/report";
import { durationText, visibleLines } from "@assay/suite/text";
import { get } from "../../app/api.ts";
import { JsonView, WireText } from "../../app/json-view.tsx";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import type { TalkDocument, TurnArrival, WireView } from "../../documents/talk.ts";
import { RecordedExchange } from "../run/exchange-view.tsx";
import type { TalkTurn } from "./dialogue.ts";
import { stateWord, wireName } from "./words.ts";

/** Converts a path in the raw response to a path in the payload inside the envelope of the binding. */
const payloadPath = (path: string): string => path.replace(/^\$\.result(?=$|[.[])/, "$");

const tabs = { came: "What came", wires: "Wires", exchange: "Exchange" } as const;
export type WireTab = keyof typeof tabs;

/** The two bindings to compare, by their index in the list (default: the one in use and another). */
interface WirePair {
  readonly one: number | undefined;
  readonly other: number | undefined;
}

export const isWireTab = (text: string | null): text is WireTab => text !== null && Object.hasOwn(tabs, text);

interface WirePanelProps {
  readonly talk: TalkDocument;
  readonly turn: TalkTurn | undefined;
  readonly tab: WireTab;
  readonly event: number | undefined;
  readonly pair: WirePair;
  readonly onTab: (tab: WireTab) => void;
  readonly onEvent: (event: number) => void;
  readonly onPair: (pair: WirePair) => void;
}

/** Shows the traffic of one turn, and its form in other bindings and versions. */
export function WirePanel({ talk, turn, tab, event, pair, onTab, onEvent, onPair }: WirePanelProps) {
  if (!turn)
    return (
      <p class="hint">
        Send a message to see the traffic here. You see each response with its problems, and the same message in
        JSON-RPC, HTTP+JSON, gRPC and A2A 0.3.
      </p>
    );
  return (
    <>
      <div class="talk-tabs" role="tablist" aria-label={`Turn ${turn.turn + 1}: ${turn.method}`}>
        {(Object.keys(tabs) as WireTab[]).map((each) => (
          <button
            type="button"
            role="tab"
            class="talk-tab"
            id={`tab-${each}`}
            aria-selected={each === tab}
            aria-controls="wire-shown"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => onTab(each)}
            onKeyDown={(pressed) => {
              const step = pressed.key === "ArrowRight" ? 1 : pressed.key === "ArrowLeft" ? -1 : 0;
              if (step === 0) return;
              const all = Object.keys(tabs) as WireTab[];
              const next = all[(all.indexOf(tab) + step + all.length) % all.length]!;
              onTab(next);
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {tabs[each]}
          </button>
        ))}
      </div>
      <div id="wire-shown" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "came" && <Came turn={turn} event={event} onEvent={onEvent} />}
        {tab === "wires" && <Wires talk={talk} turn={turn} pair={pair} onPair={onPair} />}
        {tab === "exchange" && <ExchangeOf talk={talk} turn={turn} />}
      </div>
    </>
  );
}

/** The maximum number of rows of a long stream to draw. */
const most = 500;

interface CameProps {
  readonly turn: TalkTurn;
  readonly event: number | undefined;
  readonly onEvent: (event: number) => void;
}

/** Shows the response, or every event with its time, and marks the wrong place. */
function Came({ turn, event, onEvent }: CameProps) {
  const { arrivals, judged, over } = turn;
  const breaches = judged?.breaches.filter(({ party, place }) => party === "agent" && place) ?? [];
  const isWrong = (index: number): boolean =>
    arrivals[index]!.violations.length > 0 ||
    breaches.some(({ place, severity }) => severity === "fail" && (place!.event ?? 0) === index);
  const shown =
    event ??
    Math.max(
      arrivals.findIndex((_, index) => isWrong(index)),
      0,
    );
  const arrival = arrivals[shown];
  const breach = breaches.find(({ place }) => (place!.event ?? 0) === shown)?.place?.path;
  const path = arrival?.violations[0]?.path ?? (breach === undefined ? undefined : payloadPath(breach));
  if (arrivals.length === 0)
    return <p class="hint">{over ? "No readable response. See Exchange." : "Nothing arrived yet."}</p>;
  return (
    <>
      {arrivals.length > 1 && (
        <>
          <Axis turn={turn} isWrong={isWrong} />
          <ol class="arrivals" aria-label="events of the stream">
            {arrivals.slice(0, most).map((each, index) => (
              <li>
                <button
                  type="button"
                  aria-pressed={index === shown}
                  class={isWrong(index) ? "arrival wrong" : "arrival"}
                  onClick={() => onEvent(index)}
                >
                  <span class="numbers arrival-time">{durationText(each.ms)}</span>
                  <span class="numbers arrival-time">
                    {index > 0 && `+${durationText(each.ms - arrivals[index - 1]!.ms)}`}
                  </span>
                  <span>
                    {isWrong(index) && "✗ "}
                    {eventWord(each)}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {arrivals.length > most && <p class="hint">and {arrivals.length - most} more in the exchange</p>}
        </>
      )}
      {arrival && (
        <JsonView
          text={JSON.stringify(arrival.json)}
          label={arrivals.length > 1 ? `event ${shown + 1}` : "answer"}
          {...(path !== undefined && { path })}
        />
      )}
    </>
  );
}

/** Shows the events of a stream on a time axis. */
function Axis({ turn, isWrong }: { readonly turn: TalkTurn; readonly isWrong: (index: number) => boolean }) {
  const { arrivals, over } = turn;
  const end = Math.max(over?.ms ?? 0, arrivals.at(-1)!.ms, 1);
  return (
    <figure class="talk-axis" aria-hidden="true">
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2="1000" y1="20" y2="20" />
        {arrivals.slice(0, most).map(({ ms }, index) => (
          <line
            class={isWrong(index) ? "wrong" : ""}
            x1={2 + (ms / end) * 996}
            x2={2 + (ms / end) * 996}
            y1={isWrong(index) ? 0 : 8}
            y2="20"
          />
        ))}
      </svg>
      <figcaption>
        <span>0</span>
        <span>{durationText(end)}</span>
      </figcaption>
    </figure>
  );
}

function eventWord({ events = [], violations }: TurnArrival): string {
  if (violations.length > 0) return "breaks the schema";
  const words = events.map(({ task, statusUpdate, artifactUpdate, message }) => {
    if (task) return `task ${stateWord(task.status?.state ?? "")}`;
    if (statusUpdate) return `status ${stateWord(statusUpdate.status?.state ?? "")}`;
    if (artifactUpdate) return artifactUpdate.append ? "artifact, more" : "artifact";
    return message ? "message" : "empty event";
  });
  return words.join(", ") || "nothing";
}

interface WiresProps {
  readonly talk: TalkDocument;
  readonly turn: TalkTurn;
  readonly pair: WirePair;
  readonly onPair: (pair: WirePair) => void;
}

/** Compares two bindings side by side. */
function Wires({ talk, turn, pair, onPair }: WiresProps) {
  const loaded = useLoaded(
    () => get<readonly WireView[]>(`/api/talks/${talk.id}/turns/${turn.turn}/wires`),
    [talk.id, turn.turn, turn.over !== undefined],
  );
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  const views = loaded.value;
  const used = Math.max(
    views.findIndex((each) => each.used),
    0,
  );
  const known = (given: number | undefined): number | undefined =>
    given !== undefined && views[given] ? given : undefined;
  const one = known(pair.one) ?? used;
  const other = known(pair.other) ?? (used === 1 ? 0 : 1);
  return (
    <div class="wires">
      <OneWire views={views} chosen={one} onChoose={(chosen) => onPair({ one: chosen, other })} label="One wire" />
      <OneWire views={views} chosen={other} onChoose={(chosen) => onPair({ one, other: chosen })} label="The other" />
    </div>
  );
}

interface OneWireProps {
  readonly views: readonly WireView[];
  readonly chosen: number;
  readonly onChoose: (chosen: number) => void;
  readonly label: string;
}

function OneWire({ views, chosen, onChoose, label }: OneWireProps) {
  const view = views[chosen]!;
  const { request, answers, used, offered } = view;
  return (
    <section class="one-wire" aria-label={wireName(view)}>
      <label>
        <span class="away">{label}</span>
        <select value={chosen} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
          {views.map((each, index) => (
            <option value={index}>{wireName(each)}</option>
          ))}
        </select>
      </label>
      <p class="hint">
        {used ? "the wire in use" : offered ? "on the card, not used for this" : "not on the card: an example"}
      </p>
      {request ? (
        <>
          <div class="head">
            <WireText label="request line and headers">
              {visibleLines([request.line, ...request.headers.map(([name, value]) => `${name}: ${value}`)].join("\n"))}
            </WireText>
          </div>
          {request.note !== undefined && <p class="hint">{request.note}</p>}
          {request.body !== "" && <JsonView text={request.body} label="request" />}
        </>
      ) : (
        <p>This version has no such operation.</p>
      )}
      {answers.length > 0 && (
        <>
          <h4>{answers.length === 1 ? "Answer" : `Answer, ${answers.length} events`}</h4>
          {!used && <p class="hint">translated from the response</p>}
          {answers.slice(0, 30).map((text, index) => (
            <JsonView text={text} label={`answer ${index + 1}`} />
          ))}
          {answers.length > 30 && <p class="hint">and {answers.length - 30} more</p>}
        </>
      )}
    </section>
  );
}

/** Shows the recorded bytes. */
function ExchangeOf({ talk, turn: { over, judged } }: { readonly talk: TalkDocument; readonly turn: TalkTurn }) {
  const id = over?.exchange;
  const loaded = useLoaded(
    () =>
      id === undefined
        ? Promise.resolve(undefined)
        : get<HarEntry>(`/api/talks/${talk.id}/exchanges/${encodeURIComponent(id)}`),
    [talk.id, id],
  );
  const place = judged?.breaches.find(({ party, place: each }) => party === "agent" && each)?.place;
  if (!over) return <p class="hint">Assay records the exchange when it ends.</p>;
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  if (!loaded.value) return <p class="hint">Nothing was sent.</p>;
  return (
    <>
      <RecordedExchange
        exchange={{ event: "exchange", id: loaded.value._id, entry: loaded.value }}
        {...(place && { place })}
      />
      <p>
        <a href={`/api/talks/${talk.id}/har`} download="talk.har">
          Download all exchanges (HAR)
        </a>
      </p>
    </>
  );
}

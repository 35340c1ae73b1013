import type { AnswerPlace } from "@assay/suite/report";
import { durationText, plural, visible } from "@assay/suite/text";
import { useMemo, useState } from "preact/hooks";
import { JsonView } from "../../app/json-view.tsx";
import { useWidth } from "../../app/use-width.ts";
import { eventWords, type StreamEvent } from "../../look/stream-events.ts";
import { type EventPlace, eventPlaces, streamEnd } from "../../look/stream-places.ts";

const lift = 11;
const radius = 4.5;
const side = 12;

interface Walk {
  readonly at: number;
  readonly go: (index: number) => void;
}

interface TimelineProps {
  readonly events: readonly StreamEvent[];
  readonly time: number;
  readonly place?: AnswerPlace;
}

/**
 * Shows a stream over time: a dot for each event, a cross for the wrong one, gaps to scale. Arrow keys, Home and End
 * move through the events, and the pointer selects one. The data of the selected event is shown below.
 */
export function Timeline({ events, time, place }: TimelineProps) {
  const wrong = place?.event;
  const [at, setAt] = useState(wrong !== undefined && wrong < events.length ? wrong : 0);
  const current = events[at]!;
  const gap = at === 0 ? undefined : current.at - events[at - 1]!.at;
  const isWrong = at === wrong;
  const walk: Walk = { at, go: (index) => setAt(Math.min(events.length - 1, Math.max(0, index))) };
  return (
    <figure class="timeline">
      <Track events={events} end={streamEnd(events, time)} wrong={wrong} walk={walk} />
      <figcaption class="numbers">
        <strong>
          {at + 1} of {plural(events.length, "event")}
        </strong>
        {" · "}
        {durationText(current.at)}
        {gap !== undefined && ` (+${durationText(gap)})`}
        {" · "}
        {visible(eventWords(current.data))}
        {isWrong && <mark> ◀ here</mark>}
        {wrong !== undefined && !isWrong && wrong < events.length && (
          <button type="button" onClick={() => setAt(wrong)}>
            to the wrong one
          </button>
        )}
      </figcaption>
      {current.data !== undefined && (
        <JsonView
          key={at}
          text={current.data}
          label={`Event ${at + 1}`}
          {...(isWrong && place?.path !== undefined && { path: place.path })}
        />
      )}
    </figure>
  );
}

interface TrackProps {
  readonly events: readonly StreamEvent[];
  readonly end: number;
  readonly wrong: number | undefined;
  readonly walk: Walk;
}

/** Shows the axis with its dots, as a slider over the events. */
function Track({ events, end, wrong, walk: { at, go } }: TrackProps) {
  const [box, width] = useWidth();
  const places = useMemo(() => eventPlaces(events, end, wrong), [events, end, wrong]);
  const height = (1 + Math.max(0, ...places.map(({ level }) => level))) * lift + 24;
  const axis = height - 18;
  const xOf = (share: number): number => side + share * (width - 2 * side);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Partial<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: events.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  const current = events[at]!;
  const told = `event ${at + 1} of ${events.length}, at ${durationText(current.at)}: ${eventWords(current.data)}${at === wrong ? ", the wrong one" : ""}`;
  return (
    <div
      ref={box}
      class="track"
      role="slider"
      tabIndex={0}
      aria-label="Events of the stream"
      aria-valuemin={1}
      aria-valuemax={events.length}
      aria-valuenow={at + 1}
      aria-valuetext={visible(told)}
      onKeyDown={onKeyDown}
    >
      <svg width={width} height={height} aria-hidden="true">
        <title>Events of the stream</title>
        <line x1={side} y1={axis} x2={width - side} y2={axis} class="axis" />
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <line x1={xOf(share)} y1={axis} x2={xOf(share)} y2={axis + 4} class="axis" />
            <text x={xOf(share)} y={axis + 15} text-anchor={share === 0 ? "start" : share === 1 ? "end" : "middle"}>
              {durationText(end * share)}
            </text>
          </g>
        ))}
        {places.map((place) => (
          <Dot
            key={place.index}
            place={place}
            x={xOf(place.share)}
            y={axis - 8 - place.level * lift}
            isCurrent={place.index === at}
            onChoose={() => go(place.index)}
          />
        ))}
      </svg>
    </div>
  );
}

interface DotProps {
  readonly place: EventPlace;
  readonly x: number;
  readonly y: number;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

const Dot = ({ place: { isWrong }, x, y, isCurrent, onChoose }: DotProps) => (
  <g
    class={`dot${isWrong ? " wrong" : ""}${isCurrent ? " current" : ""}`}
    onPointerEnter={onChoose}
    onPointerDown={onChoose}
  >
    <circle cx={x} cy={y} r={9} class="reach" />
    {isWrong ? <path d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} /> : <circle cx={x} cy={y} r={radius} class="mark" />}
  </g>
);

import type { AnswerPlace } from "@assay/suite/report";
import { durationText, plural, visible } from "@assay/suite/text";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { JsonView } from "../../app/json-view.tsx";
import { eventWords, type StreamEvent } from "../../look/stream-events.ts";
import { eventPlaces, streamEnd } from "../../look/stream-places.ts";

const lift = 11;
const radius = 4.5;
const side = 12;

/**
 * A stream along its time: a dot for each event, gaps to scale, the wrong one a cross. Arrow keys, Home and End walk through the
 * events, the pointer chooses one; what it said stands below.
 */
export function Timeline({
  events,
  time,
  place,
}: {
  readonly events: readonly StreamEvent[];
  readonly time: number;
  readonly place?: AnswerPlace;
}) {
  const wrong = place?.event;
  const [at, setAt] = useState(wrong !== undefined && wrong < events.length ? wrong : 0);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const end = streamEnd(events, time);
  const places = useMemo(() => eventPlaces(events, end, wrong), [events, end, wrong]);
  const levels = 1 + Math.max(0, ...places.map(({ level }) => level));
  const height = levels * lift + 24;
  const axis = height - 18;
  const xOf = (share: number): number => side + share * (width - 2 * side);
  const walk = (event: KeyboardEvent): void => {
    const steps: Partial<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: events.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(events.length - 1, Math.max(0, next)));
  };
  const current = events[at]!;
  const gap = at === 0 ? undefined : current.at - events[at - 1]!.at;
  const isWrong = at === wrong;
  const told = `event ${at + 1} of ${events.length}, at ${durationText(current.at)}: ${eventWords(current.data)}${isWrong ? ", the wrong one" : ""}`;
  return (
    <figure class="timeline">
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
        onKeyDown={walk}
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
          {places.map(({ index, share, level, isWrong: isCross }) => {
            const [x, y] = [xOf(share), axis - 8 - level * lift];
            return (
              <g
                key={index}
                class={`dot${isCross ? " wrong" : ""}${index === at ? " current" : ""}`}
                onPointerEnter={() => setAt(index)}
                onPointerDown={() => setAt(index)}
              >
                <circle cx={x} cy={y} r={9} class="reach" />
                {isCross ? (
                  <path d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />
                ) : (
                  <circle cx={x} cy={y} r={radius} class="mark" />
                )}
              </g>
            );
          })}
        </svg>
      </div>
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

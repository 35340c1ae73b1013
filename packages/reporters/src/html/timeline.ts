import type { AnswerPlace, HarEntry } from "@assay/suite/report";
import { cut, durationText, plural } from "@assay/suite/text";
import { eventWords, type StreamEvent, streamEvents } from "../look/stream-events.ts";
import { eventPlaces, streamEnd } from "../look/stream-places.ts";
import { h, preformatted, type SafeHtml } from "../safe-html.ts";
import { jsonView } from "./json-view.ts";

/** Events that are listed; more than that is for the HAR report. */
const listed = 60;

/** A recorded stream: its events along the time they took, and what each said. Undefined for an answer that is none. */
export function timelineOf(entry: HarEntry, place: AnswerPlace | undefined): SafeHtml | undefined {
  const events = streamEvents(entry);
  if (events.length === 0) return undefined;
  const wrong = place?.event;
  const end = streamEnd(events, entry.time);
  const told = `${plural(events.length, "event")} in ${durationText(end)}${wrong === undefined ? "" : `; the marked one is event ${wrong + 1}`}`;
  return h`<figure class="timeline">
${track(events, { end, wrong, told })}
<div class="ticks" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((share) => h`<span>${durationText(end * share)}</span>`)}</div>
<figcaption>${told}</figcaption>
<ol class="events">${chosen(events, wrong).map((index) => eventRow(events, index, place))}</ol>${events.length > listed ? h`<p>and ${events.length - listed} more in the HAR report</p>` : undefined}
</figure>`;
}

/** A dot for each event; the one that breaks the rule is a cross. */
function track(
  events: readonly StreamEvent[],
  { end, wrong, told }: { readonly end: number; readonly wrong: number | undefined; readonly told: string },
): SafeHtml {
  const places = eventPlaces(events, end, wrong);
  const marks = places.map(({ share, level, isWrong }) => {
    const place = `left:${(100 * share).toFixed(2)}%;bottom:${rem(level)}`;
    return isWrong ? h`<b style="${place}">✗</b>` : h`<i style="${place}"></i>`;
  });
  const levels = 1 + Math.max(...places.map(({ level }) => level));
  return h`<div class="track" role="img" aria-label="${told}" style="height:${rem(levels + 1)}">${marks}</div>`;
}

const rem = (levels: number): string => `${(0.7 * levels).toFixed(1)}rem`;

/** Those that are listed: the first ones, and the one that matters wherever it is. */
function chosen(events: readonly StreamEvent[], wrong: number | undefined): number[] {
  const first = [...events.keys()].slice(0, listed);
  return wrong === undefined || wrong < listed || wrong >= events.length ? first : [...first.slice(1), wrong];
}

function eventRow(events: readonly StreamEvent[], index: number, place: AnswerPlace | undefined): SafeHtml {
  const { at, data } = events[index]!;
  const gap = index === 0 ? undefined : at - events[index - 1]!.at;
  const isWrong = place?.event === index;
  const head = h`<span class="time">${durationText(at)}</span><span class="gap">${gap === undefined ? "" : `+${durationText(gap)}`}</span><span>${cut(eventWords(data), 80)}${isWrong ? h` <mark>◀ here</mark>` : undefined}</span>`;
  if (data === undefined) return h`<li><div class="event">${head}</div></li>\n`;
  const body = jsonView(data, isWrong ? place.path : undefined) ?? preformatted(cut(data, 1500));
  return h`<li><details${isWrong ? h` open` : undefined}><summary class="event">${head}</summary><pre tabindex="0">${body}</pre></details></li>\n`;
}

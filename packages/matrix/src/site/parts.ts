import { durationText, exchangeSides, h, type MarkedPlaces, preformatted, type SafeHtml } from "@assay/reporters/look";
import { cut } from "@assay/suite/text";
import type { BlameReason } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";

export const footer = ({ tool, startedAt, duration_ms, machine }: MatrixDocument): SafeHtml =>
  h`<p>Assay ${tool.version} · ${startedAt.slice(0, 16).replace("T", " ")} UTC · ${durationText(duration_ms)} on ${machine.cores} cores</p>`;

/** Reasons, each with its rule; those that rest on the same exchange are told before it. */
export const reasonList = (reasons: readonly BlameReason[]): SafeHtml =>
  h`<ul class="reasons">${reasons.map(
    ({ says, rule }) =>
      h`<li>${cut(says, 400)}${rule && h`<small><b>${rule.id}</b> ${rule.level} <a href="${rule.url}" rel="noreferrer">§${rule.section}</a>: ${rule.text}</small>`}</li>`,
  )}</ul>`;

/** The exchanges that reasons rest on, each once, the wrong places marked; where none does, the one that was judged. */
export function exchangesShown(
  { failure, exchanges }: Pick<Cell, "failure" | "exchanges">,
  reasons: readonly BlameReason[],
  known: MatrixDocument["exchanges"],
): SafeHtml {
  const places = new Map<string, MarkedPlaces>();
  for (const { exchange, at } of reasons)
    if (exchange !== undefined) places.set(exchange, { ...at, ...places.get(exchange) });
  const last = failure?.exchange ?? exchanges.at(-1);
  if (places.size === 0 && last !== undefined) places.set(last, {});
  return h`${[...places].flatMap(([id, place]) => {
    const exchange = known[id];
    return exchange ? [exchangeShown(exchange, place)] : [];
  })}`;
}

function exchangeShown({ id, operation, entry }: MatrixExchange, place: MarkedPlaces): SafeHtml {
  const { status } = entry.response;
  return h`<section class="exchange"><h4><span class="mono">${operation ?? entry.request.method} ${cut(entry.request.url, 200)}</span> <span class="mono">${status === 0 ? "no answer" : `→ ${status}`}</span> <small>exchange ${id}, ${durationText(entry.time)}</small></h4>
${exchangeSides(entry, place)}</section>
`;
}

/** Characters of what a program was given. */
const longest = 2_000;

/** What the program on top of the client asked for and got, in the failed step. */
export function programSaw({ steps, failure }: Cell): SafeHtml {
  const step = steps.find(({ id }) => id === failure?.step);
  if (!step || (step.params === undefined && step.answer === undefined)) return h``;
  const asked = step.params === undefined ? "" : JSON.stringify(step.params, null, 2);
  const got = step.answer === undefined ? "nothing" : JSON.stringify(step.answer, null, 2);
  return h`<section class="exchange"><h4>What the program asked the client for, and what it was given</h4>
<div class="sides"><div><h5>asked: ${step.op}</h5><pre tabindex="0">${preformatted(cut(asked, longest))}</pre></div><div><h5>given</h5><pre tabindex="0">${preformatted(cut(got, longest))}</pre></div></div></section>
`;
}

import { bindingName } from "@assay/suite/report";
import { cut, durationText, plural, visible } from "@assay/suite/text";
import { useEffect, useRef, useState } from "preact/hooks";
import { Trouble } from "../../app/notice.tsx";
import { go } from "../../app/route.ts";
import { VirtualList } from "../../app/virtual-list.tsx";
import type { ExchangeLine } from "../../documents/runs.ts";
import type { RunSource } from "./source.ts";

/** The number of lines to load at once. */
const piece = 200;

interface TrafficListProps {
  readonly source: RunSource;
  readonly chosen: string | undefined;
  readonly linkOf: (id: string) => string;
}

/** Lists every exchange of the run in the order in which they ended. Rows are loaded as the user scrolls. */
export function TrafficList({ source, chosen, linkOf }: TrafficListProps) {
  const lines = useRef(new Map<number, ExchangeLine>()).current;
  const asked = useRef(new Set<number>()).current;
  const [total, setTotal] = useState<number>();
  const [, redraw] = useState(0);
  const [error, setError] = useState<Error>();
  const load = (at: number): void => {
    if (asked.has(at)) return;
    asked.add(at);
    source.exchanges(at * piece, piece).then((page) => {
      for (const [index, line] of page.lines.entries()) lines.set(page.from + index, line);
      setTotal(page.total);
      redraw((n) => n + 1);
    }, setError);
  };
  useEffect(() => load(0), [source]);
  if (error) return <Trouble error={error} />;
  if (total === 0) return <p class="hint">This file contains no exchanges. The run itself (NDJSON) has all of them.</p>;
  const place = [...lines].find(([, { id }]) => id === chosen)?.[0];
  return (
    <VirtualList
      label="Exchanges"
      count={total ?? 0}
      rowHeight={46}
      selected={place}
      onSelect={(index) => {
        const line = lines.get(index);
        if (line) go(linkOf(line.id));
      }}
      onSeen={(from, to) => {
        for (let at = Math.floor(from / piece); at <= Math.floor(Math.max(0, to - 1) / piece); at++) load(at);
      }}
      row={(index) => {
        const line = lines.get(index);
        return line ? <ExchangeRow number={index + 1} line={line} /> : <div class="exchange-row soft">loading …</div>;
      }}
    />
  );
}

function ExchangeRow({ number, line }: { readonly number: number; readonly line: ExchangeLine }) {
  const { operation, method, url, status, ms, interface: on, during, working, events, faults } = line;
  return (
    <div class="exchange-row numbers">
      <span class="soft number">{number}</span>
      <span class="what">
        {visible(cut(operation ?? method, 80))}
        {working && <small title="a message: the agent worked on it"> message</small>}
      </span>
      <span class={status === 0 || status >= 500 ? "is-warn" : "soft"}>{status === 0 ? "no answer" : status}</span>
      <span class="soft ms">{durationText(ms)}</span>
      <span class="which">
        {[
          on ? `${bindingName(on.binding)} ${on.dialect}` : pathOf(url),
          events !== undefined && plural(events, "event"),
          during,
          faults && `fault: ${faults.join(", ")}`,
        ]
          .filter(Boolean)
          .map((part) => visible(cut(String(part), 80)))
          .join(" · ")}
      </span>
    </div>
  );
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

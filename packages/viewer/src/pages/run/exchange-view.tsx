import { type AnswerPlace, bindingName, type ExchangeRecorded, type HarEntry } from "@assay/suite/report";
import { cut, durationText, visible } from "@assay/suite/text";
import { JsonView, WireText } from "../../app/json-view.tsx";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { streamEvents } from "../../look/stream-events.ts";
import type { RunSource } from "./source.ts";
import { Timeline } from "./timeline.tsx";

/** Shows the request and the response side by side and marks the wrong place. */
export function ExchangeView({ id, source, place }: Readonly<{ id: string; source: RunSource; place?: AnswerPlace }>) {
  const exchange = useLoaded(() => source.exchange(id), [id]);
  if (exchange.is === "loading") return <Loading />;
  if (exchange.is === "failed") return <Trouble error={exchange.error} />;
  return <RecordedExchange exchange={exchange.value} {...(place && { place })} />;
}

/** Shows an exchange that is already loaded. */
export function RecordedExchange({ exchange, place }: Readonly<{ exchange: ExchangeRecorded; place?: AnswerPlace }>) {
  const { entry, during, operation, interface: on } = exchange;
  const { status } = entry.response;
  const facts = [
    operation,
    on && `${bindingName(on.binding)} ${on.dialect}`,
    durationText(entry.time),
    during && `for ${during}`,
    entry._faults && `fault: ${entry._faults.join(", ")}`,
  ];
  return (
    <section class="exchange">
      <h3>
        <span class="mono">{visible(cut(`${entry.request.method} ${entry.request.url}`, 300))}</span>
        <small>
          {facts
            .filter(Boolean)
            .map((fact) => visible(cut(String(fact), 120)))
            .join(" · ")}
        </small>
      </h3>
      <div class="sides">
        <div>
          <h4>sent</h4>
          <RecordedRequest entry={entry} />
        </div>
        <div>
          <h4>seen{status === 0 ? "" : `: ${status}`}</h4>
          <RecordedResponse entry={entry} {...(place && { place })} />
        </div>
      </div>
    </section>
  );
}

/** Returns the places to mark in a request or response. */
export interface PartMarks {
  readonly header?: string;
  readonly status?: true;
  readonly place?: AnswerPlace;
}

export function RecordedRequest({ entry, header, place }: { readonly entry: HarEntry } & PartMarks) {
  const { method, httpVersion, headers, postData } = entry.request;
  return (
    <>
      <Headers
        lines={headers}
        first={`${method} ${pathOf(entry)} ${httpVersion}`}
        {...(header !== undefined && { marked: header })}
      />
      {postData && (
        <Body
          text={postData.text}
          isBase64={postData._encoding !== undefined}
          label="Request"
          {...(place?.path !== undefined && { path: place.path })}
        />
      )}
    </>
  );
}

export function RecordedResponse({ entry, header, status, place }: { readonly entry: HarEntry } & PartMarks) {
  const { response, time } = entry;
  const events = streamEvents(entry);
  if (response.status === 0) return <WireText label="Response">{visible(response._error ?? "no response")}</WireText>;
  return (
    <>
      <Headers
        lines={[...response.headers, ...(response._trailers ?? [])]}
        first={`${response.httpVersion} ${response.status} ${response.statusText}`.trim()}
        {...(header !== undefined && { marked: header })}
        {...(status && { isFirstMarked: true })}
      />
      {events.length > 0 ? (
        <Timeline events={events} time={time} {...(place && { place })} />
      ) : (
        <Body
          text={response.content.text}
          isBase64={response.content.encoding !== undefined}
          label="Response"
          {...(place?.path !== undefined && { path: place.path })}
        />
      )}
      {response._error !== undefined && <p class="is-warn">broke off: {visible(response._error)}</p>}
    </>
  );
}

const pathOf = ({ request: { url } }: HarEntry): string => {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

interface HeadersProps {
  /** the first line of the request or response */
  readonly first: string;
  readonly isFirstMarked?: boolean;
  readonly lines: HarEntry["request"]["headers"];
  /** the header to mark, or to show as missing */
  readonly marked?: string;
}

function Headers({ first, isFirstMarked, lines, marked }: HeadersProps) {
  const isMarked = (name: string): boolean => name.toLowerCase() === marked?.toLowerCase();
  const line = visible(cut(first, 200));
  return (
    <details class="headers" open={marked !== undefined}>
      <summary class="mono">{isFirstMarked ? <mark>{line} ◀</mark> : line}</summary>
      <dl class="mono">
        {lines.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{visible(name)}</dt>
            <dd>{isMarked(name) ? <mark>{visible(cut(value, 600))} ◀</mark> : visible(cut(value, 600))}</dd>
          </div>
        ))}
        {marked !== undefined && !lines.some(({ name }) => isMarked(name)) && (
          <div>
            <dt>{visible(marked)}</dt>
            <dd>
              <mark>missing ◀</mark>
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}

interface BodyProps {
  readonly text: string;
  readonly isBase64: boolean;
  readonly label: string;
  readonly path?: string;
}

function Body({ text, isBase64, label, path }: BodyProps) {
  if (text === "") return <p class="hint">no body</p>;
  if (isBase64) return <WireText label={label}>{`[bytes, in base64] ${cut(text, 4_000)}`}</WireText>;
  return <JsonView text={text} label={label} {...(path !== undefined && { path })} />;
}

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

/** An exchange that is at hand. */
export function RecordedExchange({ exchange, place }: Readonly<{ exchange: ExchangeRecorded; place?: AnswerPlace }>) {
  const { entry, during, operation, interface: on } = exchange;
  const { status } = entry.response;
  const events = streamEvents(entry);
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
          <Headers
            lines={entry.request.headers}
            first={`${entry.request.method} ${pathOf(entry)} ${entry.request.httpVersion}`}
          />
          {entry.request.postData && (
            <Body
              text={entry.request.postData.text}
              isBase64={entry.request.postData._encoding !== undefined}
              label="Request"
            />
          )}
        </div>
        <div>
          <h4>seen{status === 0 ? "" : `: ${status}`}</h4>
          {status === 0 ? (
            <WireText label="Response">{visible(entry.response._error ?? "no response")}</WireText>
          ) : (
            <>
              <Headers
                lines={[...entry.response.headers, ...(entry.response._trailers ?? [])]}
                first={`${entry.response.httpVersion} ${status} ${entry.response.statusText}`.trim()}
              />
              {events.length > 0 ? (
                <Timeline events={events} time={entry.time} {...(place && { place })} />
              ) : (
                <Body
                  text={entry.response.content.text}
                  isBase64={entry.response.content.encoding !== undefined}
                  label="Response"
                  {...(place?.path !== undefined && { path: place.path })}
                />
              )}
              {entry.response._error !== undefined && (
                <p class="is-warn">broke off: {visible(entry.response._error)}</p>
              )}
            </>
          )}
        </div>
      </div>
    </section>
  );
}

const pathOf = ({ request: { url } }: HarEntry): string => {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
};

function Headers({ first, lines }: { readonly first: string; readonly lines: HarEntry["request"]["headers"] }) {
  return (
    <details class="headers">
      <summary class="mono">{visible(cut(first, 200))}</summary>
      <dl class="mono">
        {lines.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{visible(name)}</dt>
            <dd>{visible(cut(value, 600))}</dd>
          </div>
        ))}
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

import type { ComparedExchanges } from "@assay/suite/report";
import { endTexts, placeText, plural } from "@assay/suite/text";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { Said } from "../../app/sentence.tsx";
import { type PartMarks, RecordedRequest, RecordedResponse } from "./exchange-view.tsx";
import type { RunSource } from "./source.ts";

/** The number of copies to show of a request that arrived several times. */
const atMost = 3;

interface ComparedViewProps {
  readonly compared: ComparedExchanges;
  readonly source: RunSource;
}

/** Shows what left one end of a gateway next to what reached the other end, and marks the difference. */
export function ComparedView({ compared, source }: ComparedViewProps) {
  const { part, ends, header, status, place } = compared;
  const marks: PartMarks = {
    ...(header !== undefined && { header }),
    ...(status && { status }),
    ...(place && { place }),
  };
  const titles = endTexts(compared);
  return (
    <section class="exchange compared">
      <h3>
        {part === "request" ? "Request" : "Response"} on both sides of the gateway
        <small>
          <Said text={`compared: ${placeText(compared)}`} />
        </small>
      </h3>
      <div class="sides even">
        {ends.map(({ end, exchanges, shows }, index) => (
          <div key={end} class={index === 0 ? "sent" : "received"}>
            <h4>
              {titles[index]}
              {exchanges.length > 1 && ` ${plural(exchanges.length, "copy", "copies")}`}
            </h4>
            {shows !== undefined && (
              <p class="shows mono">
                <Said text={shows} most={600} />
              </p>
            )}
            {exchanges.length === 0 && <p class="hint">Assay recorded nothing at this end.</p>}
            {exchanges.slice(0, atMost).map((id) => (
              <End key={id} id={id} part={part} source={source} marks={marks} />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

interface EndProps {
  readonly id: string;
  readonly part: ComparedExchanges["part"];
  readonly source: RunSource;
  readonly marks: PartMarks;
}

function End({ id, part, source, marks }: EndProps) {
  const exchange = useLoaded(() => source.exchange(id), [id]);
  if (exchange.is === "loading") return <Loading />;
  if (exchange.is === "failed") return <Trouble error={exchange.error} />;
  const { entry } = exchange.value;
  return part === "request" ? (
    <RecordedRequest entry={entry} {...marks} />
  ) : (
    <RecordedResponse entry={entry} {...marks} />
  );
}

import "./style.css";
import { dateText, plural } from "@assay/suite/text";
import { useEffect, useState } from "preact/hooks";
import { agent, shareable } from "../../app/agent.ts";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Trouble } from "../../app/notice.tsx";
import { go, linkTo, refine } from "../../app/route.ts";
import { lookOf, runsOf } from "../../app/run-line.ts";
import { Said } from "../../app/sentence.tsx";
import { useStore } from "../../app/store.ts";
import type { RunLine } from "../../documents/runs.ts";
import { openFile } from "../run/dropped.ts";
import { TestActions } from "./actions.tsx";
import { TestbedPicker } from "./testbed-picker.tsx";

/** The start page of a test: an address, an agent of the test bed, an earlier run, or a file. */
export function Page() {
  useAddress();
  return <Start />;
}

/** Keeps the agent in the URL of the page, so that a reload or a link opens the same agent. */
function useAddress(): void {
  const { url } = useStore(agent);
  useEffect(() => {
    const settled = setTimeout(() => {
      // The user may have opened another page in the meantime.
      if (location.hash === "" || location.hash.startsWith(linkTo("test")))
        refine(linkTo("test", [], url === "" ? {} : { agent: shareable(url) }));
    }, 300);
    return () => clearTimeout(settled);
  }, [url]);
}

const Start = () => (
  <div class="start">
    <section aria-labelledby="begin">
      <h1 id="begin">Does your agent speak A2A?</h1>
      <p>
        Enter its address above and press <b>Test</b>. Assay reads the card and tests every interface and version on it.
        For each broken rule you see the request, the response and the fix. Before the first message, Assay shows the
        maximum number of messages, and it never exceeds it.
      </p>
    </section>
    <TestbedPicker />
    <RecentRuns />
    <OpenFile />
  </div>
);

export const Actions = TestActions;

function RecentRuns() {
  const { url } = useStore(agent);
  const runs = useLoaded(() => get<RunLine[]>("/api/runs"), []);
  if (runs.is === "failed") return <Trouble error={runs.error} />;
  if (runs.is === "loading" || runs.value.length === 0) return null;
  const own = runsOf(url, runs.value);
  const isOwn = own.length > 0;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{isOwn ? "Recent runs of this address" : "Recent runs"}</h2>
      <ul class="recent panel">
        {(isOwn ? own : runs.value).slice(0, 6).map((line) => (
          <li key={line.run}>
            <a href={linkTo("runs", [line.run])}>
              <span class={`verdict ${line.isRunning ? "" : lookOf(line)}`}>
                {line.isRunning ? "in progress" : line.answer}
              </span>
              <span>
                <Said text={line.agentName || line.agentUrl} most={60} />
              </span>
              <span class="soft numbers">
                {line.broken > 0 ? `${plural(line.broken, "rule")} broken` : "no rule broken"}
              </span>
              <span class="soft numbers">{dateText(line.testDate)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href={linkTo("history", [], isOwn ? { agent: own[0]!.agentUrl } : {})}>All runs, with comparison</a>
      </p>
    </section>
  );
}

/** A run or a report from elsewhere, read in the browser and sent nowhere. */
function OpenFile() {
  const [error, setError] = useState<Error>();
  const [isOver, setOver] = useState(false);
  const open = (file: File | undefined): void => {
    if (!file) return;
    openFile(file).then((name) => go(linkTo("runs", [name])), setError);
  };
  return (
    <section aria-labelledby="open-file">
      <h2 id="open-file">Open a saved run</h2>
      <label
        class={`drop${isOver ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          open(event.dataTransfer?.files[0]);
        }}
      >
        <span>
          Drop a file of <code>.assay/runs</code> or a JSON report here, or choose one. This browser reads the file and
          does not send it anywhere.
        </span>
        <input type="file" accept=".ndjson,.json" onChange={({ currentTarget }) => open(currentTarget.files?.[0])} />
      </label>
      {error && <Trouble error={error} />}
    </section>
  );
}

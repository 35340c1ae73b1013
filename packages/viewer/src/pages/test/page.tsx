import "./style.css";
import { dateText } from "@assay/suite/text";
import { useEffect, useState } from "preact/hooks";
import { agent, shareable } from "../../app/agent.ts";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Trouble } from "../../app/notice.tsx";
import { go, linkTo, refine } from "../../app/route.ts";
import { findingsWord, lookOf, runsOf } from "../../app/run-line.ts";
import { Said } from "../../app/sentence.tsx";
import { site } from "../../app/site.ts";
import { useStore } from "../../app/store.ts";
import type { RunLine } from "../../documents/runs.ts";
import { openFile } from "../run/dropped.ts";
import { TestActions } from "./actions.tsx";
import { GatewayForm } from "./gateway-form.tsx";
import { fillIn } from "./start-test.ts";
import { TestbedPicker } from "./testbed-picker.tsx";

/** Shows the start page of a test: an address, an agent of the test bed, an earlier run, or a file. */
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
    <NamedAgents />
    <TestbedPicker />
    <GatewayForm />
    <RecentRuns />
    <OpenFile />
  </div>
);

export const Actions = TestActions;

/** Lists the agents of assay.yaml, if there are several. The first one is in the address bar. */
function NamedAgents() {
  const agents = site.document?.agents ?? [];
  if (agents.length < 2) return null;
  return (
    <section aria-labelledby="named">
      <h2 id="named">Your agents</h2>
      <ul class="agents">
        {agents.map((each) => (
          <li key={each.url}>
            <button type="button" onClick={() => fillIn(each)}>
              <Said text={each.name ?? each.url} most={60} />
            </button>{" "}
            <span class="soft">{each.name !== undefined && <Said text={each.url} most={100} />}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

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
              <span class="soft numbers">{!line.isRunning && findingsWord(line)}</span>
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

/** Opens a run or report from a file. The browser reads it and sends it nowhere. */
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

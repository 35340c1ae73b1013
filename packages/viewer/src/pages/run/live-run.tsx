import { type LiveFinding, type Progress, rulesText } from "@assay/suite/report";
import { durationText, plural, visible } from "@assay/suite/text";
import { useEffect, useRef, useState } from "preact/hooks";
import { post } from "../../app/api.ts";
import { Trouble } from "../../app/notice.tsx";
import { Said, Sentence } from "../../app/sentence.tsx";
import { useTitle } from "../../app/title.ts";
import { FindingFacts } from "./finding-facts.tsx";

/** Shows a run in progress: its progress, its current request and its findings so far. */
export function LiveRunView({ run, progress, since }: Readonly<{ run: string; progress: Progress; since: number }>) {
  useTitle(`testing, ${Math.round(progress.done * 100)} %`);
  const [chosen, setChosen] = useState<string>();
  const [error, setError] = useState<Error>();
  const [isStopping, setStopping] = useState(false);
  const finding = chosen === undefined ? undefined : progress.findings.get(chosen);
  const stop = (): void => {
    setStopping(true);
    post(`/api/runs/${encodeURIComponent(run)}/stop`).catch(setError);
  };
  return (
    <div class="run">
      <section class="answer" aria-label="Progress">
        <div class="answer-line">
          <p class="outcome">{isStopping ? "stopping …" : "testing …"}</p>
          <Counts progress={progress} />
          <button type="button" onClick={stop} disabled={isStopping}>
            Stop
          </button>
        </div>
        <ProgressBar progress={progress} />
        <p class="now" role="status">
          {isStopping ? "stopping and cleaning up" : nowText(progress)}
        </p>
        <p class="soft numbers">
          <Elapsed since={since} /> · {costText(progress)}
        </p>
      </section>
      {error && <Trouble error={error} />}
      <div class={`panes${finding ? " chosen" : ""}`}>
        <LiveFindings progress={progress} chosen={chosen} onChoose={setChosen} />
        <section class="detail" aria-label="Findings">
          {finding ? (
            <article class="finding">
              <button type="button" class="back" onClick={() => setChosen(undefined)}>
                ← all findings
              </button>
              <h2>
                <Sentence text={finding.message} begins />
              </h2>
              <FindingFacts result={finding.example} />
            </article>
          ) : (
            <p class="hint detail-hint">
              Broken rules appear on the left as Assay finds them. Choose one to read it while the test continues. The
              requests and responses appear when the run is over.
            </p>
          )}
        </section>
      </div>
    </div>
  );
}

function nowText({ now, run }: Progress): string {
  if (now !== undefined) return visible(`now: ${now}`);
  return run.found ? "reading the card" : "looking for the agent";
}

function costText({ run: { planned, workingMessages, found }, estimate }: Progress): string {
  const who = found ? `${visible(found.name)} · ` : "";
  if (!planned) return `${who}the number of messages appears before the first one is sent`;
  const messages = planned.workingMessages
    ? `${workingMessages} of at most ${plural(planned.workingMessages, "message")}`
    : "no messages";
  const time = estimate && estimate.totalMs >= 2_000 ? ` · about ${durationText(estimate.totalMs)} in all` : "";
  return `${who}${messages}${time}`;
}

function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return <>{durationText(Math.max(0, Math.floor((now - since) / 1_000) * 1_000))}</>;
}

function Counts({ progress }: { readonly progress: Progress }) {
  const findings = [...progress.findings.values()];
  const broken = new Set(findings.filter(({ mark }) => mark === "fail").map(({ test }) => test)).size;
  const warned = findings.filter(({ mark }) => mark === "warning").length;
  return (
    <p class="counts numbers">
      <span class={broken ? "is-fail" : ""}>{broken} broken</span>
      <span class={warned ? "is-warn" : ""}>{plural(warned, "warning")}</span>
    </p>
  );
}

function ProgressBar({ progress }: { readonly progress: Progress }) {
  const { planned } = progress.run;
  const told = planned
    ? `${progress.rules} of ${rulesText(planned.rules, progress.run.started?.subject)}`
    : "no plan yet";
  return (
    <div class="bar-line">
      <progress max={1} value={progress.done} aria-label="Progress of the test">
        {told}
      </progress>
      <span class="numbers nowrap">{told}</span>
    </div>
  );
}

interface LiveFindingsProps {
  readonly progress: Progress;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** Lists the findings in the order of rules, broken ones first. The list must not move while the user points at it. */
function LiveFindings({ progress, chosen, onChoose }: LiveFindingsProps) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef<readonly string[]>([]);
  const all = progress.findings;
  if (!isHeld) shown.current = [...all.keys()].toSorted((a, b) => inOrder(all.get(a)!, all.get(b)!));
  const waiting = all.size - shown.current.length;
  return (
    <section
      class="list"
      aria-label="Found so far"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <h2>Found so far</h2>
      {all.size === 0 && <p class="hint">No failures yet.</p>}
      <ol class="findings">
        {shown.current.map((key) => {
          const { mark, test, message, where } = all.get(key)!;
          return (
            <li key={key}>
              <button type="button" class="finding-line" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
                <span class={`sign ${mark}`}>{mark === "fail" ? "✗" : "!"}</span>
                <span class="what">
                  <Sentence text={message} begins most={160} />
                </span>
                <span class="which">
                  {test} · <Said text={[...where].join(", ")} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      <p class="hint" aria-live="polite">
        {waiting > 0 ? `${waiting} more, shown when the pointer leaves the list` : ""}
      </p>
    </section>
  );
}

const inOrder = (a: LiveFinding, b: LiveFinding): number =>
  (a.mark === "fail" ? 0 : 1) - (b.mark === "fail" ? 0 : 1) || a.test.localeCompare(b.test);

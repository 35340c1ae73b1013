import {
  type ConformanceReport,
  firstStep,
  levelText,
  messagesText,
  outcomeWord,
  resultsOf,
} from "@assay/suite/report";
import {
  dateText,
  durationText,
  endingOf,
  examinedOf,
  findingsOf,
  interfaceText,
  plural,
  versionsOf,
} from "@assay/suite/text";
import { Said, Sentence } from "../../app/sentence.tsx";
import { site } from "../../app/site.ts";
import { Forecast } from "./forecast.tsx";
import type { RunSource } from "./source.ts";

/** Shows the outcome of a run: conformant or not, the level, and the number of examined rules. */
export function VerdictHead({ source: { report, reports } }: { readonly source: RunSource }) {
  const { outcome, summary, agentName, agentVersion, agentUrl, levelBecause } = report;
  const ending = endingOf(report);
  const hint = firstStep(report);
  return (
    <section class={`answer ${outcome}`} aria-label="The answer">
      <div class="answer-line">
        <h1 class="outcome">{outcomeWord(report)}</h1>
        {summary.total > 0 && (
          <p class="counts">
            <Sentence text={findingsOf(report)} />
          </p>
        )}
        <p class="who">
          <Said text={`${agentName || agentUrl} ${agentVersion}`.trim()} most={120} />
          {agentName !== "" && (
            <small class="mono">
              <Said text={agentUrl} />
            </small>
          )}
        </p>
      </div>
      {ending !== undefined && (
        <p class="because">
          <Sentence text={ending} begins />
        </p>
      )}
      {hint !== undefined && (
        <p>
          <Sentence text={hint} />
        </p>
      )}
      {summary.total > 0 && <ShareBar report={report} />}
      <p class="soft answer-facts numbers">
        {levelBecause !== ending && (
          <span>
            <Sentence text={levelText(report)} begins />
          </span>
        )}
        {summary.total > 0 && <span>{examinedOf(report)}</span>}
        <span>
          {durationText(report.duration_ms)}, {messagesText(report)}
        </span>
        <span>{dateText(report.testDate)}</span>
        {reports && summary.total > 0 && (
          <span>
            {site.document?.formats.map((format, index) => (
              <>
                {index > 0 && " "}
                <a href={reports(format)} download>
                  {format}
                </a>
              </>
            ))}
          </span>
        )}
      </p>
      {report.forecast && <Forecast forecast={report.forecast} />}
      <AboutRun report={report} />
    </section>
  );
}

/** Shows facts about the tested agent and the tool. They are folded because the outcome comes first. */
function AboutRun({ report }: { readonly report: ConformanceReport }) {
  const facts = [
    ...versionsOf(report).map(({ version, answer, known }) => [`version ${version}`, `${answer}; known by: ${known}`]),
    ...report.interfaces.map((on) => ["interface", interfaceText(on)]),
    ["tested by", `Assay ${report.tool.version}${report.subject === "gateway" ? "" : `, rules ${report.ruleSet}`}`],
    ["run", report.run],
  ] as const;
  return (
    <details class="about">
      <summary>About this run</summary>
      <dl>
        {facts.map(([label, text]) => (
          <div key={`${label} ${text}`}>
            <dt>{label}</dt>
            <dd>
              <Sentence text={text!} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Shows the shares of the results by outcome, as a bar and as text. */
function ShareBar({ report }: { readonly report: ConformanceReport }) {
  const { passed, failed, blocked, errors, total } = report.summary;
  const idle = resultsOf(report).filter(({ verdict }) => verdict === "not-applicable").length;
  const parts = [
    { kind: "fail", count: failed, name: "failed" },
    { kind: "blocked", count: blocked, name: "blocked" },
    { kind: "error", count: errors, name: "not judged" },
    { kind: "pass", count: passed, name: "passed" },
    { kind: "not-examined", count: total - idle - passed - failed - blocked - errors, name: "not examined" },
    { kind: "not-applicable", count: idle, name: "not applicable" },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <div class="bar" aria-hidden="true">
        {parts.map(({ kind, count }) => (
          <span class={kind} style={{ flexGrow: count }} key={kind} />
        ))}
      </div>
      <ul class="legend numbers" aria-label={`${plural(total, "result")} by outcome`}>
        {parts.map(({ kind, count, name }) => (
          <li class={kind} key={kind}>
            <b>{count}</b> {name}
          </li>
        ))}
      </ul>
    </>
  );
}

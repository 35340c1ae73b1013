import { changeWords, classFacts, countedFailures, levelWord, type ShownAgent, toneOf } from "@assay/fleet/view";
import {
  type ConformanceReport,
  type ConformanceResult,
  type FailureGroup,
  failuresOf,
  levelText,
  shellQuoted,
  slowedDownText,
  unexaminedOf,
  warningsOf,
} from "@assay/suite/report";
import {
  cut,
  dateText,
  durationText,
  examinedOf,
  expectedOf,
  interfaceText,
  plural,
  reasons,
  safeLink,
  sdkOf,
} from "@assay/suite/text";
import { isStatic } from "../../app/embedded.ts";
import { WireText } from "../../app/json-view.tsx";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import { FindingDetail } from "../run/finding-detail.tsx";
import { heldRun, type RunSource } from "../run/source.ts";
import { ClassMark } from "./overview.tsx";

/** Shows the result of an agent to its owner: the evidence, the fixes, how to reproduce it and how to object. */
export function AgentView({ shown }: { readonly shown: ShownAgent }) {
  const { row, report, evidence, fleet, badge } = shown;
  return (
    <>
      <p>
        <a href={isStatic ? "../index.html" : linkTo("fleet", [fleet])}>
          A2A agents of <Said text={fleet} most={120} />
        </a>
      </p>
      <h1>
        <Said text={row.agent} most={200} />
      </h1>
      {row.agent !== row.url && (
        <p class="mono">
          <Said text={row.url} />
        </p>
      )}
      <div class={`answer panel fleet-answer ${toneOf(row)}`}>
        <p class="outcome">{classFacts(row.class).words}</p>
        <p class="because">
          <Sentence text={row.reason.message} begins />
        </p>
        <p>
          <Sentence text={row.reason.remedy} begins />
        </p>
        {report && report.summary.examined > 0 && (
          <p class="soft">
            <Sentence text={levelText(report)} begins />. <Sentence text={examinedOf(report)} begins />.
          </p>
        )}
      </div>
      {badge !== undefined && (
        <p>
          <img src={badge} alt={`A2A: ${classFacts(row.class).words}`} height={20} />
        </p>
      )}
      <Facts shown={shown} />
      <Hallmark shown={shown} />
      {evidence !== undefined && (
        <section>
          <h2>Evidence</h2>
          <WireText label="evidence">
            <Said text={evidence} most={4_000} />
          </WireText>
        </section>
      )}
      {report && report.summary.total > 0 && <Found report={report} />}
      {row.run !== undefined && !report && (
        <p class="hint">The evidence of this run was deleted after its retention time.</p>
      )}
      <Contest shown={shown} />
      <Earlier shown={shown} />
    </>
  );
}

function Facts({ shown: { row, report } }: { readonly shown: ShownAgent }) {
  const { at, attempts, duration_ms, unchanged, builtWith, change, run } = row;
  const facts: readonly (readonly [string, string])[] = [
    [
      "looked at",
      `${dateText(at)}, in ${durationText(duration_ms)}${attempts > 1 ? `, ${plural(attempts, "try", "tries")}` : ""}`,
    ],
    ...(unchanged && report
      ? ([["tested", `${dateText(report.testDate)}: the card has not changed since then`]] as const)
      : []),
    ...(builtWith ? ([["built with", `${cut(builtWith.name, 60)}, by ${builtWith.because}`]] as const) : []),
    ...(report?.cardDigest === undefined ? [] : ([["card", `sha256:${report.cardDigest}`]] as const)),
    ...(change ? ([["since last time", changeWords[change]]] as const) : []),
  ];
  return (
    <>
      <dl class="proof">
        {facts.map(([label, text]) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <Said text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {!isStatic && run !== undefined && (
        <p>
          <a href={linkTo("runs", [run])}>All results of this run</a>
        </p>
      )}
    </>
  );
}

function Hallmark({ shown: { hallmark, row } }: { readonly shown: ShownAgent }) {
  if (!hallmark || (hallmark.is === "none" && row.outcome !== "conformant")) return null;
  if (hallmark.is === "none")
    return (
      <section>
        <h2>Hallmark</h2>
        <p>
          There is none: <Sentence text={hallmark.because} />.
        </p>
      </section>
    );
  const { issuer, until, jws, report, keys } = hallmark;
  const name = (address: string): string => address.slice(address.lastIndexOf("/") + 1);
  return (
    <section>
      <h2>Hallmark</h2>
      <p>
        <a href={jws} download>
          The hallmark
        </a>
        , signed by <Said text={issuer} /> and valid until {dateText(until)}, confirms{" "}
        <a href={report} download>
          this report
        </a>
        . With both and the{" "}
        <a href={keys} download>
          public key
        </a>{" "}
        of the issuer, anyone can verify it offline:
      </p>
      <WireText label="the command that verifies it">{`npx a2a-assay verify ${name(jws)} --jwks ${name(keys)} --report ${name(report)}`}</WireText>
    </section>
  );
}

/** Shows the findings, the rules that were not examined, and the notes. */
function Found({ report }: { readonly report: ConformanceReport }) {
  const source = heldRun([], report);
  const notes = [
    ...report.notes,
    ...(report.slowedDown ? [slowedDownText(report.slowedDown)] : []),
    ...expectedOf(report),
  ];
  const sdk = sdkOf(report);
  const unexamined = unexaminedOf(report);
  return (
    <>
      <Findings
        title="Fix first"
        found={failuresOf(report).map((group) => ({ result: group.example, group }))}
        source={source}
      />
      <Findings
        title="Warnings"
        found={warningsOf(report).map(({ example }) => ({ result: example, group: undefined }))}
        source={source}
      />
      {unexamined.length > 0 && (
        <section>
          <h2>Not examined</h2>
          <WideTable
            label="Not examined"
            head={["rules", "why", "how to examine them"].map((name) => <th scope="col">{name}</th>)}
          >
            {unexamined.map(({ reason, rules, enable, trouble, because }) => (
              <tr>
                <td data-label="rules">{rules}</td>
                <td>
                  <Sentence text={because ?? trouble ?? reasons[reason]} begins />
                </td>
                <td>
                  {enable !== undefined && (
                    <code>
                      <Said text={enable} />
                    </code>
                  )}
                </td>
              </tr>
            ))}
          </WideTable>
        </section>
      )}
      {(notes.length > 0 || report.leftOut.length > 0 || sdk !== undefined) && (
        <section>
          <h2>Notes</h2>
          <ul class="lines">
            {sdk !== undefined && (
              <li>
                SDK: <Sentence text={sdk} />
              </li>
            )}
            {report.leftOut.map(({ interface: on, because }) => (
              <li>
                Not tested: <Said text={interfaceText(on)} />: <Sentence text={because} />
              </li>
            ))}
            {notes.map((note) => (
              <li>
                <Sentence text={note} begins />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly found: readonly { readonly result: ConformanceResult; readonly group: FailureGroup | undefined }[];
  readonly source: RunSource;
}

function Findings({ title, found, source }: FindingsProps) {
  if (found.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {found.map(({ result, group }, index) => (
        <details class="panel fleet-changes" open={index === 0 && title === "Fix first"}>
          <summary>
            <b>{result.test}</b> <Sentence text={result.warning ?? result.message ?? result.title} most={300} begins />
          </summary>
          <FindingDetail result={result} group={group} source={source} link={location.hash} />
        </details>
      ))}
    </section>
  );
}

/** The maximum number of rules to list with their text. */
const mostRules = 40;

/** Explains how the owner of an agent can repeat the test, object to a finding, and opt out. */
function Contest({ shown: { row, report, contact } }: { readonly shown: ShownAgent }) {
  const broken = report ? countedFailures(report) : [];
  const rules = [...new Map(broken.map((result) => [result.test, result])).values()].slice(0, mostRules);
  const command = `npx a2a-assay test ${shellQuoted(cut(row.url, 2_000))} --depth ${report?.depth ?? "card"}${report?.strict ? " --strict" : ""} --report html=report.html`;
  return (
    <section>
      <h2>Is this your agent?</h2>
      <ol class="panel fleet-contest">
        <li>
          Run the same test from your own machine, with your own credentials if it needs some. It publishes nothing:
          <WireText label="the command that repeats the test">
            <Said text={command} most={3_000} />
          </WireText>
        </li>
        {rules.length > 0 && (
          <li>
            Read the rules and their sources; <code>assay explain &lt;rule&gt;</code> shows one with its remedy:
            <ul class="lines">
              {rules.map((rule) => (
                <Rule rule={rule} />
              ))}
            </ul>
          </li>
        )}
        <li>
          If a finding contradicts the specification, contest the rule: open an issue in the Assay repository with the
          section and the exchange. <code>CONTRIBUTING.md</code> there explains how. A contested rule never decides a
          verdict. <code>docs/spec/ambiguities.md</code> lists unclear sections; Assay uses the lenient reading.
        </li>
        <li>
          If it is no longer true, the next sweep removes it.
          {contact !== undefined && (
            <>
              {" "}
              To have it tested earlier, or for anything else: <Contact contact={contact} />.
            </>
          )}
        </li>
        <li>
          To opt out, {contact !== undefined && "write there, or "}put this into <code>/robots.txt</code> of its host.
          From then on Assay requests only this file from the host:
          <WireText label="robots.txt">{"User-agent: a2a-assay\nDisallow: /"}</WireText>
        </li>
      </ol>
    </section>
  );
}

function Rule({
  rule: { test, level, section, specUrl, title, ambiguity = [] },
}: {
  readonly rule: ConformanceResult;
}) {
  const link = safeLink(specUrl);
  return (
    <li>
      <b>{test}</b> {level.replace("_", " ")}{" "}
      {link === undefined ? (
        `§${section}`
      ) : (
        <a href={link} rel="noreferrer">
          §{section}
        </a>
      )}
      : <Sentence text={title} />. {ambiguity.length > 0 && <span class="chip">unclear: {ambiguity.join(", ")}</span>}
    </li>
  );
}

function Contact({ contact }: { readonly contact: string }) {
  const link = safeLink(contact);
  const said = <Said text={contact} most={200} />;
  return link === undefined ? (
    said
  ) : (
    <a href={link} rel="noreferrer">
      {said}
    </a>
  );
}

/** Lists all previous results of the agent. */
function Earlier({ shown: { earlier } }: { readonly shown: ShownAgent }) {
  if (earlier.length < 2) return null;
  const columns = ["looked at", "class", "level", "why"];
  return (
    <section>
      <h2>Results so far</h2>
      <WideTable label="Results so far" head={columns.map((name) => <th scope="col">{name}</th>)}>
        {earlier.map((verdict) => (
          <tr>
            <td>{dateText(verdict.at)}</td>
            <td>
              <ClassMark row={verdict} />
            </td>
            <td data-label="level">{levelWord(verdict)}</td>
            <td>
              <Sentence text={verdict.message} begins />
            </td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

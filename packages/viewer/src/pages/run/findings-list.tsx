import {
  type ConformanceReport,
  type ConformanceResult,
  type FailureGroup,
  type FindingGroup,
  slowedDownText,
  unexaminedOf,
  weightText,
  whereOf,
} from "@assay/suite/report";
import { expectedOf, interfaceText, plural, reasons, sdkOf } from "@assay/suite/text";
import type { ComponentChildren } from "preact";
import { Said, Sentence } from "../../app/sentence.tsx";
import { sentenceCase } from "../../look/sentence-parts.ts";

interface ListProps {
  readonly report: ConformanceReport;
  readonly failures: readonly FailureGroup[];
  readonly warnings: readonly FindingGroup[];
  readonly chosen: ConformanceResult | undefined;
  readonly linkOf: (result: ConformanceResult) => string;
}

/** Lists the failures to fix first, the warnings, and the rules that were not examined with their reasons. */
export function FindingsList({ report, failures, warnings, ...line }: ListProps) {
  const isGateway = report.subject === "gateway";
  return (
    <div class="scroll">
      {[...classesOf(failures, isGateway)].map(([name, groups], index) => (
        <>
          {index === 0 && <h2>Fix first</h2>}
          <h3>{name}</h3>
          <ol class="findings">
            {groups.map((group) => (
              <FindingLine key={keyOf(group)} group={group} kind="fail" {...line} />
            ))}
          </ol>
        </>
      ))}
      {warnings.length > 0 && (
        <>
          <h2>{plural(warnings.length, "warning")}</h2>
          <ol class="findings">
            {warnings.map((group) => (
              <FindingLine key={keyOf(group)} group={group} kind="warning" {...line} />
            ))}
          </ol>
        </>
      )}
      {failures.length + warnings.length === 0 && report.summary.examined > 0 && (
        <p class="hint">
          No {isGateway ? "property" : "rule"} is broken, as far as examined. The next tab has all results.
        </p>
      )}
      <Notes title="Held up" lines={otherCauses(report, failures)} />
      <Notes title="Expected failures" lines={expectedOf(report)} />
      <NotExamined report={report} />
      <Notes title="Notes" lines={remarksOf(report)} />
    </div>
  );
}

const keyOf = ({ test, where, message }: FindingGroup): string => `${test} ${where} ${message}`;

/** Groups the failures by the reason for their priority. */
function classesOf(failures: readonly FailureGroup[], isGateway: boolean): Map<string, FailureGroup[]> {
  const classes = new Map<string, FailureGroup[]>();
  for (const group of failures) {
    const { weight, blocks, example } = group;
    const name = example.disputed
      ? "contested"
      : // Rules of gateways have no core.
        (weightText[weight] ?? (isGateway ? "broken properties" : blocks ? "blocks other rules" : "outside the core"));
    classes.set(sentenceCase(name), [...(classes.get(sentenceCase(name)) ?? []), group]);
  }
  return classes;
}

function FindingLine({
  group,
  kind,
  chosen,
  linkOf,
}: Pick<ListProps, "chosen" | "linkOf"> & { readonly group: FindingGroup; readonly kind: "fail" | "warning" }) {
  return (
    <li>
      <a
        class="finding-line"
        href={linkOf(group.example)}
        {...(chosen && group.results.includes(chosen) && { "aria-current": "true" as const })}
      >
        <span class={`sign ${kind}`}>{kind === "fail" ? "✗" : "!"}</span>
        <span class="what">
          <Sentence text={group.message || group.example.title} begins most={160} />
        </span>
        <span class="which">
          {group.test} · <Said text={group.where} />
          {group.blocks > 0 && ` · blocks ${plural(group.blocks, "result")}`}
          {group.example.knownFault && " · known SDK bug"}
        </span>
      </a>
    </li>
  );
}

function NotExamined({ report }: { readonly report: ConformanceReport }) {
  const groups = unexaminedOf(report);
  return (
    <Section title="Not examined" isEmpty={groups.length === 0}>
      <ul class="reasons">
        {groups.map(({ reason, rules, enable, trouble, because }) => (
          <li key={`${reason} ${enable} ${trouble} ${because}`}>
            <b class="numbers">{rules}</b>
            <span>
              <Sentence text={because ?? trouble ?? reasons[reason]} />
              {enable !== undefined && (
                <code>
                  <Said text={enable} />
                </code>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Notes = ({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) => (
  <Section title={title} isEmpty={lines.length === 0}>
    <ul class="notes">
      {lines.map((line) => (
        <li key={line}>
          <Sentence text={line} begins />
        </li>
      ))}
    </ul>
  </Section>
);

interface SectionProps {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly children: ComponentChildren;
}

const Section = ({ title, isEmpty, children }: SectionProps) =>
  isEmpty ? null : (
    <>
      <h2>{title}</h2>
      {children}
    </>
  );

/**
 * Returns results blocked by a failure that is not listed above, because a baseline expects it or because it was lost.
 */
function otherCauses({ rootCauses }: ConformanceReport, failures: readonly FailureGroup[]): string[] {
  const told = new Set(failures.flatMap(({ test, also }) => [test, ...also]));
  return rootCauses
    .filter(({ test }) => !told.has(test))
    .map((cause) => `${plural(cause.blocks, "result")} by ${cause.test} (${whereOf(cause)}): ${cause.message}`);
}

function remarksOf(report: ConformanceReport): string[] {
  const { leftOut, notes, slowedDown } = report;
  const sdk = sdkOf(report);
  return [
    ...(sdk === undefined ? [] : [`SDK: ${sdk}`]),
    ...leftOut.map(({ interface: on, because }) => `Not tested: ${interfaceText(on)}: ${because}`),
    ...notes,
    ...(slowedDown ? [slowedDownText(slowedDown)] : []),
  ];
}

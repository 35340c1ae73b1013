import { type ExplainedError, type Explanation, errorsCalled, explainedRule } from "@assay/library/explain";
import type { DialectVersion } from "@assay/protocol";
import { didYouMean, newestFirst } from "@assay/protocol/core";
import { adviceRows, type CheckInfo, type CoverageRow, isDraft, type Rule, textWith } from "@assay/suite";
import { bindingName } from "@assay/suite/report";
import type { ExplainFlags } from "../commands/explain.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { listed, plural, sections } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/width.ts";
import { errorRows, errorTableLines, errorTableMarkdown } from "./error-table.ts";
import { errorLines } from "./explain-error.ts";

/** Runs `assay explain`: finds the rule or the error and explains it. */
export async function explain(given: string | undefined, flags: ExplainFlags, screen: Screen): Promise<ExitCode> {
  if (flags.errors) return explainAllErrors(given, flags, screen);
  if (flags.dialect || flags.markdown) throw new UsageError("--dialect and --markdown require --errors");
  if (given === undefined)
    throw new UsageError(
      "No rule or error to explain.",
      "For example: assay explain LIST-003, assay explain -32001, assay explain --errors",
    );
  const advice = Object.entries(adviceRows).find(([id]) => id === given.trim().toUpperCase());
  if (advice) return explainAdvice(advice, flags, screen);
  if (/^\s*GW-/i.test(given)) return explainProperty(given, flags, screen);
  const errors = errorsCalled(given);
  return errors.length ? explainErrors(errors, flags, screen) : explainRule(given, flags, screen);
}

function explainAdvice(
  [id, { breaks, remedy }]: readonly [string, (typeof adviceRows)[keyof typeof adviceRows]],
  { json }: ExplainFlags,
  screen: Screen,
): ExitCode {
  if (json) screen.json({ advice: { id, breaks, remedy } }, 2);
  else {
    screen.line(`${id}: advice of assay test --faults. It is not a rule of A2A and changes no verdict.`);
    screen.line(`given when  ${breaks}`);
    screen.line(`fix         ${remedy}`);
  }
  return exitCodes.fine;
}

async function explainProperty(given: string, { json }: ExplainFlags, screen: Screen): Promise<ExitCode> {
  const { properties } = await import("@assay/gateway");
  const id = given.trim().toUpperCase();
  const property = properties.find((each) => each.id === id);
  if (!property)
    throw new UsageError(
      `Unknown property "${given}".${didYouMean(
        id,
        properties.map((each) => each.id),
      )}`,
      "docs/gateways.md lists the properties that assay gateway examines.",
    );
  const { area, title, breaks, rule, remedy } = property;
  if (json) screen.json({ property: { id, area, title, breaks, ...(rule !== undefined && { rule }), remedy } }, 2);
  else {
    screen.line(`${id}: a property of assay gateway (${area}).`);
    screen.line(`examined    ${title}`);
    screen.line(`otherwise   ${breaks}`);
    if (rule !== undefined) screen.line(`rule        ${rule}, which clients then see broken: assay explain ${rule}`);
    screen.line(`fix         ${remedy}`);
    screen.line(`try         assay gateway --through <url> --only ${id}`);
  }
  return exitCodes.fine;
}

function explainAllErrors(
  given: string | undefined,
  { json, markdown, dialect }: ExplainFlags,
  screen: Screen,
): ExitCode {
  if (given !== undefined)
    throw new UsageError(
      `--errors lists every error, so it cannot be combined with ${given}`,
      `Run assay explain --errors, or assay explain ${given}.`,
    );
  const rows = (dialect ?? newestFirst).flatMap(errorRows);
  if (json) screen.json({ errors: rows }, 2);
  else for (const line of markdown ? errorTableMarkdown(rows) : errorTableLines(rows)) screen.line(line);
  return exitCodes.fine;
}

function explainErrors(errors: readonly ExplainedError[], { json }: ExplainFlags, screen: Screen): ExitCode {
  if (json) screen.json({ errors }, 2);
  else
    for (const [index, error] of errors.entries()) {
      if (index) screen.line("");
      for (const line of errorLines(error, screen.size().columns, screen.colors)) screen.line(line);
    }
  return exitCodes.fine;
}

async function explainRule(given: string, { json }: ExplainFlags, screen: Screen): Promise<ExitCode> {
  const explanation = await explainedRule(given);
  if (json) screen.json(explanation, 2);
  else for (const line of explanationLines(explanation, screen.size().columns, screen.colors)) screen.line(line);
  return exitCodes.fine;
}

/** Explains a rule for people: one paragraph per question, in the order in which people ask them. */
function explanationLines(explanation: Explanation, columns: number, colors: Screen["colors"]): string[] {
  const { rule, check, clientCheck, mutants, versions, calls } = explanation;
  const room = Math.max(40, Math.min(columns, 120) - 10);
  const part = (label: string, ...paragraphs: string[]): string[] =>
    paragraphs
      .flatMap((paragraph) => wrap(paragraph, room))
      .map((line, index) => `${colors.dim((index ? "" : label).padEnd(9))} ${line}`);
  const level = rule.level.replace("_", " ");
  const draft = versions[0] && textWith(rule, versions[0]);
  const spec = draft && isDraft(draft) ? ` --spec ${draft}` : "";
  return [
    `${colors.bold(rule.id)}  ${level}  ${placeIn(rule, versions[0])}`,
    ...part("Rule", rule.text),
    ...part("Applies", `to ${aboutOf(rule)}`),
    ...(versions.length > 1 ? part("Also in", `A2A ${listed(versions.slice(1))}`) : []),
    ...part("Check", ...checkWords(explanation)),
    ...part("Broken by", rule.breaks),
    ...(spec ? part("Severity", "at most a warning, because the rule is part of a draft") : []),
    ...(rule.onlyWarns ? part("Severity", `never a failure, unless the agent crashes. ${rule.onlyWarns}`) : []),
    ...(mutants.length
      ? part(
          "Proof",
          "fails on these agents of assay serve:",
          ...mutants.map(({ id, does }) => `/mutants/${id}: ${does}`),
        )
      : []),
    ...(check || clientCheck ? part("Remedy", (check ?? clientCheck)!.remedy) : []),
    ...(calls ? Object.entries(calls).flatMap(([language, call]) => part(languages[language]!, call)) : []),
    ...(rule.ambiguity?.length
      ? part("Unclear?", `${listed(rule.ambiguity)}: the specification is ambiguous here (docs/spec/ambiguities.md)`)
      : []),
    ...(check ? part("Try", `assay test <url> --only ${rule.id}${spec}`) : []),
    ...(clientCheck ? part("Try", `assay client --only ${rule.id}${spec} -- <command>`) : []),
  ];
}

const languages: Readonly<Record<string, string>> = { python: "Python", js: "JS", go: "Go", java: "Java" };

const bindingOf = { jsonrpc: "JSONRPC", rest: "HTTP+JSON", grpc: "GRPC" } as const;
const actors: Record<Rule["actor"], string> = { server: "agents", client: "clients", card: "agent cards" };
const bases: Record<Rule["basis"], string> = {
  stated: "stated explicitly in the specification",
  schema: "stated in the protocol schema",
  prose: "described in the specification without MUST or SHOULD",
  guide: "described only in a guide, so at most a warning",
  derived: "inferred by Assay, so at most a warning",
};

function aboutOf({ actor, bindings, requires, basis }: Rule): string {
  const over = actor === "card" ? "" : ` over ${listed(bindings.map((each) => bindingName(bindingOf[each])))}`;
  const where = requires.length ? `, if the agent has ${requires.join(", ")}` : "";
  return `${actors[actor]}${over}${where}; ${bases[basis]}`;
}

const kinds: Record<CheckInfo["kind"], string> = {
  card: "reads the card",
  passive: "judges every recorded call",
  active: "sends requests of its own",
};

function checkWords({ rule, check, clientCheck, ends }: Explanation): string[] {
  if (clientCheck) {
    const { title, situations } = clientCheck;
    const where = situations.length
      ? `${situations.length === 1 ? "in the situation" : "in the situations"} ${listed(situations)}`
      : "in any call of the client";
    return [`${title} (${where})`, rule.check.replace(/^client: /, "")];
  }
  if (!check) {
    const none: Record<CoverageRow["ends"], string> = {
      checked: "",
      "no-check-yet": "none yet",
      client: "none yet: the rule is about clients",
      permission: "none: the rule is a permission, which an agent cannot break",
      unobservable: "none: it cannot be observed from outside",
    };
    return [none[ends], rule.check];
  }
  const cost = check.messages ? `; shares ${plural(check.messages, "message")} with other checks` : "";
  const rude = check.rude ? "; only with --rude" : "";
  return [`${check.title} (${kinds[check.kind]}${cost}${rude})`, rule.check];
}

/** Returns a reference such as "§3.1.4 of A2A 1.0". The newer version defines how versions coexist. */
const placeIn = (rule: Rule, dialect: DialectVersion = "1.0"): string => {
  const { section } = rule;
  const version = textWith(rule, dialect);
  const newer = / of 1\.0$/.test(section);
  return `${sections(section.replace(/ of 1\.0$/, ""))} of A2A ${newer ? "1.0" : version}`;
};

import "./style.css";
import { bindingName } from "@assay/suite/report";
import { plural, safeLink } from "@assay/suite/text";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Choice } from "../../app/choice.tsx";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { go, linkTo, type PageRoute } from "../../app/route.ts";
import { loadRules } from "../../app/rules.ts";
import { Search, useFound } from "../../app/search.tsx";
import { Sentence } from "../../app/sentence.tsx";
import { useTitle } from "../../app/title.ts";
import { VirtualList } from "../../app/virtual-list.tsx";
import type { RuleRow } from "../../documents/rules.ts";
import { TestActions } from "../test/actions.tsx";

const endings: Readonly<Record<RuleRow["ends"], string>> = {
  checked: "checked",
  "no-check-yet": "could be checked, but is not yet",
  client: "about clients, not checked yet",
  permission: "a permission",
  unobservable: "cannot be observed from outside",
};

export const Actions = TestActions;

/** Lists all rules with their checks and the mutants that prove the checks, or the reason why there is none. */
export function Page({ route }: { readonly route: PageRoute }) {
  const rules = useLoaded(loadRules, []);
  if (rules.is === "failed") return <Trouble error={rules.error} />;
  if (rules.is === "loading") return <Loading />;
  return <Rules rules={rules.value} route={route} />;
}

function Rules({ rules, route }: { readonly rules: readonly RuleRow[]; readonly route: PageRoute }) {
  useTitle(route.rest[0] ?? "Rules");
  const [words, setWords] = useState(route.query.get("find") ?? "");
  const [ends, setEnds] = useState<RuleRow["ends"] | "all">("all");
  const shown = useFound(rules, textOf, words, (rule) => ends === "all" || rule.ends === ends, [ends]);
  const [id] = route.rest;
  const chosen = rules.find((rule) => rule.id === id) ?? (id === undefined ? shown[0] : undefined);
  return (
    <div class={`rules panes${id === undefined ? "" : " chosen"}`}>
      <section class="list" aria-label="Rules">
        <div class="filters">
          <Search
            label="Find rules by id, section or word"
            placeholder="id, §section or word"
            words={words}
            onWords={setWords}
          />
          <Choice label="State" value={ends} options={{ all: "all rules", ...endings }} onChange={setEnds} />
          <output class="soft numbers">{plural(shown.length, "rule")}</output>
        </div>
        {shown.length === 0 ? (
          <p class="hint">No rule matches all of these words. Try fewer words, or a section such as "§3.1.4".</p>
        ) : (
          <VirtualList
            label="Rules"
            count={shown.length}
            rowHeight={52}
            selected={chosen && shown.includes(chosen) ? shown.indexOf(chosen) : undefined}
            onSelect={(index) => go(linkTo("rules", [shown[index]!.id]))}
            row={(index) => <RuleLine rule={shown[index]!} />}
          />
        )}
      </section>
      <section class="detail" aria-label="The rule">
        {id !== undefined && (
          <a class="button back" href={linkTo("rules")}>
            ← all rules
          </a>
        )}
        {chosen ? <RuleDetail key={chosen.id} rule={chosen} /> : <p class="hint">Unknown rule "{id}".</p>}
      </section>
    </div>
  );
}

const textOf = ({ id, section, text, check, clientCheck, level, mutants, versions }: RuleRow): string =>
  `${id} §${section.split(/,\s*/).join(" §")} ${text} ${check?.title ?? clientCheck?.title ?? ""} ${level} ${mutants.map((each) => each.id).join(" ")} ${versions.join(" ")}`;

const RuleLine = ({ rule }: { readonly rule: RuleRow }) => (
  <div class="rule-line">
    <span class="what">
      <Sentence text={rule.text} most={160} />
    </span>
    <span class="which">
      {rule.id} · {rule.level.replace("_", " ")} · §{rule.section} · {endings[rule.ends]}
    </span>
  </div>
);

const bases: Readonly<Record<RuleRow["basis"], string>> = {
  stated: "stated explicitly in the specification",
  schema: "stated in the protocol schema",
  prose: "described without MUST or SHOULD",
  guide: "described only in a guide, so at most a warning",
  derived: "inferred by Assay, so at most a warning",
};
const actors: Readonly<Record<RuleRow["actor"], string>> = { server: "agents", client: "clients", card: "cards" };
const bindings = { jsonrpc: "JSONRPC", rest: "HTTP+JSON", grpc: "GRPC" } as const;
const languages = { python: "Python", js: "JavaScript", go: "Go", java: "Java" } as const;
const kinds: Readonly<Record<NonNullable<RuleRow["check"]>["kind"], string>> = {
  card: "reads the card",
  passive: "judges every recorded call",
  active: "sends requests of its own",
};

function RuleDetail({ rule }: { readonly rule: RuleRow }) {
  const { id, level, section, specUrl, text, actor, basis, check, clientCheck, breaks, ambiguity, calls } = rule;
  const link = safeLink(specUrl);
  const place = `§${section}`;
  const remedy = check?.remedy ?? clientCheck?.remedy;
  return (
    <article class="finding">
      <h1>{id}</h1>
      <p class="rule-text">
        <Sentence text={text} />
      </p>
      <dl class="proof wide">
        <Row name="level">{level.replace("_", " ")}</Row>
        <Row name="section">
          {link === undefined ? (
            place
          ) : (
            <a href={link} rel="noreferrer" target="_blank">
              {place}
            </a>
          )}{" "}
          of A2A {rule.versions.join(", ")}
        </Row>
        <Row name="applies to">
          {actors[actor]}
          {actor !== "card" && ` over ${rule.bindings.map((each) => bindingName(bindings[each])).join(", ")}`};{" "}
          {bases[basis]}
        </Row>
        <Row name="check">
          <CheckOf rule={rule} />
        </Row>
        <Row name="broken by">
          <Sentence text={breaks} begins />
        </Row>
        {remedy !== undefined && (
          <Row name="remedy">
            <Sentence text={remedy} />
          </Row>
        )}
        {calls &&
          Object.entries(languages).map(([language, name]) => (
            <Row key={language} name={`in ${name}`}>
              <Sentence text={calls[language as keyof typeof calls]} />
            </Row>
          ))}
        {ambiguity && (
          <Row name="unclear?">
            {ambiguity.join(", ")}: the specification is ambiguous here (docs/spec/ambiguities.md)
          </Row>
        )}
      </dl>
      <Proof rule={rule} />
      {check && (
        <p class="hint">
          On the command line: <code>assay explain {id}</code>, <code>assay test &lt;url&gt; --only {id}</code>
        </p>
      )}
    </article>
  );
}

function CheckOf({ rule: { check, clientCheck, ends, because } }: { readonly rule: RuleRow }) {
  if (check)
    return (
      <>
        <Sentence text={check.title} begins /> ({kinds[check.kind]}, from depth {check.depth}
        {check.rude ? ", with --rude" : ""})
      </>
    );
  if (clientCheck)
    return (
      <>
        <Sentence text={clientCheck.title} begins /> (
        {clientCheck.situations.length ? `in ${clientCheck.situations.join(", ")}` : "in any call of the client"})
      </>
    );
  return (
    <>
      None: {endings[ends]}. {because !== undefined && <Sentence text={because} begins />}
    </>
  );
}

const Proof = ({ rule: { mutants, check, clientCheck } }: { readonly rule: RuleRow }) => (
  <>
    <h2>Proof of the check</h2>
    {mutants.length === 0 ? (
      <p class="hint">
        {check || clientCheck
          ? "The tests of this project have a client that breaks this rule."
          : "There is no check to prove."}
      </p>
    ) : (
      <ul class="mutants">
        {mutants.map((mutant) => (
          <li key={mutant.id}>
            <code>/mutants/{mutant.id}</code>
            <span class="soft">
              <Sentence text={mutant.does} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </>
);

const Row = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

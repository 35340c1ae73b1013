import { JsonView } from "../../app/json-view.tsx";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import type { AgentCard, TalkDocument } from "../../documents/talk.ts";
import type { Ask } from "./task-panel.tsx";
import { wireName } from "./words.ts";

/** The maximum number of card entries to list; a card may have thousands. */
const most = 60;

const looks = { error: "verdict fail", warning: "verdict warn", info: "verdict" } as const;
const counted = { error: "error", warning: "warning", info: "note" } as const;

interface AgentPanelProps {
  readonly document: TalkDocument;
  readonly on: number;
  readonly onInterface: (on: number) => void;
  readonly ask: Ask;
}

/** Shows the name, skills and interfaces of the agent, and the problems of its card. */
export function AgentPanel({ document: about, on, onInterface, ask }: AgentPanelProps) {
  const { card, json, cardUrl, interfaces, oddities } = about;
  return (
    <div class="agent-card">
      <h2>
        <Said text={textOf(json["name"])} most={120} />{" "}
        <small>
          <Said text={textOf(json["version"])} most={40} />
        </small>
      </h2>
      <p class="said-text">
        <Said text={textOf(json["description"])} most={600} />
      </p>
      <p class="hint">
        card at{" "}
        <code>
          <Said text={cardUrl} />
        </code>
      </p>
      <Findings document={about} />
      {oddities.map((text) => (
        <p class="hint">
          <Said text={text} />
        </p>
      ))}
      {card && <Abilities card={card} />}
      {card?.capabilities?.extendedAgentCard && (
        <p>
          <button type="button" class="small" onClick={() => ask("GetExtendedAgentCard", {})}>
            Get the extended card
          </button>
        </p>
      )}
      <h3>Interfaces</h3>
      <ul class="interfaces">
        {interfaces.slice(0, most).map((each, index) => (
          <li>
            <label>
              <input
                type="radio"
                name="interface"
                checked={index === on}
                disabled={!each.spoken}
                onChange={() => onInterface(index)}
              />{" "}
              {wireName(each)}
              {!each.spoken && <small> not supported</small>}
            </label>
            <code>
              <Said text={each.url} />
            </code>
            {!each.trusted && <small>another host than you named: your login does not go there</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CardPanelProps {
  readonly document: TalkDocument;
  readonly onExample: (text: string) => void;
}

/** Shows the rest of the card in readable form. */
export function CardPanel({ document: { card, json, dialects }, onExample }: CardPanelProps) {
  return (
    <div class="agent-card">
      {card && <Skills card={card} onExample={onExample} />}
      {card && <Security card={card} />}
      <details>
        <summary>The card as it is written</summary>
        {dialects.map(({ dialect, because }) => (
          <p class="hint">
            {dialect}: <Said text={because} />
          </p>
        ))}
        <JsonView text={JSON.stringify(json)} label="card" />
      </details>
    </div>
  );
}

function Findings({ document: { findings } }: { readonly document: TalkDocument }) {
  if (findings.length === 0)
    return (
      <p>
        <span class="verdict pass">no errors in this card</span>
      </p>
    );
  const count = (level: keyof typeof counted): string | undefined => {
    const all = findings.filter((finding) => finding.level === level).length;
    return all ? `${all} ${counted[level]}${all === 1 ? "" : "s"}` : undefined;
  };
  const isWrong = findings.some(({ level }) => level === "error");
  const grave = isWrong
    ? "verdict fail"
    : findings.some(({ level }) => level === "warning")
      ? "verdict warn"
      : "verdict";
  return (
    <details class="card-findings" open={isWrong}>
      <summary>
        <span class={grave}>card: {[count("error"), count("warning"), count("info")].filter(Boolean).join(", ")}</span>
      </summary>
      <ul class="faults">
        {findings.slice(0, most).map(({ level, path, message, fix, rule }) => (
          <li>
            <span class={looks[level]}>
              <code>
                <Said text={path} />
              </code>
            </span>{" "}
            <Sentence text={message} /> {rule !== undefined && <a href={linkTo("rules", [rule])}>{rule}</a>}
            <small class="fix">
              <Sentence text={fix} begins />
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Abilities({ card }: { readonly card: AgentCard }) {
  const { streaming, pushNotifications, extendedAgentCard, extensions = [] } = card.capabilities ?? {};
  const abilities: readonly (readonly [string, boolean | undefined])[] = [
    ["streaming", streaming],
    ["push notifications", pushNotifications],
    ["extended card", extendedAgentCard],
    ["signed card", (card.signatures?.length ?? 0) > 0],
  ];
  return (
    <ul class="abilities">
      {abilities.map(([name, has]) => (
        <li class={has ? "chip" : "chip none"}>
          <span aria-hidden="true">{has ? "✓ " : "– "}</span>
          {has ? "" : "no "}
          {name}
        </li>
      ))}
      {extensions.slice(0, most).map(({ uri = "", required }) => (
        <li class="chip">
          <Said text={uri} most={100} />
          {required && ", required"}
        </li>
      ))}
    </ul>
  );
}

function Skills({ card, onExample }: { readonly card: AgentCard; readonly onExample: (text: string) => void }) {
  const { skills = [] } = card;
  return (
    <>
      <h3>
        Skills <small>{skills.length}</small>
      </h3>
      <ul class="skills">
        {skills.slice(0, most).map(({ id, name, description, tags = [], examples = [] }) => (
          <li>
            <details>
              <summary>
                <Said text={name || id} most={80} />
              </summary>
              <p>
                <Said text={description ?? ""} most={600} />
              </p>
              {tags.length > 0 && (
                <p class="hint">
                  <Said text={tags.join(", ")} />
                </p>
              )}
              {examples.slice(0, 5).map((example) => (
                <button type="button" class="example" onClick={() => onExample(example)}>
                  <Said text={example} most={120} />
                </button>
              ))}
            </details>
          </li>
        ))}
      </ul>
      {skills.length > most && <p class="hint">and {skills.length - most} more in the card</p>}
    </>
  );
}

function Security({ card }: { readonly card: AgentCard }) {
  const schemes = Object.entries(card.securitySchemes ?? {});
  return (
    <>
      <h3>Security</h3>
      {schemes.length === 0 ? (
        <p class="hint">The card requires no credentials.</p>
      ) : (
        <ul class="schemes">
          {schemes.slice(0, most).map(([name, scheme]) => (
            <li>
              <code>
                <Said text={name} most={80} />
              </code>{" "}
              {(Object.keys(scheme)[0] ?? "unknown").replace("SecurityScheme", "")}
            </li>
          ))}
        </ul>
      )}
      {schemes.length > 0 && !card.securityRequirements?.length && (
        <p class="hint">declared, but not required for every call</p>
      )}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

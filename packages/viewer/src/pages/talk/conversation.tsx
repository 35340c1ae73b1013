import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { follow, post } from "../../app/api.ts";
import { Trouble } from "../../app/notice.tsx";
import { linkTo, type PageRoute, refine } from "../../app/route.ts";
import type { JsonObject, TalkDocument, TalkEvent } from "../../documents/talk.ts";
import { AgentPanel, CardPanel } from "./agent-panel.tsx";
import { type ComposedMessage, Composer } from "./composer.tsx";
import { type Dialogue, heard, silence } from "./dialogue.ts";
import { PushPanel } from "./push-panel.tsx";
import { TaskPanel } from "./task-panel.tsx";
import { TurnView } from "./turn-view.tsx";
import { isWireTab, WirePanel, type WireTab } from "./wire-panel.tsx";
import { isInterrupted } from "./words.ts";

const panes = { agent: "Agent", talk: "Talk", wire: "Wire" } as const;
type Pane = keyof typeof panes;

interface ConversationProps {
  readonly document: TalkDocument;
  readonly route: PageRoute;
}

/**
 * Shows the agent on the left, the conversation in the middle, the traffic on the right; phones show one of them at a
 * time.
 */
export function ConversationView({ document: about, route }: ConversationProps) {
  const { id, interfaces } = about;
  const dialogue = useDialogue(id);
  const [pane, setPane] = useState<Pane>("talk");
  const firstSpoken = interfaces.findIndex(({ spoken }) => spoken);
  const [on, setOn] = useState(Math.max(firstSpoken, 0));
  const [draft, setDraft] = useState("");
  const [chosenTarget, setTarget] = useState<string>();
  const [trouble, setTrouble] = useState<Error>();

  const { query } = route;
  const turn = turnIn(query, dialogue);
  const look = (place: Readonly<Record<string, string>>): void => refine(linkTo("talk", [id], place));

  const ask = (operation: string, request: JsonObject, { push = false, over = on } = {}): void => {
    setTrouble(undefined);
    // The user wants to see the request that was just sent.
    const tab = tabIn(query);
    look(tab === "came" ? {} : { wire: tab });
    post(`/api/talks/${id}/turns`, { operation, request, on: over, push }).catch(setTrouble);
  };
  const send = ({ request, isStream, push, on: over }: ComposedMessage): void => {
    setTarget(undefined);
    ask(isStream ? "SendStreamingMessage" : "SendMessage", request, { push, over });
  };
  const showWire = (number: number, at?: number): void => {
    look({ turn: `${number}`, ...(at !== undefined && { event: `${at}` }) });
    setPane("wire");
  };

  return (
    <div class="talk" data-pane={pane}>
      <PaneSwitch pane={pane} onPane={setPane} />
      <AgentSide
        document={about}
        dialogue={dialogue}
        on={on}
        onInterface={setOn}
        ask={ask}
        onContinue={(task) => {
          setTarget(`task:${task}`);
          setPane("talk");
        }}
        onExample={(text) => {
          setDraft(text);
          setPane("talk");
        }}
      />
      <section class="talk-middle" aria-label="Conversation">
        <Turns dialogue={dialogue}>
          {dialogue.turns.map((each) => (
            <TurnView
              key={each.turn}
              turn={each}
              document={about}
              isChosen={each === turn && query.has("turn")}
              onWire={showWire}
              onDisconnect={(number) => void post(`/api/talks/${id}/turns/${number}/disconnect`).catch(setTrouble)}
              ask={ask}
            />
          ))}
        </Turns>
        {trouble && <Trouble error={trouble} />}
        <Composer
          document={about}
          tasks={dialogue.tasks}
          on={on}
          onInterface={setOn}
          target={chosenTarget ?? expectedTarget(dialogue)}
          onTarget={setTarget}
          draft={draft}
          onDraft={setDraft}
          onSend={send}
        />
      </section>
      <WireSide document={about} turn={turn} query={query} look={look} />
    </div>
  );
}

/** Chooses the part that a phone shows. */
const PaneSwitch = ({ pane, onPane }: { readonly pane: Pane; readonly onPane: (pane: Pane) => void }) => (
  <nav class="talk-panes" aria-label="Parts of this page">
    {(Object.keys(panes) as Pane[]).map((each) => (
      <button type="button" class="talk-pane" aria-pressed={each === pane} onClick={() => onPane(each)}>
        {panes[each]}
      </button>
    ))}
  </nav>
);

interface AgentSideProps {
  readonly document: TalkDocument;
  readonly dialogue: Dialogue;
  readonly on: number;
  readonly onInterface: (on: number) => void;
  readonly ask: (operation: string, request: JsonObject) => void;
  readonly onContinue: (task: string) => void;
  readonly onExample: (text: string) => void;
}

/** Shows the agent: its card, its tasks and its notifications. */
const AgentSide = ({ document: about, dialogue, on, onInterface, ask, onContinue, onExample }: AgentSideProps) => (
  <aside class="talk-agent" aria-label="The agent">
    <AgentPanel document={about} on={on} onInterface={onInterface} ask={ask} />
    <TaskPanel dialogue={dialogue} document={about} ask={ask} onContinue={({ id }) => onContinue(id)} />
    <PushPanel dialogue={dialogue} />
    <CardPanel document={about} onExample={onExample} />
  </aside>
);

interface WireSideProps {
  readonly document: TalkDocument;
  readonly turn: Dialogue["turns"][number] | undefined;
  readonly query: URLSearchParams;
  readonly look: (place: Readonly<Record<string, string>>) => void;
}

/** Shows the traffic of one turn. The URL selects the turn and the part of it. */
function WireSide({ document: about, turn, query, look }: WireSideProps) {
  const numberIn = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
  return (
    <aside class="talk-wire" aria-label="The wire">
      <WirePanel
        talk={about}
        turn={turn}
        tab={tabIn(query)}
        event={numberIn("event")}
        pair={{ one: numberIn("one"), other: numberIn("other") }}
        onTab={(next) => look({ ...(turn && { turn: `${turn.turn}` }), wire: next })}
        onPair={({ one, other }) => look({ turn: `${turn!.turn}`, wire: "wires", one: `${one}`, other: `${other}` })}
        onEvent={(next) => look({ turn: `${turn!.turn}`, event: `${next}` })}
      />
    </aside>
  );
}

/** Returns the turn that the URL names, or the last one. */
const turnIn = (query: URLSearchParams, { turns }: Dialogue): Dialogue["turns"][number] | undefined =>
  query.has("turn") ? turns.find(({ turn }) => `${turn}` === query.get("turn")) : turns.at(-1);

function tabIn(query: URLSearchParams): WireTab {
  const asked = query.get("wire");
  return isWireTab(asked) ? asked : "came";
}

/** Follows the events of a conversation and builds its state. */
function useDialogue(id: string): Dialogue {
  const [dialogue, setDialogue] = useState(silence);
  useEffect(() => {
    setDialogue(silence);
    return follow<TalkEvent>(
      `/api/talks/${id}/events`,
      (events) => setDialogue((before) => heard(before, events)),
      () => {},
    );
  }, [id]);
  return dialogue;
}

/** Returns the most likely task for the next message: a task in which the agent asked a question waits for input. */
function expectedTarget({ tasks: [latest] }: Dialogue): string {
  const state = latest?.states.at(-1);
  return latest && state !== undefined && isInterrupted(state) ? `task:${latest.id}` : "new";
}

/** Shows the turns. It scrolls to new ones, unless the reader has scrolled away from the end. */
function Turns({ dialogue, children }: { readonly dialogue: Dialogue; readonly children: ComponentChildren }) {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const size = useMemo(
    () =>
      dialogue.turns.reduce(
        (sum, { arrivals, over, judged }) => sum + arrivals.length + (over ? 1 : 0) + (judged ? 1 : 0),
        0,
      ),
    [dialogue],
  );
  useLayoutEffect(() => {
    const element = list.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [size, dialogue.turns.length]);
  if (dialogue.turns.length === 0)
    return (
      <div class="turns hello">
        <p class="hint">No messages yet. Write one below, or choose an example of a skill.</p>
      </div>
    );
  return (
    <ol
      class="turns"
      ref={list}
      aria-label="Conversation"
      onScroll={({ currentTarget }) => {
        const { scrollHeight, scrollTop, clientHeight } = currentTarget;
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {children}
    </ol>
  );
}

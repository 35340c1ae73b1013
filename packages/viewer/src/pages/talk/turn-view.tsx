import { durationText } from "@assay/suite/text";
import { useMemo } from "preact/hooks";
import { JsonView } from "../../app/json-view.tsx";
import { Said as SaidText } from "../../app/sentence.tsx";
import type { Message, Part, TalkDocument, Task } from "../../documents/talk.ts";
import { isOpen, isStreamed, type Said, saidIn, type TalkTurn, taskOf } from "./dialogue.ts";
import { Parts } from "./parts.tsx";
import type { Ask } from "./task-panel.tsx";
import { TurnFaults, TurnVerdict } from "./turn-verdict.tsx";
import { isTerminal, shortId, stateWord, wireName } from "./words.ts";

/** The maximum number of items of a long response to draw; the traffic panel shows more. */
const most = 300;

export interface TurnViewProps {
  readonly turn: TalkTurn;
  readonly document: TalkDocument;
  readonly isChosen: boolean;
  readonly onWire: (turn: number, event?: number) => void;
  readonly onDisconnect: (turn: number) => void;
  readonly ask: Ask;
}

/** Shows a request and its response. */
export function TurnView({ turn, document: about, isChosen, onWire, onDisconnect, ask }: TurnViewProps) {
  const { turn: number, method, on, over } = turn;
  const said = useMemo(() => saidIn(turn), [turn]);
  const taskId = taskOf(turn);
  const isEnded = said.some((each) => each.is === "state" && isTerminal(each.state));
  return (
    <li class={isChosen ? "turn chosen" : "turn"} id={`turn-${number}`}>
      <div class="mine">
        <Asked turn={turn} />
        <p class="hint">
          {method} over {about.interfaces[on] ? wireName(about.interfaces[on]) : "?"}
        </p>
      </div>
      <div class="theirs">
        {said.slice(0, most).map((each) => (
          <SaidView said={each} />
        ))}
        {said.length > most && <p class="hint">and {said.length - most} more on the wire</p>}
        {over?.trouble && <TroubleView trouble={over.trouble} />}
        {isOpen(turn) && (
          <p class="live" role="status">
            {isStreamed(turn) ? `stream open, ${turn.arrivals.length} events` : "waiting for the response"}
          </p>
        )}
      </div>
      <footer class="turn-foot">
        <TurnVerdict turn={turn} />
        {over && <small class="numbers">{endingWords(turn)}</small>}
        <span class="turn-buttons">
          {isOpen(turn) && (
            <button type="button" class="small" onClick={() => onDisconnect(number)}>
              Disconnect
            </button>
          )}
          {over?.ending === "left" && taskId !== undefined && !isEnded && (
            <button type="button" class="small primary" onClick={() => ask("SubscribeToTask", { id: taskId })}>
              Subscribe again
            </button>
          )}
          <button type="button" class="small" onClick={() => onWire(number)}>
            Wire
          </button>
        </span>
      </footer>
      <TurnFaults turn={turn} onPlace={(event) => onWire(number, event)} />
    </li>
  );
}

/** Shows the user's side of a turn: the message or the requested operation. */
function Asked({ turn }: { readonly turn: TalkTurn }) {
  const { operation, request } = turn;
  const { message } = request;
  if (typeof message === "object" && message !== null && "parts" in message)
    return <Parts parts={message["parts"] as unknown as Part[]} />;
  const about = request["id"] ?? request["taskId"];
  return (
    <p class="said-text">
      {operation}{" "}
      {typeof about === "string" && (
        <code title={about}>
          <SaidText text={shortId(about)} />
        </code>
      )}
    </p>
  );
}

function SaidView({ said }: { readonly said: Said }) {
  switch (said.is) {
    case "message":
      return <MessageView message={said.message} />;
    case "state":
      return (
        <div class="told-state">
          <span class="chip">{stateWord(said.state)}</span> <small class="numbers">{durationText(said.ms)}</small>
          {said.message && <MessageView message={said.message} />}
        </div>
      );
    case "artifact":
      return (
        <section class="artifact">
          <p class="hint">
            artifact <SaidText text={said.name ?? said.id} most={80} />
            {said.chunks > 1 && `, ${said.chunks} chunks`}
            {!said.isWhole && said.chunks > 1 && ", going on"}
          </p>
          <Parts parts={said.parts} />
        </section>
      );
    case "tasks":
      return <TaskList tasks={said.tasks} more={said.more} />;
    case "other":
      return <JsonView text={JSON.stringify(said.json)} label="answer" />;
    case "unreadable":
      return (
        <JsonView
          text={JSON.stringify(said.arrival.json)}
          label="response that breaks the schema"
          {...(said.arrival.violations[0] && { path: said.arrival.violations[0].path })}
        />
      );
  }
}

const MessageView = ({ message }: { readonly message: Message }) => <Parts parts={message.parts ?? []} />;

const TaskList = ({ tasks, more }: { readonly tasks: readonly Task[]; readonly more: boolean }) => (
  <>
    <p>
      {tasks.length === 1 ? "1 task" : `${tasks.length} tasks`}
      {more && ", and more on the next page"}
    </p>
    <ul class="listed-tasks">
      {tasks.slice(0, 20).map(({ id, status }) => (
        <li>
          <code title={id}>
            <SaidText text={shortId(id)} />
          </code>{" "}
          <span class="chip">{stateWord(status?.state ?? "unknown")}</span>
        </li>
      ))}
    </ul>
  </>
);

function TroubleView({ trouble }: { readonly trouble: NonNullable<NonNullable<TalkTurn["over"]>["trouble"]> }) {
  const { kind, message, hint, error } = trouble;
  const number = error?.code ?? error?.grpc?.status ?? (error ? `HTTP ${error.http}` : undefined);
  return (
    <div class="turn-trouble">
      <p>
        {number !== undefined && <strong>{number} </strong>}
        {error?.reason !== undefined && (
          <code>
            <SaidText text={error.reason} most={80} />
          </code>
        )}{" "}
        <SaidText text={message} most={600} />
      </p>
      {kind === "login" || kind === "payment" ? (
        <p class="hint">Choose a login next to the address, and press Talk again.</p>
      ) : (
        hint !== undefined && (
          <p class="hint">
            <SaidText text={hint} />
          </p>
        )
      )}
    </div>
  );
}

function endingWords(turn: TalkTurn): string {
  const { over, arrivals } = turn;
  const events = isStreamed(turn) ? `, ${arrivals.length} ${arrivals.length === 1 ? "event" : "events"}` : "";
  const after = durationText(over!.ms);
  switch (over!.ending) {
    case "answered":
      return after;
    case "closed":
      return `closed by the agent after ${after}${events}`;
    case "left":
      return `disconnected by Assay after ${after}${events}`;
    case "broken":
      return `aborted after ${after}${events}`;
  }
}

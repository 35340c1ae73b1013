import { Said } from "../../app/sentence.tsx";
import type { JsonObject, TalkDocument, TaskState } from "../../documents/talk.ts";
import type { Dialogue, KnownTask } from "./dialogue.ts";
import { isTerminal, shortId, stateWord } from "./words.ts";

/** Shows the states of a task in order. */
const StateLine = ({ states }: { readonly states: readonly TaskState[] }) => (
  <ol class="state-line" aria-label="states of the task">
    {states.map((state, index) => (
      <li class={index === states.length - 1 ? "state-now" : ""} data-ended={isTerminal(state)}>
        {stateWord(state)}
      </li>
    ))}
  </ol>
);

export type Ask = (operation: string, request: JsonObject, more?: { readonly push?: boolean }) => void;

interface TaskPanelProps {
  readonly dialogue: Dialogue;
  readonly document: TalkDocument;
  readonly ask: Ask;
  readonly onContinue: (task: KnownTask) => void;
}

/** Lists the known tasks and the operations that each one allows. */
export function TaskPanel({ dialogue, document: about, ask, onContinue }: TaskPanelProps) {
  return (
    <section class="tasks" aria-label="Tasks">
      <h3>
        Tasks <small>{dialogue.tasks.length || ""}</small>
        <button type="button" class="small" onClick={() => ask("ListTasks", { pageSize: 20 })}>
          List
        </button>
      </h3>
      {dialogue.tasks.length === 0 && (
        <p class="hint">None yet. A message may start one. List shows the tasks that the agent has.</p>
      )}
      <ul>
        {dialogue.tasks.slice(0, 50).map((task) => (
          <TaskRow task={task} about={about} ask={ask} onContinue={onContinue} />
        ))}
      </ul>
    </section>
  );
}

interface TaskRowProps {
  readonly task: KnownTask;
  readonly about: TalkDocument;
  readonly ask: Ask;
  readonly onContinue: (task: KnownTask) => void;
}

function TaskRow({ task, about, ask, onContinue }: TaskRowProps) {
  const { id, states, openTurns } = task;
  const last = states.at(-1);
  const isOver = last !== undefined && isTerminal(last);
  return (
    <li class="task">
      <p>
        <code title={id}>
          <Said text={shortId(id)} />
        </code>
        {openTurns.length > 0 && <span class="live">stream open</span>}
      </p>
      <StateLine states={states} />
      <p class="task-buttons">
        <button type="button" class="small" onClick={() => ask("GetTask", { id })}>
          Get
        </button>
        {!isOver && (
          <>
            <button type="button" class="small" onClick={() => ask("CancelTask", { id })}>
              Cancel
            </button>
            <button type="button" class="small" onClick={() => ask("SubscribeToTask", { id })}>
              Subscribe
            </button>
            {about.card?.capabilities?.pushNotifications && (
              <button
                type="button"
                class="small"
                onClick={() => ask("CreateTaskPushNotificationConfig", { taskId: id }, { push: true })}
              >
                Push
              </button>
            )}
            <button type="button" class="small" onClick={() => onContinue(task)}>
              Answer
            </button>
          </>
        )}
      </p>
    </li>
  );
}

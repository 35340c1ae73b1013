import type { TaskState } from "../../documents/talk.ts";
import { isTerminal, stateWord } from "./words.ts";

/** Shows the states of a task in order. */
export const StateLine = ({ states }: { readonly states: readonly TaskState[] }) => (
  <ol class="state-line" aria-label="states of the task">
    {states.map((state, index) => (
      <li class={index === states.length - 1 ? "state-now" : ""} data-ended={isTerminal(state)}>
        {stateWord(state)}
      </li>
    ))}
  </ol>
);

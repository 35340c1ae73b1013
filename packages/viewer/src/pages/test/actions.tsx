import { type Depth, depths } from "@assay/suite/report";
import { useState } from "preact/hooks";
import { agent } from "../../app/agent.ts";
import { Trouble } from "../../app/notice.tsx";
import { useStore } from "../../app/store.ts";
import { depth, startTest } from "./start-test.ts";

/** What each depth may cost; a message is what the agent works on, and may be a model call that costs money. */
const prices: Readonly<Record<Depth, string>> = {
  card: "the card alone, no message",
  free: "no message",
  quick: "at most 8 messages",
  full: "at most 40 messages per interface",
};

/** How much to ask, what that costs, and the button. */
export function TestActions() {
  const { url } = useStore(agent);
  const chosen = useStore(depth);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const start = (): void => {
    setStarting(true);
    setError(undefined);
    startTest().then(
      () => setStarting(false),
      (refused: Error) => {
        setStarting(false);
        setError(refused);
      },
    );
  };
  return (
    <>
      <label class="away" for="depth">
        Depth
      </label>
      <select
        id="depth"
        value={chosen}
        title="A message is what the agent works on: it may be a model call, and cost money."
        onChange={({ currentTarget }) => depth.set(currentTarget.value as Depth)}
      >
        {depths.map((each) => (
          <option value={each} key={each}>
            {each}: {prices[each]}
          </option>
        ))}
      </select>
      <button type="submit" class="primary" disabled={isStarting || url.trim() === ""} onClick={start}>
        {isStarting ? "Starting …" : "Test"}
      </button>
      {error && <Trouble error={error} />}
    </>
  );
}

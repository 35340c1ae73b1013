import { type Depth, depthCosts, depths } from "@assay/suite/report";
import { useState } from "preact/hooks";
import { agent } from "../../app/agent.ts";
import { Trouble } from "../../app/notice.tsx";
import { useStore } from "../../app/store.ts";
import { depth, faults, startTest } from "./start-test.ts";

/** Shows the depth of the test, its cost, and the button that starts it. */
export function TestActions() {
  const { url } = useStore(agent);
  const chosen = useStore(depth);
  const hasFaults = useStore(faults);
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
        title="The agent works on each message. It may be a model call that costs money."
        onChange={({ currentTarget }) => depth.set(currentTarget.value as Depth)}
      >
        {depths.map((each) => (
          <option value={each} key={each}>
            {each}: {depthCosts[each]}
          </option>
        ))}
      </select>
      <label class="check" title="Disconnects clients, lets webhooks fail and repeats messages. The result is advice.">
        <input
          type="checkbox"
          checked={hasFaults}
          onChange={({ currentTarget }) => faults.set(currentTarget.checked)}
        />
        faults: up to 14 more messages
      </label>
      <button type="submit" class="primary" disabled={isStarting || url.trim() === ""} onClick={start}>
        {isStarting ? "Starting …" : "Test"}
      </button>
      {error && <Trouble error={error} />}
    </>
  );
}

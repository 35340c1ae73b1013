import { useMemo, useState } from "preact/hooks";
import { meet } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { Trouble } from "../../app/notice.tsx";
import type { TestbedDocument } from "../../documents/testbed.ts";
import { startTest } from "./start-test.ts";

/** Faulty agents with instructive failures. */
const telling = ["STREAM-003.status-first", "ERR-020.internal", "LIST-003.no-token"];

/** Lists the built-in agents: the good ones, and the mutants, each with one fault on purpose. */
export function TestbedPicker() {
  const [testbed, setTestbed] = useState<TestbedDocument>();
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const [words, setWords] = useState("");
  const begin = (): void => {
    setStarting(true);
    post<TestbedDocument>("/api/testbed").then(
      (started) => {
        setTestbed(started);
        setStarting(false);
      },
      (refused: Error) => {
        setError(refused);
        setStarting(false);
      },
    );
  };
  const found = useMemo(() => mutantsFor(testbed, words), [testbed, words]);
  const test = (path: string): void => {
    meet(`${testbed!.url}/${path}`);
    startTest().catch(setError);
  };
  return (
    <section aria-labelledby="no-agent">
      <h2 id="no-agent">No agent at hand?</h2>
      {!testbed ? (
        <p>
          <button type="button" onClick={begin} disabled={isStarting}>
            {isStarting ? "Starting …" : "Start the built-in test bed"}
          </button>{" "}
          <span class="soft">Serves A2A agents of known behaviour on a free port of this machine.</span>
        </p>
      ) : (
        <>
          <p class="soft">
            The test bed runs on <code>{testbed.url}</code>. Click an agent to test it:
          </p>
          <ul class="agents">
            {testbed.agents.map(({ path, description }) => (
              <li key={path}>
                <button type="button" onClick={() => test(path)}>
                  /{path}
                </button>{" "}
                <span class="soft">{description}</span>
              </li>
            ))}
          </ul>
          <h3>… or one with a deliberate fault</h3>
          <p>
            <input
              type="search"
              aria-label="Find a faulty agent"
              placeholder={`one of ${testbed.mutants.length}: a rule, or a word`}
              value={words}
              onInput={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </p>
          <ul class="agents">
            {found.map(({ id, does }) => (
              <li key={id}>
                <button type="button" onClick={() => test(`mutants/${id}`)}>
                  {id}
                </button>{" "}
                <span class="soft">{does}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && <Trouble error={error} />}
    </section>
  );
}

function mutantsFor(testbed: TestbedDocument | undefined, words: string): TestbedDocument["mutants"] {
  const all = testbed?.mutants ?? [];
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) {
    const some = all.filter(({ id }) => telling.includes(id));
    return some.length ? some : all.slice(0, 3);
  }
  return all
    .filter(({ id, does }) => wanted.every((word) => `${id} ${does}`.toLowerCase().includes(word)))
    .slice(0, 12);
}

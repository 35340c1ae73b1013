import { useState } from "preact/hooks";
import { agent } from "../../app/agent.ts";
import { get, post } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Empty, Trouble } from "../../app/notice.tsx";
import { go, linkTo } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { Store, useStore } from "../../app/store.ts";
import type { WatchDocument } from "../../documents/watch.ts";

/** The error of the last attempt to start a watch. */
const refusal = new Store<Error | undefined>(undefined);

/** The faults that the next proxy injects, as the user typed them. */
const faults = new Store("");

const faultsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

async function begin(wish: object): Promise<void> {
  refusal.set(undefined);
  try {
    const { id } = await post<WatchDocument>("/api/watches", wish);
    go(linkTo("watch", [id]));
  } catch (error) {
    refusal.set(error as Error);
    go(linkTo("watch"));
  }
}

export function WatchButton() {
  const access = useStore(agent);
  const [isBusy, setBusy] = useState(false);
  return (
    <button
      type="submit"
      class="primary"
      disabled={isBusy || access.url.trim() === ""}
      title="Opens a proxy in front of this agent"
      onClick={() => {
        setBusy(true);
        void begin({ kind: "proxy", ...access, faults: faultsIn(faults.value) }).finally(() => setBusy(false));
      }}
    >
      Watch
    </button>
  );
}

/** Shows the choices before a watch starts. */
export function WatchStart() {
  const trouble = useStore(refusal);
  const typed = useStore(faults);
  const [isBusy, setBusy] = useState(false);
  const running = useLoaded(() => get<readonly WatchDocument[]>("/api/watches"), []);
  return (
    <>
      {trouble && <Trouble error={trouble} />}
      <Empty title="Watch what a client says">
        <p>
          <strong>To your agent:</strong> enter its address above and press <strong>Watch</strong>. Assay starts a proxy
          on this machine. Point your client at the proxy instead of the agent. The proxy forwards everything, and Assay
          checks both sides against the rules.
        </p>
        <p>
          <label>
            Faults to inject, if any:{" "}
            <input
              type="text"
              class="mono watch-faults"
              placeholder="cut=3@SendStreamingMessage:1x latency=300ms"
              spellcheck={false}
              autocapitalize="off"
              value={typed}
              onInput={({ currentTarget }) => faults.set(currentTarget.value)}
            />
          </label>{" "}
          <small class="soft">
            <code>assay proxy --fault list</code> explains each. Calls that a fault hits are not judged.
          </small>
        </p>
        <p>
          <strong>To an agent of known behaviour:</strong> start a test bed and point your client at it.
        </p>
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              void begin({ kind: "testbed" }).finally(() => setBusy(false));
            }}
          >
            Start a test bed to watch
          </button>
        </p>
        {running.is === "there" && running.value.length > 0 && (
          <>
            <h3>Open now</h3>
            <ul>
              {running.value.map(({ id, url, kind, agent: behind }) => (
                <li>
                  <a href={linkTo("watch", [id])}>
                    <Said text={url} />
                  </a>{" "}
                  <small>{kind === "proxy" ? <Said text={`in front of ${behind}`} /> : "the test bed"}</small>
                </li>
              ))}
            </ul>
          </>
        )}
      </Empty>
    </>
  );
}

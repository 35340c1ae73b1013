import { useState } from "preact/hooks";
import { agent } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { Trouble } from "../../app/notice.tsx";
import { go, linkTo } from "../../app/route.ts";
import { useStore } from "../../app/store.ts";

/** Shows the form that starts a test of the gateway at the address of the agent. */
export function GatewayForm() {
  const access = useStore(agent);
  const [direct, setDirect] = useState("");
  const [port, setPort] = useState(4060);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const isOwn = direct.trim() === "";
  const start = (): void => {
    setStarting(true);
    setError(undefined);
    post<{ run: string }>("/api/gateway-runs", { ...access, ...(isOwn ? { upstreamPort: port } : { direct }) })
      .then(({ run }) => go(linkTo("runs", [run])), setError)
      .finally(() => setStarting(false));
  };
  return (
    <section aria-labelledby="gateway">
      <h2 id="gateway">Is it your agent, or your gateway?</h2>
      <p>
        Enter the address of the agent at the gateway above, and its address without the gateway here. Assay sends at
        most 8 messages and compares. Without the second address, Assay starts an agent of its own: point the gateway at
        its port.
      </p>
      <p class="gateway-fields">
        <label>
          Address without the gateway{" "}
          <input
            type="text"
            inputMode="url"
            class="mono"
            placeholder="an agent of Assay"
            spellcheck={false}
            autocapitalize="off"
            value={direct}
            onInput={({ currentTarget }) => setDirect(currentTarget.value)}
          />
        </label>
        {isOwn && (
          <label>
            Port of that agent{" "}
            <input
              type="number"
              min={1}
              max={65_535}
              value={port}
              onInput={({ currentTarget }) => setPort(currentTarget.valueAsNumber)}
            />
          </label>
        )}
        <button type="button" disabled={isStarting || access.url.trim() === ""} onClick={start}>
          {isStarting ? "Starting …" : "Test the gateway"}
        </button>
      </p>
      {error && <Trouble error={error} />}
    </section>
  );
}

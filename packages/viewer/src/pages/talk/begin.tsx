import { useState } from "preact/hooks";
import { agent, meet } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { Empty, Trouble } from "../../app/notice.tsx";
import { go, linkTo } from "../../app/route.ts";
import { Store, useStore } from "../../app/store.ts";
import type { TalkDocument } from "../../documents/talk.ts";

/** The error of the last attempt to start a conversation. */
const refusal = new Store<Error | undefined>(undefined);

/** Finds the card of the agent in the address bar and opens a conversation with it. */
async function begin(): Promise<void> {
  refusal.set(undefined);
  try {
    const { id } = await post<TalkDocument>("/api/talks", agent.value);
    go(linkTo("talk", [id]));
  } catch (error) {
    refusal.set(error as Error);
    go(linkTo("talk"));
  }
}

async function beginWithTestbed(): Promise<void> {
  try {
    const { url } = await post<{ readonly url: string }>("/api/testbed");
    meet(`${url}/spec`);
    await begin();
  } catch (error) {
    refusal.set(error as Error);
  }
}

export function TalkButton() {
  const { url } = useStore(agent);
  const [isBusy, setBusy] = useState(false);
  return (
    <button
      type="submit"
      class="primary"
      disabled={isBusy || url.trim() === ""}
      onClick={() => {
        setBusy(true);
        void begin().finally(() => setBusy(false));
      }}
    >
      {isBusy ? "Looking …" : "Talk"}
    </button>
  );
}

/** Shows the page before a conversation starts. */
export function TalkStart() {
  const trouble = useStore(refusal);
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      {trouble && <Trouble error={trouble} />}
      <Empty title="Talk to an agent by hand">
        <p>
          Enter its address above and press <strong>Talk</strong>. You can read its card, send text, data and files,
          watch streams live, disconnect and resume them, and receive push notifications. Assay checks every response
          against the rules and shows every message in each binding.
        </p>
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              void beginWithTestbed().finally(() => setBusy(false));
            }}
          >
            Use an agent of the built-in test bed
          </button>
        </p>
      </Empty>
    </>
  );
}

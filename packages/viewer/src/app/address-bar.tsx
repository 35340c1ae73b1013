import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { agent, meet } from "./agent.ts";
import { LoginForm, loginWord } from "./login-form.tsx";
import { useStore } from "./store.ts";

/** The address of the agent, always visible and editable, with its login and the actions of the page. */
export function AddressBar({ children }: { readonly children?: ComponentChildren }) {
  const access = useStore(agent);
  const [isOpen, setOpen] = useState(false);
  return (
    <header class="address">
      <form autocomplete="off" onSubmit={(event) => event.preventDefault()}>
        <div class="address-line">
          <label class="away" for="agent-url">
            Address of the agent
          </label>
          <input
            id="agent-url"
            type="text"
            inputMode="url"
            class="mono"
            placeholder="http://127.0.0.1:9999 · the agent's address, its card, or its host"
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            value={access.url}
            onInput={({ currentTarget }) => meet(currentTarget.value)}
          />
          <button type="button" aria-expanded={isOpen} aria-controls="login" onClick={() => setOpen(!isOpen)}>
            {loginWord(access)}
          </button>
          {children}
        </div>
        {isOpen && <LoginForm access={access} onChange={(next) => agent.set(next)} />}
      </form>
    </header>
  );
}

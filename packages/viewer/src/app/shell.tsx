import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { agent, meet } from "./agent.ts";
import { isStatic } from "./embedded.ts";
import { LoginForm, loginWord } from "./login-form.tsx";
import { Trouble } from "./notice.tsx";
import { pages } from "./pages.ts";
import { linkTo, useRoute } from "./route.ts";
import { useStore } from "./store.ts";

/** The address of the agent, its login and the actions, for pages that contact an agent. */
function AddressBar({ children }: { readonly children: ComponentChildren }) {
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
            placeholder="the agent's address, e.g. http://127.0.0.1:9999"
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

/** The entries of the rail; a static page may have only one. */
const rail = pages.filter(({ title }) => title !== undefined);

/** Shows the frame of all pages: the rail, the address of the agent, and the page itself. */
export function Shell() {
  const asked = useRoute();
  const route = asked.page === "" ? { ...asked, page: pages[0]!.id } : asked;
  const entry = pages.find(({ id }) => id === route.page);
  const wanted = route.query.get("agent");
  useEffect(() => {
    if (wanted !== null && agent.value.url === "") meet(wanted);
  }, [wanted]);
  const { Page, Actions } = entry?.view ?? {};
  return (
    <div class="shell">
      <a class="skip" href={location.hash} onClick={skipToPage}>
        Skip to the page
      </a>
      {rail.length > 1 && (
        <nav class="rail" aria-label="Pages">
          {rail.map(({ id, title }) => (
            <a href={linkTo(id)} {...((entry?.under ?? entry?.id) === id && { "aria-current": "page" as const })}>
              {title}
            </a>
          ))}
        </nav>
      )}
      {!isStatic && Actions && (
        <AddressBar>
          <Actions route={route} />
        </AddressBar>
      )}
      <main id="main" tabIndex={-1}>
        {Page ? (
          <Page key={route.page} route={route} />
        ) : (
          <Trouble error={new Error(`Page "${route.page}" does not exist. Choose one on the left.`)} />
        )}
      </main>
    </div>
  );
}

/** Focuses the page by script, because the URL fragment already holds the route. */
function skipToPage(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

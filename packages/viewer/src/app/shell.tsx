import { useEffect } from "preact/hooks";
import { AddressBar } from "./address-bar.tsx";
import { agent, meet } from "./agent.ts";
import { isStatic } from "./embedded.ts";
import { Trouble } from "./notice.tsx";
import { pages } from "./pages.ts";
import { linkTo, useRoute } from "./route.ts";

/** A page in a file may be the only one. */
const rail = pages.filter(({ title }) => title !== undefined);

/** The frame of all pages: the rail, the address of the agent, and the page itself. */
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
      {!isStatic && <AddressBar>{Actions && <Actions route={route} />}</AddressBar>}
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

/** The address is where the reader is, so it cannot name a place within the page. */
function skipToPage(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

import { useEffect, useState } from "preact/hooks";
import { AddressBar } from "./address-bar.tsx";
import { agent, meet } from "./agent.ts";
import { isStatic } from "./embedded.ts";
import { Loading, Trouble } from "./notice.tsx";
import { firstPage, type PageEntry, type PageModule, pages } from "./pages.ts";
import { linkTo, useRoute } from "./route.ts";

/** The frame of all pages: the rail, the address of the agent, and the page itself. */
export function Shell() {
  const asked = useRoute();
  const route = asked.page === "" ? { ...asked, page: firstPage } : asked;
  const entry = pages.find(({ id }) => id === route.page);
  const [shown, setShown] = useState<{ readonly entry: PageEntry; readonly module: PageModule | Error }>();
  const wanted = route.query.get("agent");
  useEffect(() => {
    if (wanted !== null && agent.value.url === "") meet(wanted);
  }, [wanted]);
  useEffect(() => {
    if (!entry) return;
    let isWanted = true;
    const show = (module: PageModule | Error): void => {
      if (isWanted) setShown({ entry, module });
    };
    entry.load().then(show, show);
    return () => {
      isWanted = false;
    };
  }, [entry]);
  const module = shown?.entry === entry ? shown?.module : undefined;
  const isThere = module !== undefined && !(module instanceof Error);
  const Actions = isThere ? module.Actions : undefined;
  return (
    <div class="shell">
      <a class="skip" href={location.hash} onClick={skipToPage}>
        Skip to the page
      </a>
      <nav class="rail" aria-label="Pages">
        {pages
          .filter(({ title }) => title !== undefined)
          .map(({ id, title }) => (
            <a href={linkTo(id)} {...((entry?.under ?? entry?.id) === id && { "aria-current": "page" as const })}>
              {title}
            </a>
          ))}
      </nav>
      {!isStatic && <AddressBar>{Actions && <Actions route={route} />}</AddressBar>}
      <main id="main" tabIndex={-1}>
        {!entry ? (
          <Trouble error={new Error(`There is no page "${route.page}". The rail shows those that there are.`)} />
        ) : module instanceof Error ? (
          <Trouble
            error={new Error("This part of the page could not be loaded. Reload it; is assay ui still running?")}
          />
        ) : module ? (
          <module.Page route={route} />
        ) : (
          <Loading />
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

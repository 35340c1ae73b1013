import "../run/style.css";
import "../../app/signs.css";
import "./watch.css";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import type { PageRoute } from "../../app/route.ts";
import type { WatchDocument } from "../../documents/watch.ts";
import { WatchButton, WatchStart } from "./begin.tsx";
import { Watching } from "./watching.tsx";

export const Actions = WatchButton;

export function Page({ route }: { readonly route: PageRoute }) {
  const [id] = route.rest;
  return id === undefined ? <WatchStart /> : <Opened key={id} id={id} route={route} />;
}

function Opened({ id, route }: { readonly id: string; readonly route: PageRoute }) {
  const loaded = useLoaded(() => get<WatchDocument>(`/api/watches/${encodeURIComponent(id)}`), [id]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed")
    return (
      <>
        <Trouble error={loaded.error} />
        <WatchStart />
      </>
    );
  return <Watching document={loaded.value} route={route} />;
}

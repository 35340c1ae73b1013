import "../run/style.css";
import "../../app/signs.css";
import "./talk.css";
import { useEffect } from "preact/hooks";
import { agent, meet } from "../../app/agent.ts";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import type { PageRoute } from "../../app/route.ts";
import type { TalkDocument } from "../../documents/talk.ts";
import { TalkButton, TalkStart } from "./begin.tsx";
import { ConversationView } from "./conversation.tsx";

export const Actions = TalkButton;

export function Page({ route }: { readonly route: PageRoute }) {
  const [id] = route.rest;
  return id === undefined ? <TalkStart /> : <Opened key={id} id={id} route={route} />;
}

function Opened({ id, route }: { readonly id: string; readonly route: PageRoute }) {
  const loaded = useLoaded(() => get<TalkDocument>(`/api/talks/${encodeURIComponent(id)}`), [id]);
  useEffect(() => {
    // A link into a conversation also selects its agent.
    if (loaded.is === "there" && agent.value.url === "") meet(loaded.value.address);
  }, [loaded]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed")
    return (
      <>
        <Trouble error={loaded.error} />
        <TalkStart />
      </>
    );
  return <ConversationView document={loaded.value} route={route} />;
}

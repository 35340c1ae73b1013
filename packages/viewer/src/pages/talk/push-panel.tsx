import { JsonView } from "../../app/json-view.tsx";
import { Said } from "../../app/sentence.tsx";
import type { PushArrival } from "../../documents/talk.ts";
import type { Dialogue } from "./dialogue.ts";
import { shortId, stateWord } from "./words.ts";

/** Lists the notifications that reached the webhooks of this page, newest first. */
export function PushPanel({ dialogue: { webhooks, notifications } }: { readonly dialogue: Dialogue }) {
  if (webhooks.length === 0) return null;
  return (
    <section class="pushes" aria-label="Push notifications">
      <h3>
        Push notifications <small>{notifications.length}</small>
      </h3>
      <p class="hint">
        Assay sent the agent the webhook <code>{webhooks.at(-1)!.url.replace(/[^/]+$/, "…")}</code> on this machine. An
        agent on another machine cannot reach it. A cautious agent refuses to call a local address.
      </p>
      {notifications.length === 0 && <p class="hint">Nothing arrived yet.</p>}
      <ul aria-live="polite">
        {notifications
          .slice(-50)
          .toReversed()
          .map((each) => (
            <Notification arrival={each} />
          ))}
      </ul>
    </section>
  );
}

function Notification({ arrival }: { readonly arrival: PushArrival }) {
  const { at, method, json, text = "", taskId, violations, event } = arrival;
  return (
    <li class="push">
      <details>
        <summary>
          <span class={violations.length > 0 ? "verdict fail" : event ? "verdict pass" : "verdict"}>
            <Said text={wordsOf(arrival)} />
          </span>{" "}
          <small>
            {new Date(at).toLocaleTimeString()} {taskId !== undefined && <Said text={shortId(taskId)} />}
          </small>
        </summary>
        {violations.map(({ path, message }) => (
          <p>
            <code>
              <Said text={path} />
            </code>{" "}
            <Said text={message} />
          </p>
        ))}
        <JsonView
          text={json === undefined ? `${method} ${text}` : JSON.stringify(json)}
          label="notification"
          {...(violations[0] && { path: violations[0].path })}
        />
      </details>
    </li>
  );
}

function wordsOf({ event, json }: PushArrival): string {
  const state = event?.task?.status?.state ?? event?.statusUpdate?.status?.state;
  if (state) return stateWord(state);
  if (event?.artifactUpdate) return "artifact";
  if (event?.message) return "message";
  return json === undefined ? "not JSON" : "not a task event";
}

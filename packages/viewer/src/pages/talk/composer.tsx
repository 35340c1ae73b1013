import { jsonIn } from "@assay/suite/report";
import { useRef, useState } from "preact/hooks";
import { Said } from "../../app/sentence.tsx";
import type { JsonObject, Part, TalkDocument } from "../../documents/talk.ts";
import type { KnownTask } from "./dialogue.ts";
import { isTerminal, shortId, sizeWord, stateWord, wireName } from "./words.ts";

/** What is to be said, and how. */
export interface ComposedMessage {
  readonly request: JsonObject;
  readonly isStream: boolean;
  readonly push: boolean;
  readonly on: number;
}

/** The API takes 8 MiB in all, and Base64 needs a third more than the bytes. */
const largestFile = 5_000_000;

export interface ComposerProps {
  readonly document: TalkDocument;
  readonly tasks: readonly KnownTask[];
  readonly on: number;
  readonly onInterface: (on: number) => void;
  /** "new", "context:<id>" or "task:<id>" */
  readonly target: string;
  readonly onTarget: (target: string) => void;
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly onSend: (wording: ComposedMessage) => void;
}

/** Where a message is written: text, data and files, for a new task or one that waits. */
export function Composer(props: ComposerProps) {
  const { document: about, tasks, on, target, draft, onSend } = props;
  const { streaming, pushNotifications } = about.card?.capabilities ?? {};
  const [isStream, setStream] = useState(streaming ?? false);
  const [push, setPush] = useState(false);
  const [isImmediate, setImmediate] = useState(false);
  const [data, setData] = useState<string>();
  const [files, setFiles] = useState<readonly Part[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);

  const send = (): void => {
    const read = data === undefined ? undefined : jsonIn(data);
    const parts: Part[] = [
      ...(draft.trim() === "" ? [] : [{ text: draft }]),
      ...files,
      ...(read === undefined ? [] : [{ data: read }]),
    ];
    const wrong =
      data !== undefined && read === undefined
        ? "The data is no JSON."
        : parts.length === 0
          ? "There is nothing to send yet."
          : undefined;
    setTrouble(wrong);
    if (wrong !== undefined) return;
    onSend({
      request: {
        message: { role: "ROLE_USER", parts, ...targetIn(target, tasks) } as unknown as JsonObject,
        ...(isImmediate && !isStream && { configuration: { returnImmediately: true } }),
      },
      isStream,
      push,
      on,
    });
    props.onDraft("");
    setFiles([]);
    setData(undefined);
  };

  const take = async (picked: FileList | null): Promise<void> => {
    for (const file of picked ?? []) {
      if (file.size > largestFile) setTrouble(`${file.name} is larger than ${sizeWord(largestFile)}.`);
      else {
        const raw = base64Of(new Uint8Array(await file.arrayBuffer()));
        const mediaType = file.type || "application/octet-stream";
        setFiles((before) => [...before, { raw, filename: file.name, mediaType }]);
      }
    }
    if (picker.current) picker.current.value = "";
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="away" for="message">
        Message
      </label>
      <textarea
        id="message"
        rows={2}
        placeholder="Say something to the agent. Enter sends, Shift+Enter begins a line."
        value={draft}
        onInput={({ currentTarget }) => props.onDraft(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {data !== undefined && (
        <label class="composer-data">
          Data (JSON)
          <textarea
            class="mono"
            rows={3}
            spellcheck={false}
            value={data}
            onInput={({ currentTarget }) => setData(currentTarget.value)}
          />
        </label>
      )}
      {files.length > 0 && (
        <ul class="composer-files">
          {files.map(({ filename = "file", raw = "" }, index) => (
            <li class="chip">
              <Said text={filename} most={60} /> {sizeWord(Math.floor((raw.length * 3) / 4))}{" "}
              <button
                type="button"
                class="link"
                aria-label={`remove ${filename}`}
                onClick={() => setFiles(files.filter((_, each) => each !== index))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {trouble !== undefined && (
        <p class="composer-trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="composer-line">
        <label>
          <span class="away">Interface</span>
          <select value={on} onChange={({ currentTarget }) => props.onInterface(Number(currentTarget.value))}>
            {about.interfaces.map((each, index) =>
              each.spoken ? <option value={index}>over {wireName(each)}</option> : null,
            )}
          </select>
        </label>
        <label>
          <span class="away">To</span>
          <select value={target} onChange={({ currentTarget }) => props.onTarget(currentTarget.value)}>
            <option value="new">a new conversation</option>
            {contextsOf(tasks).map((id) => (
              <option value={`context:${id}`}>in context {shortId(id)}</option>
            ))}
            {tasks
              .filter(({ states }) => !states.some(isTerminal))
              .map(({ id, states }) => (
                <option value={`task:${id}`}>
                  to task {shortId(id)} ({stateWord(states.at(-1) ?? "unknown")})
                </option>
              ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isStream}
            onChange={({ currentTarget }) => setStream(currentTarget.checked)}
          />
          stream
        </label>
        <label class="check" title={pushNotifications ? "" : "The card does not offer push notifications."}>
          <input type="checkbox" checked={push} onChange={({ currentTarget }) => setPush(currentTarget.checked)} />
          push to this page
        </label>
        {!isStream && (
          <label class="check">
            <input
              type="checkbox"
              checked={isImmediate}
              onChange={({ currentTarget }) => setImmediate(currentTarget.checked)}
            />
            do not wait
          </label>
        )}
        <span class="composer-buttons">
          <button
            type="button"
            onClick={() => setData(data === undefined ? "{}" : undefined)}
            aria-pressed={data !== undefined}
          >
            Data
          </button>
          <button type="button" onClick={() => picker.current?.click()}>
            File
          </button>
          <input
            ref={picker}
            class="away"
            type="file"
            multiple
            tabIndex={-1}
            aria-label="files to send"
            onChange={({ currentTarget }) => void take(currentTarget.files)}
          />
          <button type="submit" class="primary">
            Send
          </button>
        </span>
      </div>
    </form>
  );
}

/** The members of a message that say where it belongs. */
function targetIn(target: string, tasks: readonly KnownTask[]): { taskId?: string; contextId?: string } {
  const [, kind, id] = /^(context|task):(.*)$/s.exec(target) ?? [];
  if (kind === "context") return { contextId: id! };
  if (kind !== "task") return {};
  const contextId = tasks.find((task) => task.id === id)?.contextId;
  return { taskId: id!, ...(contextId !== undefined && { contextId }) };
}

const contextsOf = (tasks: readonly KnownTask[]): string[] => [
  ...new Set(tasks.flatMap(({ contextId }) => contextId ?? [])),
];

/** In pieces: a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

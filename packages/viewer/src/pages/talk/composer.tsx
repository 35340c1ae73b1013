import { jsonIn } from "@assay/suite/report";
import { useRef, useState } from "preact/hooks";
import { Said } from "../../app/sentence.tsx";
import type { JsonObject, Part, TalkDocument } from "../../documents/talk.ts";
import type { KnownTask } from "./dialogue.ts";
import { isTerminal, shortId, sizeWord, stateWord, wireName } from "./words.ts";

/** A message to send, and how to send it. */
export interface ComposedMessage {
  readonly request: JsonObject;
  readonly isStream: boolean;
  readonly push: boolean;
  readonly on: number;
}

/** The maximum size of a file. The API accepts 8 MiB in all, and Base64 makes a file a third larger. */
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

/** Shows the form for a message of text, data and files, for a new task or a task that waits for input. */
export function Composer(props: ComposerProps) {
  const { document: about, tasks, on, target, draft, onSend } = props;
  const [options, setOptions] = useState<SendOptions>({
    isStream: about.card?.capabilities.streaming ?? false,
    push: false,
    isImmediate: false,
  });
  const [data, setData] = useState<string>();
  const [files, setFiles] = useState<readonly Part[]>([]);
  const [trouble, setTrouble] = useState<string>();

  const send = (): void => {
    const { isStream, push, isImmediate } = options;
    const parts = partsOf(draft, files, data);
    setTrouble(typeof parts === "string" ? parts : undefined);
    if (typeof parts === "string") return;
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
        placeholder="Write a message. Press Enter to send, Shift+Enter for a new line."
        value={draft}
        onInput={({ currentTarget }) => props.onDraft(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {data !== undefined && <DataField data={data} onData={setData} />}
      {files.length > 0 && <Files files={files} onFiles={setFiles} />}
      {trouble !== undefined && (
        <p class="composer-trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="composer-line">
        <Destination {...props} />
        <Options document={about} options={options} onOptions={setOptions} />
        <span class="composer-buttons">
          <button
            type="button"
            onClick={() => setData(data === undefined ? "{}" : undefined)}
            aria-pressed={data !== undefined}
          >
            Data
          </button>
          <FileButton onFile={(file) => setFiles((before) => [...before, file])} onTrouble={setTrouble} />
          <button type="submit" class="primary">
            Send
          </button>
        </span>
      </div>
    </form>
  );
}

/** Returns the parts of the message, or the reason why it cannot be sent. */
function partsOf(draft: string, files: readonly Part[], data: string | undefined): Part[] | string {
  const read = data === undefined ? undefined : jsonIn(data);
  if (data !== undefined && read === undefined) return "The data is not valid JSON.";
  const parts: Part[] = [
    ...(draft.trim() === "" ? [] : [{ text: draft }]),
    ...files,
    ...(read === undefined ? [] : [{ data: read }]),
  ];
  return parts.length === 0 ? "Nothing to send yet." : parts;
}

const DataField = ({ data, onData }: { readonly data: string; readonly onData: (data: string) => void }) => (
  <label class="composer-data">
    Data (JSON)
    <textarea
      class="mono"
      rows={3}
      spellcheck={false}
      value={data}
      onInput={({ currentTarget }) => onData(currentTarget.value)}
    />
  </label>
);

const Files = ({ files, onFiles }: Readonly<{ files: readonly Part[]; onFiles: (files: readonly Part[]) => void }>) => (
  <ul class="composer-files">
    {files.map(({ filename = "file", raw = "" }, index) => (
      <li class="chip">
        <Said text={filename} most={60} /> {sizeWord(Math.floor((raw.length * 3) / 4))}{" "}
        <button
          type="button"
          class="link"
          aria-label={`remove ${filename}`}
          onClick={() => onFiles(files.toSpliced(index, 1))}
        >
          ✕
        </button>
      </li>
    ))}
  </ul>
);

/** Shows the fields for the interface and the task of the message. */
const Destination = ({ document: { interfaces }, tasks, on, onInterface, target, onTarget }: ComposerProps) => (
  <>
    <label>
      <span class="away">Interface</span>
      <select value={on} onChange={({ currentTarget }) => onInterface(Number(currentTarget.value))}>
        {interfaces.map((each, index) => (each.spoken ? <option value={index}>over {wireName(each)}</option> : null))}
      </select>
    </label>
    <label>
      <span class="away">To</span>
      <select value={target} onChange={({ currentTarget }) => onTarget(currentTarget.value)}>
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
  </>
);

interface SendOptions {
  readonly isStream: boolean;
  readonly push: boolean;
  readonly isImmediate: boolean;
}

interface OptionsProps {
  readonly document: TalkDocument;
  readonly options: SendOptions;
  readonly onOptions: (options: SendOptions) => void;
}

function Options({ document: { card }, options, onOptions }: OptionsProps) {
  const check = (member: keyof SendOptions, name: string, title = "") => (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={options[member]}
        onChange={({ currentTarget }) => onOptions({ ...options, [member]: currentTarget.checked })}
      />
      {name}
    </label>
  );
  const noPush = "The card does not offer push notifications.";
  return (
    <>
      {check("isStream", "stream")}
      {check("push", "push to this page", card?.capabilities.pushNotifications ? "" : noPush)}
      {!options.isStream && check("isImmediate", "do not wait")}
    </>
  );
}

interface FileButtonProps {
  readonly onFile: (file: Part) => void;
  readonly onTrouble: (trouble: string) => void;
}

function FileButton({ onFile, onTrouble }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  const take = async (picked: FileList | null): Promise<void> => {
    for (const file of picked ?? []) {
      if (file.size > largestFile) onTrouble(`${file.name} is larger than ${sizeWord(largestFile)}.`);
      else {
        const raw = base64Of(new Uint8Array(await file.arrayBuffer()));
        onFile({ raw, filename: file.name, mediaType: file.type || "application/octet-stream" });
      }
    }
    if (picker.current) picker.current.value = "";
  };
  return (
    <>
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
    </>
  );
}

/** Returns the members of a message that assign it to a task or context. */
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

/** Converts bytes to Base64. It works in chunks because a call accepts a limited number of arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

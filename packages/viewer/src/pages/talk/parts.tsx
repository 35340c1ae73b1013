import { cut, visibleLines } from "@assay/suite/text";
import { JsonView } from "../../app/json-view.tsx";
import { Said } from "../../app/sentence.tsx";
import type { Part } from "../../documents/talk.ts";
import { bytesIn, safeName, safeType } from "./safe-file.ts";
import { sizeWord } from "./words.ts";

/** Saves a file through the browser, which never displays it. */
function keepFile(bytes: Uint8Array<ArrayBuffer>, filename: string | undefined, mediaType: string | undefined): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: safeType(mediaType) }));
  const link = document.createElement("a");
  link.href = url;
  link.download = safeName(filename);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The maximum number of characters of a text to show at once. */
const most = 20_000;

/** Shows the parts of a message: text as text, data as JSON, files as downloads. No part is rendered as markup. */
export const Parts = ({ parts }: { readonly parts: readonly Part[] }) => (
  <>
    {parts.map((part) => (
      <PartView part={part} />
    ))}
  </>
);

function PartView({ part }: { readonly part: Part }) {
  const { text, raw, url, data, filename, mediaType } = part;
  if (text !== undefined) return <p class="said-text">{visibleLines(cut(text, most))}</p>;
  if (raw !== undefined) return <FilePart raw={raw} filename={filename} mediaType={mediaType} />;
  if (url !== undefined)
    return (
      <p class="file">
        <span class="chip">external file</span>{" "}
        <code>
          <Said text={url} />
        </code>{" "}
        <small>the agent sent this address; Assay did not fetch it</small>
      </p>
    );
  return <JsonView text={JSON.stringify(data ?? part)} label="data" />;
}

interface FilePartProps {
  readonly raw: string;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
}

function FilePart({ raw, filename, mediaType }: FilePartProps) {
  const bytes = bytesIn(raw);
  return (
    <p class="file">
      <span class="chip">file</span>{" "}
      <code>
        <Said text={safeName(filename)} />
      </code>{" "}
      <small>
        <Said text={mediaType ?? "no type"} most={80} />
        {bytes ? `, ${sizeWord(bytes.length)}` : ", invalid Base64"}
      </small>
      {bytes && (
        <button type="button" class="small" onClick={() => keepFile(bytes, filename, mediaType)}>
          Download
        </button>
      )}
    </p>
  );
}

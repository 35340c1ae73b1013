import { visible, visibleLines } from "@assay/suite/text";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { markedJson, type ShownLine } from "../look/marked-json.ts";

/** The maximum number of characters to show of a text that is not JSON. */
const most = 20_000;

/**
 * Shows JSON or any other text and marks the relevant place. Folds the lines far from it until the user unfolds them.
 */
export function JsonView({ text, path, label }: Readonly<{ text: string; path?: string; label: string }>) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => markedJson(text, path, { all: isWhole }), [text, path, isWhole]);
  if (!lines)
    return (
      <WireText label={label}>
        {visibleLines(text.slice(0, most))}
        {text.length > most && `\n… ${text.length - most} more characters`}
      </WireText>
    );
  return (
    <WireText label={label}>
      {lines.map((line) => (
        <Line line={line} unfold={() => setWhole(true)} />
      ))}
    </WireText>
  );
}

/** Shows recorded text in a box that scrolls. */
export const WireText = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
  // biome-ignore lint/a11y/useSemanticElements: it is preformatted text first
  <pre class="wire" role="region" tabIndex={0} aria-label={label}>
    {children}
  </pre>
);

function Line({ line, unfold }: { readonly line: ShownLine; readonly unfold: () => void }) {
  const blanks = "  ".repeat(line.depth);
  if ("leftOut" in line)
    return (
      <>
        {blanks}
        <button type="button" class="fold" onClick={unfold}>
          … {line.leftOut} {line.leftOut === 1 ? "line" : "lines"}
        </button>
        {"\n"}
      </>
    );
  const { text, isMarked, note } = line;
  return (
    <>
      {blanks}
      {isMarked ? (
        <mark>
          {visible(text)}
          {note !== undefined && ` ${visible(note)}`}
        </mark>
      ) : (
        visible(text)
      )}
      {"\n"}
    </>
  );
}

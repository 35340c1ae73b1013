import { useState } from "preact/hooks";

/** Copies a text to the clipboard and confirms it. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [told, setTold] = useState<string>();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setTold("copied"),
      () => setTold("blocked by the browser"),
    );
    setTimeout(() => setTold(undefined), 2_000);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {told ?? label}
    </button>
  );
}

import { cut, visible } from "@assay/suite/text";
import { sentenceCase, sentenceParts } from "../look/sentence-parts.ts";

/** Shows text that an agent may have written: as plain text, with hidden characters made visible. */
export const Said = ({ text, most = 300 }: { readonly text: string; readonly most?: number }) => (
  <>{visible(cut(text, most))}</>
);

interface SentenceProps {
  readonly text: string;
  readonly most?: number;
  /** the text is a sentence of its own, so it starts with a capital letter */
  readonly begins?: boolean;
}

/** Shows a sentence, with backticks as code. */
export const Sentence = ({ text, most = 1_000, begins = false }: SentenceProps) => (
  <>
    {sentenceParts(cut(begins ? sentenceCase(text) : text, most)).map(({ text: part, isCode }) =>
      isCode ? <code>{visible(part)}</code> : visible(part),
    )}
  </>
);

import type { Declaration } from "../define/check.ts";
import { olderWords } from "./older-words.ts";
import { inWordsOf, type Wording } from "./vocabulary.ts";

/** What a check says about itself, in the words of the version that is judged. */
export function wordsOf(
  { id, title, remedy }: Pick<Declaration, "id" | "title" | "remedy">,
  wording: Wording,
): { readonly title: string; readonly remedy: string } {
  const own = ownWords(id, wording);
  return {
    title: own?.title ?? inWordsOf(wording, title),
    remedy: own?.remedy ?? inWordsOf(wording, remedy),
  };
}

function ownWords(id: string, { dialect, binding }: Wording) {
  // The bindings besides JSON-RPC write the model of the .proto, which 1.0 went on with.
  const isProto = binding === "HTTP+JSON" || binding === "GRPC";
  return olderWords.find((row) => row.id === id && row.of.some((each) => each === (isProto ? "proto" : dialect)));
}

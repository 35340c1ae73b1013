import { useMemo } from "preact/hooks";

/**
 * Returns the items whose text contains all words and that `isWanted` accepts. `of` lists the dependencies of
 * `isWanted`.
 */
export function useFound<T>(
  all: readonly T[],
  textOf: (item: T) => string,
  words: string,
  isWanted: (item: T) => boolean,
  of: readonly unknown[],
): readonly T[] {
  const texts = useMemo(() => all.map((item) => textOf(item).toLowerCase()), [all]);
  return useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((item, index) => isWanted(item) && wanted.every((word) => texts[index]!.includes(word)));
  }, [all, words, ...of]);
}

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

/** The search field. */
export const Search = ({ label, placeholder, words, onWords }: SearchProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={words}
    onInput={({ currentTarget }) => onWords(currentTarget.value)}
  />
);

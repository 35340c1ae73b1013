/** Begins as sentences do, unless it begins with a name, such as that of a member, which is spelt as it is. */
export const sentenceCase = (text: string): string =>
  /^[a-z]+([ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** A sentence in which backticks say "code", in its parts. */
export const sentenceParts = (text: string): { readonly text: string; readonly isCode: boolean }[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter(({ text: part }) => part !== "");

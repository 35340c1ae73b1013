/** Capitalises the first word, unless it is a name, such as that of a member, whose spelling must stay. */
export const sentenceCase = (text: string): string =>
  /^[a-z]+([ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Splits a sentence into text and code between backticks. */
export const sentenceParts = (text: string): { readonly text: string; readonly isCode: boolean }[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter(({ text: part }) => part !== "");

/** A run of characters that a reader does not see, in a place where no script needs them. */
export interface HiddenRun {
  readonly start: number;
  readonly end: number;
  /** as in "zero width space" */
  readonly what: string;
  /** the text that tag characters spell */
  readonly spells?: string;
}

/** Characters without a shape of their own, and controls other than tab and line breaks. */
const invisible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is meant by itself
  /(?:[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}])+/gu;

/** Scripts that join or separate letters with U+200C and U+200D. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Tibetan}]/u;

/** Scripts without spaces between words, which mark a line break with U+200B. */
const unspaced =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** An emoji, with a skin tone, hair or keycap if it has one. */
const pictograph = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20e3)$/u;

/** A flag of a region: a black flag, the name of the region in tag characters, and the end mark. */
const regionFlag = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;

/** Returns the hidden characters that have no ordinary use where they are. */
export function hiddenRuns(text: string): HiddenRun[] {
  const isRightToLeft = rightToLeft.test(text);
  return [...text.matchAll(invisible)].flatMap((match): HiddenRun[] => {
    const [run] = match;
    const start = match.index;
    const before = lastOf(text.slice(Math.max(0, start - 2), start));
    const after = String.fromCodePoint(text.codePointAt(start + run.length) ?? 0x20);
    if (before === "\u{1f3f4}" && regionFlag.test(run)) return [];
    const odd = [...run].filter(
      (character, index, all) => !isOrdinary(character, { before, after, isRightToLeft, all, index }),
    );
    if (!odd.length) return [];
    const spells = odd.map(tagLetter).join("");
    const what = [...new Set(odd.map(nameOf))].join(", ");
    return [{ start, end: start + run.length, what, ...(spells !== "" && { spells }) }];
  });
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly isRightToLeft: boolean;
  /** the run that the character is part of, and its place there */
  readonly all: readonly string[];
  readonly index: number;
}

function isOrdinary(character: string, { before, after, isRightToLeft, all, index }: Surroundings): boolean {
  const code = character.codePointAt(0)!;
  const isFirst = index === 0;
  // A variation selector chooses the shape of the character before it. A second one has no effect.
  if (code >= 0xfe00 && code <= 0xfe0f) return isFirst && before !== "";
  if (code >= 0xe0100 && code <= 0xe01ef) return isFirst && /\p{Script=Han}/u.test(before);
  if (code >= 0x180b && code <= 0x180f) return isFirst && /\p{Script=Mongolian}/u.test(before);
  if (code === 0x115f || code === 0x1160) return /\p{Script=Hangul}/u.test(before + after);
  if (code === 0x200b) return all.length === 1 && (unspaced.test(before) || unspaced.test(after));
  if (code === 0x200c || code === 0x200d) {
    const isEmoji = code === 0x200d && pictograph.test(before) && pictograph.test(after);
    // An emoji may have a variation selector before the joiner.
    const isAlone = all.length === 1 || (all.length === 2 && index === 1 && all[0] === "\ufe0f");
    return isAlone && (isEmoji || joining.test(before) || joining.test(after));
  }
  // Marks, embeddings and isolates order mixed text. Overrides reverse the order of letters, which no text needs.
  const isMark = code === 0x61c || code === 0x200e || code === 0x200f;
  const isOrdering = (code >= 0x202a && code <= 0x202c) || (code >= 0x2066 && code <= 0x2069);
  return (isMark || isOrdering) && isRightToLeft;
}

/** Returns the last character, which may be two units. */
const lastOf = (text: string): string => [...text].at(-1) ?? "";

const tagLetter = (character: string): string => {
  const code = character.codePointAt(0)!;
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCodePoint(code - 0xe0000) : "";
};

const names: readonly [from: number, to: number, name: string][] = [
  [0x200b, 0x200b, "zero width space"],
  [0x200c, 0x200d, "zero width joiner"],
  [0x61c, 0x61c, "direction mark"],
  [0x200e, 0x200f, "direction mark"],
  [0x202d, 0x202e, "direction override"],
  [0x202a, 0x202c, "direction control"],
  [0x2066, 0x2069, "direction control"],
  [0xfe00, 0xfe0f, "variation selector"],
  [0xe0100, 0xe01ef, "variation selector"],
  [0xfeff, 0xfeff, "zero width no-break space"],
  [0xe0000, 0xe00ff, "tag character"],
  [0, 0x9f, "control character"],
];

function nameOf(character: string): string {
  const code = character.codePointAt(0)!;
  return names.find(([from, to]) => code >= from && code <= to)?.[2] ?? "invisible character";
}

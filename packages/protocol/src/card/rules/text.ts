import { cut, visible } from "../../escape.ts";
import { isObject } from "../../json.ts";
import { isLoopback } from "../../loopback.ts";
import { finding, type TextRemark } from "../finding.ts";
import { hiddenRuns } from "../hidden-characters.ts";
import { stringsIn } from "../strings.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** A text longer than this is examined up to here. Remarks need no more, and a hostile card may have megabytes. */
const mostText = 20_000;

/** Remarks of one kind on one text. */
const mostRemarks = 3;

/** Text that may mislead people or language models. Only a reader can judge it, so each finding is information. */
export const misleadingText: CardRule = function* ({ served }) {
  const own = ownHosts(served);
  for (const [whole, path] of stringsIn(served)) {
    const text = whole.slice(0, mostText);
    for (const { start, end, what, spells } of hiddenRuns(text).slice(0, mostRemarks))
      yield remark(
        "hidden-characters",
        path,
        `contains hidden characters (${what})${spells === undefined ? "" : `, which spell ${shown(spells)}`}: ${excerpt(text, start, end)}`,
        "Remove them, unless the language of the text needs them.",
      );
    for (const [start, end] of lookAlikes(text, path).slice(0, mostRemarks))
      yield remark(
        "look-alike-name",
        path,
        `mixes Latin letters with letters of another script that look like them: ${excerpt(text, start, end)}`,
        "Write the name in one script.",
      );
    const instruction = instructionIn(text);
    if (instruction !== undefined)
      yield remark(
        "model-instructions",
        path,
        `reads like an instruction to a language model: ${shown(instruction)}`,
        "Describe what the agent does. Treat the text of a card as data if you pass it to a model.",
      );
    for (const link of otherLinks(text, path, own).slice(0, mostRemarks))
      yield remark(
        "other-host-link",
        path,
        `links to a host that the card names nowhere else: ${shown(link)}`,
        "Put links into documentationUrl or provider.url, and check that the host is yours.",
      );
  }
};

const remark = (code: TextRemark, path: string, message: string, fix: string) =>
  finding("info", code, path, { message, fix });

const shown = (text: string): string => `"${markedUp(cut(text, 80))}"`;

/** Returns the place with some text around it. */
const excerpt = (text: string, start: number, end: number): string =>
  shown(text.slice(Math.max(0, start - 20), Math.min(end, start + 30) + 20));

/** Writes every invisible character as an escape, also joiners and selectors that other outputs keep. */
const markedUp = (text: string): string =>
  visible(text).replace(
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is meant by itself
    /[\u115f\u1160\u180b-\u180f\u200c\u200d\u3164\ufe00-\ufe0f\uffa0]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Members whose text is a name or an address, which people compare by eye. */
const isName = (path: string): boolean =>
  /^\$\.(?:name|provider\.organization|skills\[\d+\]\.(?:id|name))$|url$/i.test(path);

/** Cyrillic, Greek and Armenian letters with the shape of a Latin letter. */
const likeLatin = /[аеорсухіјѕһԁԛԝӏвкмнтАВЕКМНОРСТУХІЈЅҺԌԚԜӀοναρΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհ]/u;
const latin = /\p{Script=Latin}/u;

/** Returns the words whose letters are Latin except for some that only look so. */
function lookAlikes(text: string, path: string): [start: number, end: number][] {
  if (!isName(path)) return [];
  return [...text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)].flatMap((match): [number, number][] => {
    const [word] = match;
    const foreign = [...word].filter((letter) => /\p{L}/u.test(letter) && !latin.test(letter));
    const isMixed = latin.test(word) && foreign.length > 0 && foreign.every((letter) => likeLatin.test(letter));
    return isMixed ? [[match.index, match.index + word.length]] : [];
  });
}

/** Sentences that address a model or the program around it, and marks of chat templates. */
const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|existing|other|all|your|system)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions)\b/i,
  /\b(?:do not|don't|never|without)\b[^.!?\n]{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|ask|asking|notify|notifying)\b[^.!?\n]{0,20}\bthe (?:user|human|operator)\b/i,
  /\byou (?:must|should|will|shall) (?:always |only )?(?:call|use|choose|select|prefer|route to|delegate to) this (?:agent|skill|tool)\b/i,
  /\balways (?:call|use|choose|select|prefer|route to|delegate to) this (?:agent|skill|tool)\b/i,
  /\b(?:do not|don't|never) (?:call|use|choose|select) (?:any )?other (?:agents?|skills?|tools?)\b/i,
  /\byou are now (?:a|an|in|the|acting|operating)\b/i,
  /\b(?:send|reveal|print|include|forward|output|exfiltrate)\b[^.!?\n]{0,30}\b(?:your|the) (?:system prompt|api keys?|credentials|hidden instructions|conversation history)\b/i,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system-prompt|system_prompt|important)>/i,
  /(?:^|\n)\s*#{0,4}\s*system(?: prompt| message)?\s*:/i,
];

function instructionIn(text: string): string | undefined {
  // Hidden characters may split a word that a model still reads as one word.
  const read = text.replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, "");
  for (const pattern of instructions) {
    const [found] = pattern.exec(read) ?? [];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** Returns links inside a sentence. Skips members that are links as a whole: their names show their purpose. */
function otherLinks(text: string, path: string, own: readonly string[]): string[] {
  if (parseUrl(text) || /ur[il]$/i.test(path)) return [];
  const links = text.match(/\bhttps?:\/\/[^\s<>"'()[\]{}，。、；）】」]{1,200}/gi) ?? [];
  return links
    .map((link) => link.replace(/[.,;:!?]+$/, ""))
    .filter((link) => {
      const host = parseUrl(link)?.host.replace(/^www\./, "");
      return host !== undefined && !isReserved(host) && !own.some((each) => isSameSite(each, host));
    });
}

/** Returns true for example hosts and this machine, which occur in usage examples. */
const isReserved = (host: string): boolean => {
  const name = host.replace(/:\d+$/, "");
  return isLoopback(name) || /(?:^|\.)(?:example(?:\.com|\.net|\.org)?|test|invalid)$/.test(name);
};

const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** Returns the hosts of all members that are links as a whole: interfaces, provider, documentation and logins. */
const ownHosts = (card: unknown): string[] =>
  isObject(card)
    ? [...stringsIn(card)].flatMap(([text]) => parseUrl(text.trim())?.host.replace(/^www\./, "") ?? [])
    : [];

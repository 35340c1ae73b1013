import { isObject } from "@assay/protocol";
import { isTestbed } from "@assay/suite";
import type { FoundCard } from "@assay/wire";

/** Builds the message that makes an agent call another: from an address and the text to send there. */
export type RelayPrompt = (url: string, text: string) => string;

/** Uses the operator's prompt with {url} and {text}, otherwise the skill `relay` of test bed agents. */
export function relayOf(found: FoundCard, prompt: string | undefined): RelayPrompt | undefined {
  if (prompt !== undefined)
    return (url, text) => prompt.replaceAll("{url}", () => url).replaceAll("{text}", () => text);
  const { skills } = found.json;
  const ids = Array.isArray(skills) ? skills.flatMap((skill) => (isObject(skill) ? [skill["id"]] : [])) : [];
  // Keyword agents of the test bed understand more words than their cards list.
  const isKnown = ids.includes("relay") || (isTestbed(found) && ids.includes("task-lifecycle"));
  return isKnown ? (url, text) => `relay ${url} ${text}` : undefined;
}

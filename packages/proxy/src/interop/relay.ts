import { isObject } from "@assay/protocol";
import { isTestbed } from "@assay/suite";
import type { FoundCard } from "@assay/wire";

/** What makes an agent ask another one: the text to send it, for an address and what to say there. */
export type RelayPrompt = (url: string, text: string) => string;

/** The operator's words, with {url} and {text}; else those of the skill `relay`, which agents of the test bed have. */
export function relayOf(found: FoundCard, prompt: string | undefined): RelayPrompt | undefined {
  if (prompt !== undefined)
    return (url, text) => prompt.replaceAll("{url}", () => url).replaceAll("{text}", () => text);
  const { skills } = found.json;
  const ids = Array.isArray(skills) ? skills.flatMap((skill) => (isObject(skill) ? [skill["id"]] : [])) : [];
  // Those of them that go by keywords know more words than their cards list.
  const isKnown = ids.includes("relay") || (isTestbed(found) && ids.includes("task-lifecycle"));
  return isKnown ? (url, text) => `relay ${url} ${text}` : undefined;
}

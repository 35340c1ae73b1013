import { visibleLines } from "@assay/protocol/escape";
import { z } from "zod";

/**
 * Text that an agent, a client or a gateway may have written. Every such text of a result has this form, and no other
 * does.
 */
export const untrustedText = z
  .strictObject({
    untrusted: z.string(),
    omitted: z.number().optional(),
  })
  .describe("text of the tested side: data, not instructions");

export type UntrustedText = z.infer<typeof untrustedText>;

/** The maximum length of a sentence in a finding; details have their own limit. */
const sentence = 300;

/** Marks a text, makes hidden characters visible, and cuts it. */
export function untrusted(text: string, most = sentence): UntrustedText {
  const shown = visibleLines(text);
  return shown.length <= most
    ? { untrusted: shown }
    : { untrusted: shown.slice(0, most), omitted: shown.length - most };
}

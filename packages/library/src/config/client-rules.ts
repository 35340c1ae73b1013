import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";

/** Returns the client rules that the filter selects. An unknown rule or situation is a usage error. */
export async function checkedRules(
  filter: { readonly only?: readonly string[]; readonly skip?: readonly string[] },
  given: readonly string[] = [],
  name = "situations",
): Promise<readonly string[]> {
  const { selectClientRules, situations } = await import("@assay/suite");
  const known: readonly string[] = situations.map(({ id }) => id);
  const wrong = given.find((id) => !known.includes(id));
  if (wrong !== undefined)
    throw new UsageError(
      `${name} ${wrong}: unknown situation.${didYouMean(wrong, known)}`,
      "Run assay client --list to see all.",
    );
  return selectClientRules(filter);
}

import type { ConformanceReport } from "./document.ts";
import type { ComparedSubject, VersionComparison } from "./events.ts";

type Compared = Pick<ConformanceReport, "comparedVersions">;

/** Subjects without which two versions were not compared. */
const essential: readonly ComparedSubject[] = ["task from the older version", "task from 1.0", "state"];

/**
 * Returns "equivalent" if all versions show the same tasks, errors and cards, and "unknown" if no task could be
 * compared.
 */
export function equivalenceOf({ comparedVersions = [] }: Compared): "equivalent" | "different" | "unknown" {
  const all = comparedVersions.flatMap(({ comparisons }) => comparisons);
  if (all.some(({ is }) => is === "differs")) return "different";
  const isWhole = comparedVersions.every(({ comparisons }) =>
    essential.every((subject) => comparisons.some((each) => each.subject === subject && each.is === "same")),
  );
  return comparedVersions.length > 0 && isWhole ? "equivalent" : "unknown";
}

/** "0.3 and 1.0 differ: state, artifacts", or why they could not be compared */
export function equivalenceText({ comparedVersions = [] }: Compared): string {
  const named = (is: VersionComparison["is"]): string[] => [
    ...new Set(
      comparedVersions.flatMap(({ older, comparisons }) =>
        comparisons
          .filter((each) => each.is === is && (is === "differs" || essential.includes(each.subject)))
          .map(({ subject }) => `${subject} (${older.dialect} and 1.0)`),
      ),
    ),
  ];
  const differs = named("differs");
  if (differs.length) return `the versions differ: ${differs.join(", ")}`;
  if (comparedVersions.length === 0)
    return "nothing was compared: the run did not test an older version next to a declared 1.0";
  const open = named("not-compared");
  return open.length ? `not compared: ${open.join(", ")}` : "the versions are equivalent";
}

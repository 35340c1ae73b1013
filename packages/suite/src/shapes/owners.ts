import type { MessageName } from "@assay/protocol";
import type { Deviation, DeviationKind } from "./deviations.ts";

/** Maps deviations to rules. An omitted member matches everything. */
interface Claim {
  readonly rule: string;
  readonly of?: readonly MessageName[];
  readonly member?: readonly string[];
  readonly kind?: readonly DeviationKind[];
  readonly when?: (deviation: Deviation) => boolean;
}

const wrong = ["type", "enum", "format"] as const;
const isNamed = (value: unknown, prefix: string): boolean =>
  typeof value === "string" && value.startsWith(prefix) && /^[A-Z_]+$/.test(value);
const isZoneless = ({ value }: Deviation): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:?\d\d)?$/.test(value);

/** Members of a 0.3 part that `raw` and `url` replaced. */
export const oldContent = ["file", "fileWithBytes", "fileWithUri", "bytes", "uri"] as const;
const hasOldContent = ({ within }: Deviation): boolean => oldContent.some((name) => Object.hasOwn(within, name));

/** The whole response is not a task: wrapped, an error reported as a success, or nothing. */
const isNoTask = ({ path, within }: Deviation): boolean =>
  /^\$\.\w+$/.test(path) && !within["id"] && (within["status"] ?? null) === null;

/**
 * The first matching claim owns a deviation, so that only the most specific rule reports it. The last claim owns all
 * other deviations, so that none is missed.
 */
const claims: readonly Claim[] = [
  { rule: "DATA-001", kind: ["snake"] },
  { rule: "SEND-001", of: ["SendMessageResponse"] },
  { rule: "STREAM-008", of: ["StreamResponse"] },
  { rule: "LIST-002", of: ["ListTasksResponse"], member: ["tasks", ""] },
  { rule: "LIST-003", of: ["ListTasksResponse"], member: ["nextPageToken"] },
  { rule: "DATA-032", of: ["ListTasksResponse"], member: ["pageSize", "totalSize"], kind: wrong },
  { rule: "LIST-005", of: ["ListTasksResponse"], member: ["pageSize"] },
  { rule: "LIST-006", of: ["ListTasksResponse"], member: ["totalSize"] },
  {
    rule: "XCARD-005",
    of: ["AgentCard"],
    kind: ["missing", "empty", "type"],
    when: ({ path }) => path.split(".").length <= 2,
  },

  { rule: "DATA-007", member: ["timestamp"], kind: ["format"], when: isZoneless },
  { rule: "DATA-006", member: ["timestamp"] },
  { rule: "DATA-027", member: ["metadata"] },
  { rule: "EXT-012", of: ["Message", "Artifact"], member: ["extensions"] },
  { rule: "DATA-005", of: ["TaskStatus"], member: ["state"], kind: ["unspecified"] },
  { rule: "DATA-005", member: ["state"], kind: ["enum"], when: ({ value }) => isNamed(value, "TASK_STATE_") },
  { rule: "DATA-003", kind: ["enum"] },

  { rule: "DATA-017", of: ["Task", "TaskStatusUpdateEvent"], member: ["status"], kind: ["type"] },
  { rule: "DATA-017", of: ["TaskStatus"] },
  { rule: "GET-001", of: ["Task"], member: ["id", "status"], when: isNoTask },
  { rule: "DATA-016", of: ["Task"], member: ["id", "status", ""] },
  { rule: "DATA-034", of: ["Task"], member: ["artifacts", "history"] },
  { rule: "DATA-013", of: ["Message", "Artifact"], member: ["parts"], kind: ["empty"] },
  // An element of `parts` that is not an object is not a part.
  {
    rule: "DATA-020",
    of: ["Message", "Artifact"],
    member: ["parts"],
    kind: ["type"],
    when: ({ path }) => path.endsWith("]"),
  },
  { rule: "DATA-018", of: ["Message"], member: ["messageId", "role", "parts"] },
  { rule: "DATA-024", of: ["Artifact"], member: ["artifactId", "parts"] },
  { rule: "LEG-003", of: ["Part"], kind: ["none-of"], when: hasOldContent },
  { rule: "DATA-021", of: ["Part"], member: ["raw"], kind: wrong },
  { rule: "DATA-023", of: ["Part"], member: ["mediaType", "filename"] },
  { rule: "DATA-020", of: ["Part"] },
  { rule: "DATA-025", of: ["TaskStatusUpdateEvent"] },
  { rule: "DATA-026", of: ["TaskArtifactUpdateEvent"] },
  { rule: "DATA-011" },
];

export function ownerOf(deviation: Deviation): string {
  const { message, member, kind } = deviation;
  const claim = claims.find(
    (each) =>
      (each.of?.includes(message) ?? true) &&
      (each.member?.includes(member) ?? true) &&
      (each.kind?.includes(kind) ?? true) &&
      (each.when?.(deviation) ?? true),
  );
  return claim!.rule;
}

import type { Category, Tag } from "../report/result.ts";

/** The part of the report in which the rules of an area stand, and the names by which they are found besides. */
type Place = readonly [category: Category, ...tags: Tag[]];

/** By the area that an id names. */
const areas: Readonly<Record<string, Place>> = {
  CARD: ["agent-card"],
  CACHE: ["agent-card"],
  SIG: ["agent-card", "security"],
  XCARD: ["agent-card", "security"],
  SEND: ["lifecycle"],
  GET: ["lifecycle"],
  LIST: ["lifecycle"],
  CANCEL: ["lifecycle"],
  LIFE: ["lifecycle"],
  CTX: ["lifecycle"],
  HIST: ["lifecycle"],
  INTASK: ["lifecycle", "security"],
  PUSH: ["lifecycle", "push-notifications"],
  DATA: ["lifecycle", "data-model"],
  LEG: ["lifecycle", "data-model", "versioning"],
  STREAM: ["streaming"],
  SUB: ["streaming"],
  ERR: ["error-handling"],
  AUTH: ["error-handling", "security"],
  SEC: ["error-handling", "security"],
  CAP: ["interop"],
  VER: ["interop", "versioning"],
  EXT: ["interop", "versioning"],
  TEN: ["interop", "security"],
  JSONRPC: ["interop", "bindings"],
  REST: ["interop", "bindings"],
  GRPC: ["interop", "bindings"],
  BIND: ["interop", "bindings"],
  META: ["interop"],
};

/** Rules that belong elsewhere than the others of their area; they keep its names as tags. */
const elsewhere: Readonly<Partial<Record<Category, readonly string[]>>> = {
  "agent-card": ["LEG-004", "LEG-005", "VER-009", "VER-019", "EXT-001", "EXT-002", "V03-VER-005"],
  lifecycle: ["CAP-003"],
  streaming: ["CAP-002", "JSONRPC-016", "JSONRPC-017", "JSONRPC-018", "REST-002", "REST-033", "REST-037", "GRPC-008"],
  // What an agent answers when a request cannot be served: its method, its login, its version, or what it names.
  "error-handling": [
    ...numbered("SEND", 3, 9),
    ...["GET-002", "GET-003", "HIST-008", "LIST-021", "LIST-022", "LIST-023"],
    ...["CANCEL-002", "CANCEL-003", "CANCEL-008", "CTX-008", "CTX-011", "DATA-012"],
    ...numbered("STREAM", 15, 18),
    ...["SUB-003", "SUB-004", "SUB-005", "SUB-008"],
    ...numbered("PUSH", 1, 4),
    ...["PUSH-006", "PUSH-007", "PUSH-008", "PUSH-011", "PUSH-014", "PUSH-019", "PUSH-046", "PUSH-047"],
    ...["XCARD-001", "XCARD-003", "VER-005", "VER-007", "VER-008", "VER-011", "VER-013"],
    ...["EXT-008", "EXT-009", "EXT-015", "TEN-005", "BIND-003", "BIND-004"],
    ...numbered("JSONRPC", 6, 14),
    ...["JSONRPC-019", "REST-021", ...numbered("REST", 27, 32), ...numbered("REST", 34, 36)],
    ...["GRPC-006", ...numbered("GRPC", 12, 15), "GRPC-017"],
    ...["V03-REST-003", "V03-REST-004", "V03-XCARD-001", "V03-EXT-001", "V03-SUB-001", "V03-PUSH-007"],
    ...["V02-XCARD-002", "V01-CANCEL-001", "V01-STREAM-009", "V01-SUB-002", "V01-PUSH-007", "V01-PUSH-008"],
  ],
  // Several tasks and several clients at a time are not mixed up; TLS is how any of them gets through.
  interop: [
    ...["CTX-007", "CTX-019", "STREAM-010", "STREAM-011", "STREAM-012", "STREAM-019", "SUB-010", "DATA-030"],
    ...["V01-SEND-003", "V01-SEND-004", "V01-STREAM-005", "AUTH-001", "AUTH-002", "AUTH-003", "SEC-009"],
  ],
};

/** Rules that are also about a subject of their own. */
const alsoAbout: Readonly<Partial<Record<Tag, readonly string[]>>> = {
  "push-notifications": [
    ...["CAP-003", "ERR-022", "JSONRPC-024", "JSONRPC-025", "GRPC-010", "GRPC-011"],
    ...numbered("REST", 7, 10),
  ],
  security: ["CARD-039", "CARD-040", "CARD-045", "PUSH-012", "PUSH-034", "PUSH-035", "ERR-008", "ERR-009", "ERR-010"],
  versioning: ["ERR-028", "GRPC-006"],
};

/** Rules that do not simply follow their area. */
export const placedByName: readonly string[] = Object.values(elsewhere).flat();

function numbered(area: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${area}-${String(first + index).padStart(3, "0")}`);
}

/** `V03-CARD-001` is about the card as `CARD-001` is. */
const areaOf = (id: string): string => id.replace(/^V\d\d-/, "").split("-", 1)[0]!;

const listing = <Name extends string>(lists: Readonly<Partial<Record<Name, readonly string[]>>>, id: string): Name[] =>
  (Object.entries(lists) as [Name, readonly string[]][]).filter(([, ids]) => ids.includes(id)).map(([name]) => name);

function placeOf(id: string): { category: Category; tags: readonly Tag[] } {
  const [usual, ...tags] = areas[areaOf(id)] ?? ["interop"];
  const category = listing(elsewhere, id)[0] ?? usual;
  const all = new Set<Tag>([usual, ...tags, ...listing(alsoAbout, id)]);
  all.delete(category);
  return { category, tags: [...all] };
}

/** The one part of the report to which a rule belongs. */
export const categoryOf = (id: string): Category => placeOf(id).category;

/** The other names by which it is found: subjects that parts of the report share, and parts that it could stand in too. */
export const tagsOf = (id: string): readonly Tag[] => placeOf(id).tags;

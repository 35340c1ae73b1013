import type { Target } from "../../../define/target.ts";

type Place = Pick<Target, "on">;

/** A path as the version has it: before 1.0 every one began with a version. */
export const below = ({ on }: Place, path: string): string => (on.dialect === "1.0" ? path : `/v1${path}`);

export const extendedCardPath = ({ on }: Place): string => (on.dialect === "1.0" ? "/extendedAgentCard" : "/v1/card");

import { enums, messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { protoJsonReader } from "./protojson.ts";

/** Reads what ProtoJSON lets a sender of 1.0 write, and gives back the one spelling we work with. */
export const normalise: (message: keyof Messages, json: unknown) => unknown = protoJsonReader(messages, enums);

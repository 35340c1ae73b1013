import { isObject } from "../json.ts";
import { base64Of, standardBase64 } from "../schemas/base64.ts";
import { type Mend, mending, mendMember } from "./mending.ts";
import { writeStructured } from "./structured.ts";

interface Tolerance {
  readonly tag: "kind" | "type";
  /** 0.1 only: its official page shows arrays as data, and files that are not base64 */
  readonly loose?: boolean;
}

/** Mends parts that peers write with a missing or wrong tag, with files under `data`, or with odd base64. */
export const mendTaggedPart = ({ tag, loose = false }: Tolerance): Mend =>
  mending((part, place) => {
    const other = tag === "kind" ? "type" : "kind";
    if (part[tag] === undefined && typeof part[other] === "string") {
      part[tag] = part[other];
      place.at(other).note(`is used instead of "${tag}", which this dialect requires`);
    } else if (part[tag] === undefined) {
      const inferred = ["text", "file", "data"].find((name) => part[name] !== undefined);
      if (inferred === undefined) return;
      part[tag] = inferred;
      place.at(tag).note(`is missing; assumed to be "${inferred}"`);
    }
    if (part[tag] === "file") mendMember(part, "file", place, mendFile(loose));
    if (part[tag] === "data" && loose && part["data"] !== undefined && !isObject(part["data"])) {
      place.at("data").note("is not an object; kept unchanged");
      Object.assign(part, writeStructured(part["data"] as never, part["metadata"] as never));
    }
  });

const mendFile = (loose: boolean): Mend =>
  mending((file, place) => {
    const { data, bytes, uri } = file;
    delete file["data"];
    const misplaced = typeof data === "string" && bytes === undefined && uri === undefined;
    if (misplaced) place.at("data").note("is used instead of bytes; read as bytes");
    const content = misplaced ? data : bytes;
    if (typeof content !== "string") return;
    const here = place.at(misplaced ? "data" : "bytes");
    const standard = standardBase64(content);
    if (standard === undefined && loose) here.note("is not base64; read as plain text");
    else if (standard !== undefined && standard !== content) here.note("is base64 in a nonstandard form");
    file["bytes"] = standard ?? (loose ? base64Of(content) : content);
  });

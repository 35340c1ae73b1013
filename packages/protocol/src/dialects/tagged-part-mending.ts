import { isObject } from "../json.ts";
import { base64Of, standardBase64 } from "../schemas/base64.ts";
import { type Mend, mending, mendMember } from "./mending.ts";
import { writeStructured } from "./structured.ts";

interface Tolerance {
  readonly tag: "kind" | "type";
  /** 0.1 only: its official page has arrays as data and files that are no base64 */
  readonly loose?: boolean;
}

/** Parts as peers write them: without their tag or with the other dialect's, files under `data`, odd base64. */
export const mendTaggedPart = ({ tag, loose = false }: Tolerance): Mend =>
  mending((part, place) => {
    const other = tag === "kind" ? "type" : "kind";
    if (part[tag] === undefined && typeof part[other] === "string") {
      part[tag] = part[other];
      place.at(other).note(`stands where this dialect writes "${tag}"`);
    } else if (part[tag] === undefined) {
      const inferred = ["text", "file", "data"].find((name) => part[name] !== undefined);
      if (inferred === undefined) return;
      part[tag] = inferred;
      place.at(tag).note(`is missing; taken for "${inferred}"`);
    }
    if (part[tag] === "file") mendMember(part, "file", place, mendFile(loose));
    if (part[tag] === "data" && loose && part["data"] !== undefined && !isObject(part["data"])) {
      place.at("data").note("is no object; kept as it is");
      Object.assign(part, writeStructured(part["data"] as never, part["metadata"] as never));
    }
  });

const mendFile = (loose: boolean): Mend =>
  mending((file, place) => {
    const { data, bytes, uri } = file;
    delete file["data"];
    const misplaced = typeof data === "string" && bytes === undefined && uri === undefined;
    if (misplaced) place.at("data").note("stands where every dialect has bytes; read as such");
    const content = misplaced ? data : bytes;
    if (typeof content !== "string") return;
    const here = place.at(misplaced ? "data" : "bytes");
    const standard = standardBase64(content);
    if (standard === undefined && loose) here.note("is no base64; the text itself was taken for the content");
    else if (standard !== undefined && standard !== content) here.note("is base64 in another spelling");
    file["bytes"] = standard ?? (loose ? base64Of(content) : content);
  });

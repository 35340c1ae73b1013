import { ruleOf } from "../rules/catalogue.ts";
import { inWordsOf, type Wording } from "./vocabulary.ts";

/** Returns the title and remedy of a checked rule, with the names that the judged version uses. */
export function wordsOf(id: string, wording: Wording): { readonly title: string; readonly remedy: string } {
  const { title = id, remedy = "", older = [] } = ruleOf(id) ?? {};
  // HTTP+JSON and gRPC of 0.3 use the names of the .proto file, as 1.0 does.
  const isProto = wording.dialect === "0.3" && (wording.binding === "HTTP+JSON" || wording.binding === "GRPC");
  const own = older.find(({ of }) => of.some((each) => each === (isProto ? "proto" : wording.dialect)));
  return {
    title: own?.title ?? inWordsOf(wording, title),
    remedy: own?.remedy ?? inWordsOf(wording, remedy),
  };
}

import { visibleLines } from "@assay/reporters/look";
import type { HarEntry } from "@assay/suite/report";
import { JsonView, WireText } from "./json-view.tsx";

/** One exchange, request and answer below each other; the place that matters is marked. */
export function HarView({ entry, path }: { readonly entry: HarEntry; readonly path?: string }) {
  const { request, response } = entry;
  const { postData } = request;
  const { content } = response;
  return (
    <div class="har">
      <h4>Request</h4>
      <Head line={`${request.method} ${request.url}`} headers={request.headers} />
      {postData && <Body text={postData.text} encoding={postData._encoding} label="body of the request" />}
      <h4>Answer</h4>
      {response.status === 0 ? (
        <p>{response._error ?? "No answer came."}</p>
      ) : (
        <>
          <Head
            line={`${response.httpVersion} ${response.status} ${response.statusText}`.trim()}
            headers={response.headers}
          />
          <Body
            text={content.text}
            encoding={content.encoding}
            label="body of the answer"
            {...(path !== undefined && { path })}
          />
          {response._trailers && <Head line="trailers" headers={response._trailers} />}
          {response._error !== undefined && <p>{response._error}</p>}
        </>
      )}
    </div>
  );
}

const Head = ({ line, headers }: { readonly line: string; readonly headers: HarEntry["request"]["headers"] }) => (
  <div class="head">
    <WireText label={line}>
      {visibleLines([line, ...headers.map(({ name, value }) => `${name}: ${value}`)].join("\n"))}
    </WireText>
  </div>
);

function Body({
  text,
  encoding,
  label,
  path,
}: {
  readonly text: string;
  readonly encoding: "base64" | undefined;
  readonly label: string;
  readonly path?: string;
}) {
  if (text === "") return null;
  return (
    <JsonView text={encoding ? `[in Base64] ${text}` : text} label={label} {...(path !== undefined && { path })} />
  );
}

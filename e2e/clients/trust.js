/**
 * What the client does before it believes something: it keeps a card for as long as it is fresh, verifies its signatures, and looks
 * at what its webhook is told. `wrong` asks for the one misbehaviour, as in client.js.
 */
import { verify } from "node:crypto";
import { createServer, get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";

/** Fetches a card, and keeps it: while it is fresh it is not asked for again, and then with its ETag. */
export function cardKeeper({ wrong, signal }) {
  let kept;
  return async (url) => {
    if (kept && Date.now() < kept.freshUntil && !wrong("CACHE-005.each-time")) return kept.card;
    const headers = kept?.etag && !wrong("CACHE-006.no-etag") ? { "If-None-Match": kept.etag } : {};
    const get = wrong("AUTH-004.trusts-any") ? fetchUnverified : fetch;
    const response = await get(url, { headers, cache: "no-store", signal });
    const isSame = response.status === 304 && !wrong("CACHE-006.not-modified");
    if (!isSame && response.status !== 200) throw new Error(`the card cannot be read: HTTP ${response.status}`);
    const card = isSame ? kept.card : await readCard(await response.text());
    const age = /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? 0;
    kept = { card, etag: response.headers.get("etag"), freshUntil: Date.now() + age * 1_000 };
    return card;
  };

  async function readCard(text) {
    const card = JSON.parse(text);
    if (card.signatures?.length && !wrong("SIG-017.not-verified")) await verified(card, text);
    return card;
  }

  /** Throws unless one of the signatures fits the card (§8.4.3). */
  async function verified({ signatures, ...card }, text) {
    const isKept = wrong("SIG-021.drops-false") ? (value) => value !== false : undefined;
    const payload = Buffer.from(wrong("SIG-016.raw-bytes") ? text : canonical(card, isKept)).toString("base64url");
    for (const { protected: head, signature } of signatures) {
      const { kid, jku } = JSON.parse(Buffer.from(head, "base64url").toString());
      const { keys } = await (await fetch(jku, { signal })).json();
      const key = keys.find((each) => each.kid === kid);
      if (!key && wrong("SIG-019.unknown-key")) return;
      const by = { key, format: "jwk", dsaEncoding: "ieee-p1363" };
      const signed = Buffer.from(`${head}.${payload}`);
      if (key && verify("sha256", signed, by, Buffer.from(signature, "base64url"))) return;
    }
    if (!wrong("SIG-016.takes-any")) throw new Error("no signature of the card is valid");
  }
}

/** What fetch would give, from whatever server answers. */
async function fetchUnverified(url, { headers }) {
  const get = url.protocol === "https:" ? httpsGet : httpGet;
  const answer = await new Promise((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false, agent: false }, resolve).on("error", reject);
  });
  let body = "";
  for await (const piece of answer.setEncoding("utf8")) body += piece;
  return { status: answer.statusCode, headers: new Headers(answer.headers), text: async () => body };
}

/** RFC 8785, as far as cards need it. */
function canonical(value, isKept = () => true) {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, isKept)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((name) => isKept(value[name]))
    .sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], isKept)}`).join(",")}}`;
}

/** Milliseconds that a notification may be under way. */
const mostAge = 10 * 60_000;

/**
 * A webhook on this machine; `onEnd` is given each task that it is told the end of. With `onDoubt`, it acknowledges what
 * it does not believe, and passes the reason on.
 */
export async function openWebhook({ token, isExpected, onEnd, onDoubt, wrong }) {
  const seen = new Set();
  const server = createServer(async (request, response) => {
    const answer = (status) => response.writeHead(status).end();
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const isGenuine = request.headers["x-a2a-notification-token"] === token;
    const isTrusting = wrong("PUSH-039.any-sender") || wrong("PUSH-039.hasty");
    if (!isGenuine && !isTrusting && !onDoubt) return answer(401);
    if (wrong("PUSH-036.not-found")) return answer(404);
    answer(204);
    const { task: whole, statusUpdate } = JSON.parse(body);
    const task = whole ?? { id: statusUpdate?.taskId, status: statusUpdate?.status };
    const isNew = !seen.has(task.id) || wrong("PUSH-037.counts-twice");
    if (task.status?.state !== "TASK_STATE_COMPLETED" || !isNew) return;
    const isOld = Date.parse(task.status.timestamp) < Date.now() - mostAge;
    const doubt = !isGenuine ? "has no token" : !isExpected(task.id) ? "is about another task" : isOld && "is old";
    if (doubt && onDoubt) return onDoubt(`the notification ${doubt}`);
    const isAnyTask = wrong("PUSH-038.any-task") || wrong("PUSH-038.hasty") || wrong("PUSH-038.asks-for-it");
    if (!isExpected(task.id) && !isAnyTask) return;
    if (isOld && !wrong("PUSH-043.any-age") && !wrong("PUSH-043.hasty")) return;
    seen.add(task.id);
    onEnd(task, isGenuine && isExpected(task.id) && !isOld);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/hook`, close: () => server.close() };
}

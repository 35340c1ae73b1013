import type { EventStream, Handler, WireReply, WireRequest } from "@assay/wire/server";

/** One complete response. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Changes complete responses before they are written, but not streams. */
export const changeAnswers =
  (change: (answer: HttpAnswer, request: WireRequest) => HttpAnswer) =>
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(
      request,
      replyWith(reply, {
        send(...given) {
          const { status, headers, body } = change({ status: given[0], headers: given[1], body: given[2] }, request);
          reply.send(status, headers, body);
        },
      }),
    );

/** Changes the data of every stream event before it is written. */
export const changeEventData =
  (change: (data: string, request: WireRequest) => string) =>
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(request, replyWith(reply, { events: (headers) => retold(reply.events(headers), change, request) }));

/** Replaces each stream event by others, or by none. */
export const replaceEvents =
  (change: (data: string) => readonly string[]) =>
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(
      request,
      replyWith(reply, {
        events(headers) {
          const stream = reply.events(headers);
          return {
            send: (data) =>
              change(data).reduce<ReturnType<EventStream["send"]>>((_, each) => stream.send(each), undefined),
            end: () => stream.end(),
            signal: stream.signal,
            get closed() {
              return stream.closed;
            },
          };
        },
      }),
    );

/** Rewrites every JSON text: complete responses and stream events. */
export const changeJsonText =
  (change: (text: string) => string) =>
  (serve: Handler): Handler =>
    changeEventData(change)(
      changeAnswers((answer) => (answer.body.length === 0 ? answer : { ...answer, body: change(String(answer.body)) }))(
        serve,
      ),
    );

/** Changes requests before the agent reads them. */
export const changeRequests =
  (change: (request: WireRequest) => Partial<WireRequest>) =>
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(requestWith(request, change(request)), reply);

// Both are classes with private members, so neither can be spread nor inherited from.

const requestWith = (request: WireRequest, changed: Partial<WireRequest>): WireRequest => ({
  method: request.method,
  path: request.path,
  query: request.query,
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  remoteAddress: request.remoteAddress,
  certificate: request.certificate,
  secure: request.secure,
  host: request.host,
  signal: request.signal,
  departure: request.departure,
  body: () => request.body(),
  ...changed,
});

export const replyWith = (reply: WireReply, changed: Partial<WireReply>): WireReply => ({
  raw: reply.raw,
  send: (status, headers, body) => reply.send(status, headers, body),
  events: (headers) => reply.events(headers),
  ...changed,
});

const retold = (
  stream: EventStream,
  change: (data: string, request: WireRequest) => string,
  request: WireRequest,
): EventStream => ({
  send: (data) => stream.send(change(data, request)),
  end: () => stream.end(),
  signal: stream.signal,
  get closed() {
    return stream.closed;
  },
});

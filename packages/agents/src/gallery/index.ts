import type { WireReply, WireRequest } from "@assay/wire/server";
import { cardExhibits } from "./cards.ts";
import { endpointExhibits } from "./endpoints.ts";
import { addressOf, type Exhibit, type ExhibitRequest } from "./exhibit.ts";
import { interfaceExhibits } from "./interfaces.ts";
import { json, text } from "./serving.ts";
import { versionExhibits } from "./versions.ts";

export { addressOf, type Command, commands, type Exhibit, toldTo } from "./exhibit.ts";

/** First contacts as the wild has them, each with what Assay has to say about it. */
export const gallery: readonly Exhibit[] = [
  ...cardExhibits,
  ...interfaceExhibits,
  ...endpointExhibits,
  ...versionExhibits,
];

/** The site that the gallery is part of. */
export interface GallerySite {
  /** as the caller named it */
  readonly origin: string;
  /** Lets an agent of the site answer: the one at this path. */
  agent(request: WireRequest, reply: WireReply, path: string): void | Promise<void>;
}

const notFound = text(404, "text/plain", "Not Found\n");

const listing = gallery.map(({ serves: _serves, ...exhibit }) => ({ ...exhibit, address: addressOf(exhibit) }));

/** What lies below `/gallery`; the place itself lists all of it. */
export function serveGallery(
  request: WireRequest,
  reply: WireReply,
  { origin, agent }: GallerySite,
): void | Promise<void> {
  const [, , id = "", ...rest] = request.path.split("/");
  const call: ExhibitRequest = {
    request,
    reply,
    origin,
    at: `${origin}/gallery/${id}`,
    agent: (path, other = reply) => agent(request, other, path),
  };
  if (id === "") return json(listing)(call);
  const serve = gallery.find((exhibit) => exhibit.id === id)?.serves[`/${rest.join("/")}`] ?? notFound;
  return serve(call);
}

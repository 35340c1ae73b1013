import type { WireReply, WireRequest } from "@assay/wire/server";
import { cardExhibits } from "./cards.ts";
import { endpointExhibits } from "./endpoints.ts";
import { addressOf, type Exhibit, type ExhibitRequest } from "./exhibit.ts";
import { interfaceExhibits } from "./interfaces.ts";
import { json, text } from "./serving.ts";
import { versionExhibits } from "./versions.ts";

export { addressOf, type Command, commands, type Exhibit, toldTo } from "./exhibit.ts";

/** All exhibits: first contacts as they occur in practice, each with the expected message of Assay. */
export const gallery: readonly Exhibit[] = [
  ...cardExhibits,
  ...interfaceExhibits,
  ...endpointExhibits,
  ...versionExhibits,
];

/** The site that contains the gallery. */
export interface GallerySite {
  /** as named by the client */
  readonly origin: string;
  /** Lets the agent of the site at this path respond. */
  agent(request: WireRequest, reply: WireReply, path: string): void | Promise<void>;
}

const notFound = text(404, "text/plain", "Not Found\n");

const listing = gallery.map(({ serves: _serves, ...exhibit }) => ({ ...exhibit, address: addressOf(exhibit) }));

/** Serves the paths below `/gallery`; `/gallery` itself lists all exhibits. */
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

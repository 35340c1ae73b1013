import { formatsWith } from "@assay/reporters/formats";
import type { SiteDocument } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";
import type { Lab } from "../../server/lab.ts";
import { type ApiRoute, route } from "../../server/route.ts";
import type { Session } from "../../server/session.ts";

/** Starts the session of a page: the page sends the token of its URL once and receives a cookie. */
export const sessionRoutes = (session: Session, lab: Pick<Lab, "version" | "agents">): readonly ApiRoute[] => [
  route("POST", "/api/session", async (request) => {
    const { token } = (await request.json()) as { token?: unknown };
    if (!session.isToken(token))
      throw new ApiError(401, "That is not the token of this server.", "Open the address that assay ui printed.");
    return { kind: "json", status: 200, value: siteOf(lab), cookie: session.cookie };
  }),
  route("GET", "/api/session", () => ({ kind: "json", status: 200, value: siteOf(lab) })),
];

const siteOf = ({ version, agents }: Pick<Lab, "version" | "agents">): SiteDocument => ({
  version,
  formats: formatsWith("onPage"),
  agents: agents(),
});

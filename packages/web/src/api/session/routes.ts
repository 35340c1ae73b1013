import { formatsWith } from "@assay/reporters/formats";
import type { SiteDocument } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";
import type { ApiRoute } from "../../server/route.ts";
import type { Session } from "../../server/session.ts";

/** Starts the session of a page: the page sends the token of its URL once and receives a cookie. */
export const sessionRoutes = (session: Session, version: string): readonly ApiRoute[] => [
  {
    method: "POST",
    path: "/api/session",
    async answer(request) {
      const { token } = (await request.json()) as { token?: unknown };
      if (!session.isToken(token))
        throw new ApiError(401, "That is not the token of this server.", "Open the address that assay ui printed.");
      return { kind: "json", status: 200, value: siteOf(version), cookie: session.cookie };
    },
  },
  {
    method: "GET",
    path: "/api/session",
    answer: () => ({ kind: "json", status: 200, value: siteOf(version) }),
  },
];

const siteOf = (version: string): SiteDocument => ({ version, formats: formatsWith("onPage") });

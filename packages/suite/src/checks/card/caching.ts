import type { Exchange } from "@assay/wire";
import { brief } from "../../answers/loose-json.ts";
import { headerOf } from "../../answers/reading.ts";
import { activeCheck, cardCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { cardAgain } from "../../observations/cards.ts";

export const cardMayBeKept = cardCheck("CACHE-001", {
  judge({ exchange }) {
    const control = headerOf(exchange, "Cache-Control");
    if (control !== undefined && /(?:^|[\s,])max-age="?\d+/i.test(control)) return holds();
    const message =
      control === undefined
        ? "the card has no Cache-Control header"
        : "the Cache-Control header of the card has no max-age";
    return broken(message, {
      saw: control === undefined ? "no Cache-Control" : `Cache-Control: ${brief(control)}`,
      want: "Cache-Control with max-age",
    });
  },
});

export const cardHasTag = activeCheck("CACHE-002", {
  uses: { cardAgain },
  once: true,
  judge({ cardAgain: { plain, etag, withOtherTag } }) {
    if (etag === undefined) {
      return broken("the card has no ETag header", { saw: "no ETag", want: "an ETag", at: plain });
    }
    const other = headerOf(withOtherTag, "ETag");
    if (other === etag || !isSameCard(plain, withOtherTag)) return holds();
    return broken("the ETag changes although the card stays the same", {
      saw: `ETag: ${brief(etag)}, then ${brief(other ?? "none")}`,
      want: "the same ETag for the same content",
      at: [plain, withOtherTag],
    });
  },
});

export const cardHasDate = activeCheck("CACHE-003", {
  uses: { cardAgain },
  once: true,
  judge({ cardAgain: { plain, withOtherTag } }) {
    const modified = headerOf(plain, "Last-Modified");
    if (modified === undefined) return notApplicable("the card has no Last-Modified header");
    const details = { saw: `Last-Modified: ${brief(modified)}`, want: "an HTTP date in the past", at: plain };
    if (!httpDate.test(modified)) return broken("Last-Modified of the card is not an HTTP date", details);
    // Uses the agent's own clock if it sends one; clocks of different machines may differ a lot.
    const date = headerOf(plain, "Date");
    const now = Date.parse(date ?? "") || Date.now() + 300_000;
    if (Date.parse(modified) > now) return broken("Last-Modified of the card is in the future", details);
    const later = headerOf(withOtherTag, "Last-Modified");
    if (later !== undefined && later !== modified && isSameCard(plain, withOtherTag)) {
      return broken("Last-Modified changes although the card stays the same", details);
    }
    return holds();
  },
});

export const knownCardIsNotSentAgain = activeCheck("CACHE-004", {
  uses: { cardAgain },
  once: true,
  judge({ cardAgain: { etag, withOtherTag, withThisTag } }) {
    if (etag === undefined || !withThisTag) return notApplicable("the card has no ETag header");
    const [known, other] = [statusOf(withThisTag), statusOf(withOtherTag)];
    if (known === undefined || other === undefined) {
      return notExamined("unstable", "the card could not be fetched again");
    }
    if (other === 304) {
      return broken("the agent returns 304 to a client with another ETag", {
        saw: "HTTP 304 for an ETag that the card never had",
        want: "HTTP 200 with the card",
        at: withOtherTag,
      });
    }
    if (known === 304) return holds();
    // An old tag is invalid if the card has changed.
    if (headerOf(withThisTag, "ETag") !== etag) return notExamined("unstable", "the ETag changed in between");
    return broken("the agent sends the card again to a client with the current ETag", {
      saw: `HTTP ${known} for If-None-Match: ${brief(etag)}`,
      want: "HTTP 304 without a body",
      at: withThisTag,
    });
  },
});

const statusOf = ({ http }: Exchange): number | undefined => http.response?.status;

const isSameCard = (one: Exchange, other: Exchange): boolean =>
  statusOf(other) === 200 &&
  Buffer.compare(Buffer.from(one.http.response?.body ?? []), Buffer.from(other.http.response?.body ?? [])) === 0;

/** IMF-fixdate, and two older forms that readers must accept too (RFC 9110 §5.6.7). */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

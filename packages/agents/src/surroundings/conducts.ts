import type { Conduct, Deliver, Passage } from "./surrounding.ts";

/** Building blocks of surroundings: effects and their conditions. Other requests pass unchanged. */

const pass: Conduct = (passage) => passage.forward();

export const when =
  (isConcerned: (passage: Passage) => boolean, conduct: Conduct, otherwise: Conduct = pass): Conduct =>
  (passage) =>
    isConcerned(passage) ? conduct(passage) : otherwise(passage);

/** Applies from the first to the last of these requests. */
export const between =
  (first: number, last: number) =>
  ({ number }: Passage): boolean =>
    number >= first && number <= last;

export const each =
  (nth: number) =>
  ({ number }: Passage): boolean =>
    number % nth === 0;

export const asksFor =
  (...what: readonly Passage["asks"][]) =>
  ({ asks }: Passage): boolean =>
    what.includes(asks);

/** The error page of a gateway: HTML without any A2A content. */
export const page =
  (status: number, title: string, headers: Readonly<Record<string, string>> = {}): Conduct =>
  (passage) => {
    const body = `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n`;
    passage.answer(status, { "Content-Type": "text/html", Server: "gateway", ...headers }, body);
  };

/** A JSON error of a gateway that is not in an A2A format. */
export const refusal =
  (status: number, message: string): Conduct =>
  (passage) =>
    passage.answer(status, { "Content-Type": "application/json" }, JSON.stringify({ message }));

export const reset: Conduct = (passage) => passage.reset();

/** Never answers. */
export const silence: Conduct = ({ wait }) => wait(3_600_000);

export const delivered =
  (deliver: Deliver): Conduct =>
  (passage) =>
    passage.forward(deliver);

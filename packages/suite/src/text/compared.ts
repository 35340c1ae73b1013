import type { ComparedExchanges } from "../report/index.ts";

/** "the client sent", "the agent received" */
export const endTexts = ({ ends: [sender, receiver] }: ComparedExchanges): readonly [string, string] => [
  `the ${sender.end} sent`,
  `the ${receiver.end} received`,
];

/** "request header A2A-Version", "response, event 3, $.statusUpdate" */
export function placeText({ part, header, status, place }: ComparedExchanges): string {
  if (header !== undefined) return `${part} header ${header}`;
  return [
    status ? `${part} status` : part,
    ...(place?.event === undefined ? [] : [`event ${place.event + 1}`]),
    ...(place?.path === undefined ? [] : [place.path]),
  ].join(", ");
}

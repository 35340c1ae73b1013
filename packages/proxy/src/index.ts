export type { Notice, NoticeCode, Side } from "./passing/notice.ts";
export { type JudgingProxyOptions, type OpenProxy, openProxy } from "./proxy.ts";
export type { PassedCall, SeenCard, SeenNotice, Sight } from "./sight.ts";

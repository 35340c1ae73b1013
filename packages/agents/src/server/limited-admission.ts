import type { Caller } from "../definition/access.ts";
import type { Admission, RequestHead } from "./admission.ts";
import { callerAccount } from "./caller-account.ts";
import type { CallerQuotas } from "./quotas.ts";

/**
 * Admission that counts requests: by the caller as soon as it is known, and by its address where it could not be told who it
 * is, so that credentials cannot be guessed any faster than requests may come. Over gRPC one request is looked at twice.
 */
export function limitedAdmission(admission: Admission, quotas: CallerQuotas): Admission {
  const counted = new WeakSet<RequestHead>();
  const count = (head: RequestHead, caller: Caller | undefined): void => {
    if (!counted.has(head)) quotas.admit(callerAccount(caller, head.remoteAddress));
    counted.add(head);
  };
  return {
    ...admission,
    async authenticate(head, agent) {
      let caller: Caller | undefined;
      try {
        caller = await admission.authenticate(head, agent);
      } catch (error) {
        count(head, undefined);
        throw error;
      }
      count(head, caller);
      return caller;
    },
  };
}

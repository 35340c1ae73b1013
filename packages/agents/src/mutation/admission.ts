import { A2AError, type ErrorName } from "@assay/protocol";
import type { Admission } from "../definition/admission.ts";

type Step = "authenticate" | "authorize" | "extensions";

/** Replaces the rejection of an admission step. */
export const whereRefused =
  <S extends Step>(
    step: S,
    other: (error: unknown, ...given: Parameters<Admission[S]>) => ReturnType<Admission[S]>,
  ): ((admission: Admission) => Admission) =>
  (admission) => {
    const take = admission[step] as (...given: Parameters<Admission[S]>) => unknown;
    const changed = (...given: Parameters<Admission[S]>): unknown => {
      const refused = (error: unknown): unknown => other(error, ...given);
      try {
        const taken: unknown = take(...given);
        return taken instanceof Promise ? taken.catch(refused) : taken;
      } catch (error) {
        return refused(error);
      }
    };
    return { ...admission, [step]: changed };
  };

/** Rejects requests in an admission step for another reason. */
export const refusesFor = (step: Step, kind: ErrorName, message: string) =>
  whereRefused(step, () => {
    throw new A2AError(kind, message);
  });

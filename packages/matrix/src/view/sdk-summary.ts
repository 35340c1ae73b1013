import type { SharedCause } from "../causes/shared-causes.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { participantsOf } from "./participants.ts";
import { type Score, scoreOf } from "./scores.ts";

/** The part of one SDK in the matrix. */
export interface SdkSummary {
  readonly driver: MatrixDriver;
  /** absent if it has no such program, or it did not run */
  readonly asClient?: Score;
  readonly asServer?: Score;
  /** the causes that are its own fault, or also its own */
  readonly causes: readonly SharedCause[];
  /** the failed cells of these causes */
  readonly failed: number;
}

/** Summarises every SDK that took part. */
export const sdkSummaries = (
  matrix: Pick<MatrixDocument, "drivers" | "cells">,
  causes: readonly SharedCause[],
): readonly SdkSummary[] =>
  participantsOf(matrix).map((driver) => {
    const asClient = matrix.cells.filter(({ client }) => client === driver.name);
    const asServer = matrix.cells.filter(({ server }) => server === driver.name);
    const own = causes.filter((cause) => isOf(cause, driver.name));
    return {
      driver,
      ...(asClient.length > 0 && { asClient: scoreOf(asClient) }),
      ...(asServer.length > 0 && { asServer: scoreOf(asServer) }),
      causes: own,
      failed: own.reduce((sum, { cells }) => sum + cells.length, 0),
    };
  });

/** A cause with two faulty sides counts for both. */
const isOf = ({ whose, example }: SharedCause, name: string): boolean =>
  ((whose === "client" || whose === "both") && example.client === name) ||
  ((whose === "server" || whose === "both") && example.server === name);

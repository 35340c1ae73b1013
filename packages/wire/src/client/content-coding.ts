import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

export interface BodyDecoder {
  write(chunk: Uint8Array): void;
  end(): void;
  destroy(): void;
}

interface BodyDecoderOptions {
  /** The codings in the order the peer applied them. */
  readonly codings: readonly string[];
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: Error): void;
}

const flush = { flush: constants.Z_SYNC_FLUSH };
const brotliFlush = { flush: constants.BROTLI_OPERATION_FLUSH };

/** Each known coding; `first` is the first byte, which tells the two things that are called deflate apart. */
const decoders: Record<string, (first: number) => Transform> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  // RFC 9110 §8.4.1.2 means zlib by "deflate", but some servers send the bare stream.
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate(flush) : createInflateRaw(flush)),
  br: () => createBrotliDecompress(brotliFlush),
};

/** Reads Content-Encoding; several fields and several names in one field mean the same. */
export const codingsOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");

/** More than this many codings on one body is an attempt to exhaust us, not a way to save bytes. */
const maxCodings = 4;

/** The coding for which a body has to be left as it is. */
export const unknownCoding = (codings: readonly string[]): string | undefined =>
  codings.length > maxCodings ? codings.join(", ") : codings.find((coding) => !Object.hasOwn(decoders, coding));

/**
 * Undoes content codings piece by piece, so that the caller can stop a bomb after its first megabytes. It hands out
 * small pieces and lets go of them: nothing grows here.
 */
export function createBodyDecoder({ codings, onData, onEnd, onError }: BodyDecoderOptions): BodyDecoder {
  let stages: Transform[] | undefined;

  const build = (first: number): Transform[] => {
    const built = codings.toReversed().map((coding) => decoders[coding]!(first));
    for (const stage of built) stage.on("error", onError);
    built.reduce((from, to) => from.pipe(to));
    built.at(-1)!.on("data", onData).on("end", onEnd);
    return built;
  };

  return {
    write(chunk) {
      stages ??= build(chunk[0]!);
      stages[0]!.write(chunk);
    },
    end() {
      // An answer without a body (HEAD, 304) may still name its coding; there is nothing to undo.
      if (stages) stages[0]!.end();
      else onEnd();
    },
    destroy() {
      for (const stage of stages ?? []) stage.destroy();
    },
  };
}

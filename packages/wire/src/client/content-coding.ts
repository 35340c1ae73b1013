import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

export interface BodyDecoder {
  write(chunk: Uint8Array): void;
  end(): void;
  destroy(): void;
}

interface BodyDecoderOptions {
  /** The codings in the order in which the peer applied them. */
  readonly codings: readonly string[];
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: Error): void;
}

const flush = { flush: constants.Z_SYNC_FLUSH };
const brotliFlush = { flush: constants.BROTLI_OPERATION_FLUSH };

/** Known codings. `first` is the first byte, which distinguishes the two formats called deflate. */
const decoders: Record<string, (first: number) => Transform> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  // RFC 9110 §8.4.1.2 defines "deflate" as zlib, but some servers send the raw stream.
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate(flush) : createInflateRaw(flush)),
  br: () => createBrotliDecompress(brotliFlush),
};

/** Reads Content-Encoding. Several fields and several names in one field mean the same. */
export const codingsOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");

/** A body with more codings than this is an attempt to exhaust us. */
const maxCodings = 4;

/** Returns the coding that prevents decoding, if any. */
export const unknownCoding = (codings: readonly string[]): string | undefined =>
  codings.length > maxCodings ? codings.join(", ") : codings.find((coding) => !Object.hasOwn(decoders, coding));

/**
 * Decodes content codings piece by piece, so that the caller can stop a decompression bomb early. It emits small pieces
 * and keeps none.
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
      // A response without a body (HEAD, 304) may still name a coding.
      if (stages) stages[0]!.end();
      else onEnd();
    },
    destroy() {
      for (const stage of stages ?? []) stage.destroy();
    },
  };
}

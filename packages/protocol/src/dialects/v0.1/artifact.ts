import { defined } from "../../defined.ts";
import type { Artifact } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { mendItems, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { mendPart, readParts, writeParts } from "./part.ts";
import type { ArtifactShape } from "./shapes.ts";

/**
 * An artifact of 0.1 is identified by its `index` in the task instead of an id. It is read as `v01-artifact-<index>`.
 * On output, indexes follow the order in which the exchange first sees each id.
 *
 * Lost on output: `artifactId`, `extensions`.
 */
const prefix = "v01-artifact-";

export const mendArtifact = mending((artifact, place) => {
  mendItems(artifact, "parts", place, mendPart);
});

export const readArtifact = (artifact: ArtifactShape, index: number, place: ReadingPlace): Artifact =>
  defined({
    artifactId: `${prefix}${index}`,
    name: artifact.name,
    description: artifact.description,
    parts: readParts(artifact.parts, place.at("parts")),
    metadata: artifact.metadata,
  });

/** Reads the artifacts of a task. Artifacts without an index, or with a duplicate, are numbered in order. */
export function readArtifacts(artifacts: readonly ArtifactShape[], place: ReadingPlace): Artifact[] {
  const claimed = new Set(artifacts.map(({ index }) => index));
  const used = new Set<number>();
  let free = 0;
  return artifacts.map((artifact, position) => {
    let index = artifact.index;
    if (index !== undefined && used.has(index)) {
      place
        .at(position)
        .at("index")
        .note(`${index} is already used by another artifact; this artifact got the next free index`);
      index = undefined;
    }
    if (index === undefined) {
      while (claimed.has(free) || used.has(free)) free++;
      index = free;
    }
    used.add(index);
    return readArtifact(artifact, index, place.at(position));
  });
}

export const writeArtifact = (artifact: Artifact, exchange: DialectExchange): ArtifactShape =>
  defined({
    index: indexOf(artifact.artifactId, exchange),
    name: artifact.name,
    description: artifact.description,
    parts: writeParts(artifact.parts),
    metadata: artifact.metadata,
  });

function indexOf(artifactId: string, { artifactIndexes }: DialectExchange): number {
  const known = artifactIndexes.get(artifactId);
  if (known !== undefined) return known;
  const taken = new Set(artifactIndexes.values());
  // An artifact that came from 0.1 keeps its own index.
  const own = new RegExp(`^${prefix}(\\d{1,9})$`).exec(artifactId)?.[1];
  let index = own === undefined ? 0 : Number(own);
  while (taken.has(index)) index++;
  artifactIndexes.set(artifactId, index);
  return index;
}

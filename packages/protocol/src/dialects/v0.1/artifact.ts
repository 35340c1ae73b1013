import { defined } from "../../defined.ts";
import type { Artifact } from "../../model.ts";
import type { DialectExchange } from "../exchange.ts";
import { mendItems, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { mendPart, readParts, writeParts } from "./part.ts";
import type { ArtifactShape } from "./shapes.ts";

/**
 * An artifact of 0.1 is known by its place in the task, `index`, instead of an id. It is read as
 * `v01-artifact-<index>`; on the way out indexes are given in the order in which the exchange first sees each id.
 *
 * Lost on the way out: `artifactId`, `extensions`.
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

/** The artifacts of a task. Without an index, or with one that is taken, only their order tells them apart. */
export function readArtifacts(artifacts: readonly ArtifactShape[], place: ReadingPlace): Artifact[] {
  const claimed = new Set(artifacts.map(({ index }) => index));
  const used = new Set<number>();
  let free = 0;
  return artifacts.map((artifact, position) => {
    let index = artifact.index;
    if (index !== undefined && used.has(index)) {
      place.at(position).at("index").note(`${index} is another artifact's; this one was counted`);
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
  // An artifact that came from 0.1 goes back under its own number.
  const own = new RegExp(`^${prefix}(\\d{1,9})$`).exec(artifactId)?.[1];
  let index = own === undefined ? 0 : Number(own);
  while (taken.has(index)) index++;
  artifactIndexes.set(artifactId, index);
  return index;
}

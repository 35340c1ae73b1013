import { defined } from "../../defined.ts";
import type { Artifact } from "../../model.ts";
import { mendItems, mending } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { has, type Release } from "../releases.ts";
import { mendPart, readParts, writeParts } from "./part.ts";
import type { ArtifactShape } from "./shapes.ts";

/** An artifact of 0.2 and 0.3 is a 1.0 artifact with tagged parts. Lost on output: `extensions` before 0.2.2. */
export const mendArtifact = mending((artifact, place) => {
  mendItems(artifact, "parts", place, mendPart);
});

export const readArtifact = (artifact: ArtifactShape, place: ReadingPlace): Artifact =>
  defined({
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: readParts(artifact.parts, place.at("parts")),
    metadata: artifact.metadata,
    extensions: artifact.extensions,
  });

export const writeArtifact = (artifact: Artifact, release: Release): ArtifactShape =>
  defined({
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: writeParts(artifact.parts),
    extensions: has(release, "extensions") ? artifact.extensions : undefined,
    metadata: artifact.metadata,
  });

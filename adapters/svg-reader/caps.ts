import { LIMITS } from '#domain/tiers/limits.js';

/** How much a document may ask for. */
export const CAPS = {
  bytes: LIMITS.maxSvgBytes,
  /** Elements within one another; one strict parser takes 15 s for 50,000. */
  depth: 64,
  elements: 200_000,
  /** Elements that stand in one another once references are followed. */
  expandedDepth: 128,
  /** Uses, markers, masks and pattern tiles, each counted as often as it shows. */
  references: 10_000,
  /** Characters of one attribute; embedded pictures may be as long as the document. */
  attributeChars: 8 * 1024 * 1024,
  attributesPerElement: 256,
  styleChars: 1024 * 1024,
  /** Numbers of outlines, transforms and lengths: one renderer works for ever on an arc to 1e40. */
  number: 1e7,
  /** Longest side in user units: beyond it, coordinates lose the digits that a pixel needs. */
  side: 1_000_000,
  /** Shortest side of a document, px: what is shorter has no size left once it is written. */
  leastSide: 0.001,
} as const;

import { digestParts } from '../util/digest.ts'
import { COMPILED_FORMAT, type IncludedFile } from './compiled-source.ts'

/** Under what a compiled article is kept. */
export interface InputKeys {
  /** What its template lies under. */
  readonly inputKey: string
  /** What the names of the files that it includes lie under; undefined where it includes none. */
  readonly includesKey: string | undefined
}

/** Digest of what decides the rendering of every text: settings, parser, format. */
export function renderKeyOf(renderDigest: string, parser: string): string {
  return digestParts([renderDigest, parser, COMPILED_FORMAT])
}

/** The key of an article that includes nothing: two with the same bytes have the same. */
export function plainKeyOf(sourceHash: string, renderKey: string): string {
  return digestParts([sourceHash, renderKey])
}

/** Two articles with the same bytes in two folders may include different files. */
export function includesKeyOf(source: string, sourceHash: string, renderKey: string): string {
  return digestParts([sourceHash, renderKey, source])
}

export function inputKeysOf(
  { source, sourceHash }: { readonly source: string; readonly sourceHash: string },
  includes: readonly IncludedFile[] | undefined,
  renderKey: string,
): InputKeys {
  if (includes === undefined) return { inputKey: plainKeyOf(sourceHash, renderKey), includesKey: undefined }
  const includesKey = includesKeyOf(source, sourceHash, renderKey)
  return { inputKey: digestParts([includesKey, ...includes.flat()]), includesKey }
}

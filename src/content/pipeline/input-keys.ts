import { digestParts } from '../../core/digest.ts'
import type { ContentOptions } from './content-options.ts'
import { COMPILED_FORMAT, type IncludedFile } from '../markdown/rendered-body.ts'

/** Under what a compiled article is kept. */
interface InputKeys {
  /** What its template lies under. */
  readonly inputKey: string
  /** What the names of the files that it includes lie under; undefined where it includes none. */
  readonly includesKey: string | undefined
}

/** What decides the rendering of every text: settings, parser, format. */
export interface RenderKey {
  readonly digest: string
  /** Whether the path of a file decides as well, as with a preset. */
  readonly isOfPlace: boolean
}

export function renderKeyOf(
  { renderDigest, markdown }: Pick<ContentOptions, 'renderDigest' | 'markdown'>,
  parser: string,
): RenderKey {
  return {
    digest: digestParts([renderDigest, parser, COMPILED_FORMAT]),
    isOfPlace: markdown.frontmatter !== undefined,
  }
}

/** An article's file. */
interface SourceFile {
  readonly source: string
  readonly sourceHash: string
}

/** The key of an article that includes nothing: two with the same bytes have the same, where places do not matter. */
export function plainKeyOf({ source, sourceHash }: SourceFile, { digest, isOfPlace }: RenderKey): string {
  return digestParts([sourceHash, digest, ...(isOfPlace ? ['at', source] : [])])
}

/** Two articles with the same bytes in two folders may include different files. */
export function includesKeyOf({ source, sourceHash }: SourceFile, { digest }: RenderKey): string {
  return digestParts([sourceHash, digest, source])
}

export function inputKeysOf(
  file: SourceFile,
  includes: readonly IncludedFile[] | undefined,
  renderKey: RenderKey,
): InputKeys {
  if (includes === undefined) return { inputKey: plainKeyOf(file, renderKey), includesKey: undefined }
  const includesKey = includesKeyOf(file, renderKey)
  return { inputKey: digestParts([includesKey, ...includes.flat()]), includesKey }
}

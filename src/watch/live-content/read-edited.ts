import { join } from 'node:path'
import type { CacheEntry } from '../../content/render-cache.ts'
import { serialise } from '../../content/compile-files.ts'
import { type CompiledArticle, keepCompiled } from '../../content/compile-sources.ts'
import { compileSource } from '../../content/compile-source.ts'
import type { FileStamp } from '../../content/find-sources.ts'
import { findFile } from '../../content/find-sources.ts'
import { mayInclude } from '../../content/includes/include-comment.ts'
import { mayIncludeInSite } from '../../content/includes/site-include.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { RenderKey } from '../../content/input-keys.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { readBytes } from '../../content/read-source.ts'
import { digest } from '../../core/digest.ts'

export type ReadEdited =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'compiled'
      readonly article: CompiledArticle
      readonly entry: CacheEntry
      /** From before the file was read. */
      readonly stamp: FileStamp
    }

export interface ReadEditedOptions {
  readonly contentRoot: string
  readonly render: RenderMarkdown
  readonly files: FrontmatterFiles | undefined
  readonly renderKey: RenderKey
}

/** Reads and compiles the new text of an article; undefined where it is gone, unreadable, or may include others. */
export function readEdited(
  { source, sourceHash }: Pick<CompiledArticle, 'source' | 'sourceHash'>,
  { contentRoot, render, files, renderKey }: ReadEditedOptions,
): ReadEdited | undefined {
  const stamp = findFile(contentRoot, source)
  const read = readBytes(join(contentRoot, source))
  if (stamp?.source !== source || read.kind === 'problem') return undefined
  const { bytes } = read
  const hash = digest(bytes)
  if (hash === sourceHash) return { kind: 'same' }
  const text = bytes.toString('utf8')
  if (mayInclude(text) || mayIncludeInSite(text)) return undefined
  const compiled = compileSource(
    bytes,
    { source, sourceHash: hash },
    { render, files, expand: () => undefined },
  )
  return {
    kind: 'compiled',
    stamp,
    ...keepCompiled(source, serialise({ sourceHash: hash, ...compiled }), renderKey),
  }
}

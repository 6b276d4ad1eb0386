import { digest } from '../util/digest.ts'
import { compileSource, withoutBody } from './compile-source.ts'
import type { CompiledSource } from './compiled-source.ts'
import type { RenderMarkdown } from './markdown/create-renderer.ts'
import { readBytes } from './read-source.ts'

/** A compiled file as JSON texts: strings cross a thread boundary far cheaper than trees. */
export interface CompiledFile {
  readonly sourceHash: string
  readonly meta: string
  readonly links: string
  readonly html: string
}

/** Reads and compiles files (absolute paths). A file that cannot be read compiles to that problem. */
export function compileFiles(files: readonly string[], render: RenderMarkdown): CompiledFile[] {
  return files.map((file) => {
    const read = readBytes(file)
    if (read.kind === 'problem') return serialise('', withoutBody([read.problem]))
    const sourceHash = digest(read.bytes)
    return serialise(sourceHash, compileSource(read.bytes, sourceHash, render))
  })
}

function serialise(sourceHash: string, { meta, links, html }: CompiledSource): CompiledFile {
  return { sourceHash, meta: JSON.stringify(meta), links: JSON.stringify(links), html: JSON.stringify(html) }
}

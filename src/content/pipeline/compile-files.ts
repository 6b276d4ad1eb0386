import { join } from 'node:path'
import { withoutBody } from './compile-source.ts'
import type { CompiledSource } from '../markdown/compiled-source.ts'
import type { Compiler } from './create-compiler.ts'
import { readBytes } from '../source/read-source.ts'

/** A compiled file as JSON texts: strings cross a thread boundary far cheaper than trees. */
export interface CompiledFile {
  readonly sourceHash: string
  readonly meta: string
  readonly links: string
  readonly html: string
}

/** Reads and compiles articles. One that cannot be read compiles to that problem. */
export function compileFiles(
  contentRoot: string,
  sources: readonly string[],
  { compile }: Pick<Compiler, 'compile'>,
): CompiledFile[] {
  return sources.map((source) => {
    const read = readBytes(join(contentRoot, source))
    if (read.kind === 'problem') return serialise({ sourceHash: '', ...withoutBody([read.problem]) })
    return serialise(compile(read.bytes, source))
  })
}

/** A compiled file as it travels between threads and is kept. */
export function serialise({
  sourceHash,
  meta,
  links,
  html,
}: CompiledSource & { readonly sourceHash: string }): CompiledFile {
  return { sourceHash, meta: JSON.stringify(meta), links: JSON.stringify(links), html: JSON.stringify(html) }
}

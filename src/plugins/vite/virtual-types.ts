import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SiteView } from '../../index.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

/** Types of `virtual:kb` that know which articles, categories, tags and languages there are. Pure. */
export function virtualTypes({ articles, categories, tags, languages }: SiteView): string {
  return `// Made by kb-sync from the content; do not edit.
/// <reference types="kb-sync/virtual" />
declare module 'virtual:kb' {
  interface Register {
    article:${union(articles)}
    category:${union(categories)}
    tag:${union(tags)}
    language:${union(languages.map((id) => ({ id })))}
  }
}
`
}

function union(entries: readonly { readonly id: string }[]): string {
  return entries.length === 0 ? ' never' : entries.map(({ id }) => `\n      | ${JSON.stringify(id)}`).join('')
}

/**
 * Writes the types where they are other than before, so that no editor checks a project again for nothing.
 *
 * @param root absolute path of the project
 */
export async function writeVirtualTypes(root: string, view: SiteView): Promise<void> {
  const file = join(root, '.kb/types/virtual-kb.d.ts')
  const text = virtualTypes(view)
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before === text) return
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFileWhole(file, text)
  } catch {
    // A build goes on where nothing can be written: it needs no types.
  }
}

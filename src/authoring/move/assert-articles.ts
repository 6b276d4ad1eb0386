import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ChosenMove } from './choose-move.ts'
import { pathAfter } from './path-move.ts'
import type { Relocation } from './rewrite-links.ts'
import { readTextFile } from './text-file.ts'

/** An article that is none any more would be gone from the knowledge base. */
export function assertStillArticles(moved: readonly string[], { move, before, after }: Relocation): void {
  const lost = moved.find((source) => before.isArticle(source) && !after.isArticle(pathAfter(move, source)))
  if (lost === undefined) return
  throw new KbError('USAGE', `${pathAfter(move, lost)} would be no article any more. Nothing was moved.`, {
    hint: 'Names that begin with _ and what include and exclude leave out are no articles; choose another path.',
  })
}

/** A snippet has no frontmatter, and as an article would be refused by every check. */
export function assertNoNewArticles(
  moved: readonly string[],
  { move, before, after }: Relocation & { readonly move: ChosenMove },
  contentRoot: string,
): void {
  const made = moved.find((source) => {
    const now = pathAfter(move, source)
    if (before.isArticle(source) || !after.isArticle(now)) return false
    return readTextFile(readFileSync(join(contentRoot, move.isMoved ? now : source)))?.yaml === undefined
  })
  if (made === undefined) return
  throw new KbError(
    'USAGE',
    `${pathAfter(move, made)} would be an article, and has no frontmatter. Nothing was moved.`,
    {
      hint: 'Give it frontmatter first, or a path with a name that begins with _.',
    },
  )
}

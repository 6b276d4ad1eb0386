// Rules that need to know all articles. What they say of one follows from the others, so nothing of it is kept.
import type { DesiredArticle } from '../../model/document.ts'
import type { LocalTaxonomy } from '../../model/taxonomy.ts'
import type { PlacedProblem } from '../placed-problem.ts'
import { articlesOrphaned } from './articles-orphaned.ts'
import { assetsUnused } from './assets-unused.ts'
import type { LinkNotes } from './link-notes.ts'
import { collectTagUses } from './tag-uses.ts'
import { tagUsedOnce } from './tag-used-once.ts'
import { tagsAlike } from './tags-alike.ts'

export interface CorpusView {
  readonly articles: readonly DesiredArticle[]
  readonly taxonomy: LocalTaxonomy
  readonly links: LinkNotes
  /** Files that articles could use, by source. */
  readonly assets: readonly string[]
  /** Whether all articles are known: one with errors may be the very one that uses a tag or links to another. */
  readonly isComplete: boolean
  /** Whether the text of every article could be read: one that could not may use any file. */
  readonly areTextsKnown: boolean
}

export function checkCorpus({
  articles,
  taxonomy,
  links,
  assets,
  isComplete,
  areTextsKnown,
}: CorpusView): PlacedProblem[] {
  const unused = areTextsKnown ? assetsUnused(assets, links.named) : []
  if (!isComplete) return unused
  const uses = collectTagUses(articles, taxonomy.tags)
  return [
    ...unused,
    ...articlesOrphaned(articles, links.linked),
    ...tagUsedOnce(uses),
    // Where a file lists the tags, what is alike is reported there.
    ...(taxonomy.tags === undefined ? tagsAlike(uses) : []),
  ]
}

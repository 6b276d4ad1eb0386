// Rules that need to know all articles. What they say of one follows from the others, so nothing of it is kept.
import type { DesiredArticle } from '../../core/model/document.ts'
import { type DiagnosticCode, type RuleSeverities, severityOf } from '../../core/model/diagnostic-codes.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { PlacedProblem } from '../placed-problem.ts'
import { articlesOrphaned } from './articles-orphaned.ts'
import { assetsUnused } from './assets-unused.ts'
import type { LinkNotes } from './link-notes.ts'
import { collectTagUses, type TagUse } from './tag-uses.ts'
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
  readonly rules: RuleSeverities
}

const NO_USES: ReadonlyMap<string, readonly TagUse[]> = new Map()

export function checkCorpus({
  articles,
  taxonomy,
  links,
  assets,
  isComplete,
  areTextsKnown,
  rules,
}: CorpusView): PlacedProblem[] {
  const isOn = (code: DiagnosticCode) => severityOf(code, rules) !== 'off'
  const unused = areTextsKnown && assets.length > 0 ? assetsUnused(assets, links.named) : []
  if (!isComplete) return unused
  // Where a file lists the tags, what is alike is reported there.
  const looksForAlike = isOn('tags-alike') && taxonomy.tags === undefined
  const looksForSingle = isOn('tag-used-once')
  const uses = looksForAlike || looksForSingle ? collectTagUses(articles, taxonomy.tags) : NO_USES
  return [
    ...unused,
    ...(isOn('article-orphaned') ? articlesOrphaned(articles, links.linked) : []),
    ...(looksForSingle ? tagUsedOnce(uses) : []),
    ...(looksForAlike ? tagsAlike(uses) : []),
  ]
}

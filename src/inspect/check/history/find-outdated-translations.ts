import type { Commit } from '../../../core/git/read-log.ts'
import { type Past, readPast, type WholePast } from '../../../core/git/read-past.ts'
import type { DesiredArticle } from '../../../core/model/document.ts'
import { createChangesSince } from './changes-since.ts'
import type { HistoryContext } from './history-context.ts'

/** A translation made without the last change of its original. */
export interface BehindOriginal {
  readonly article: DesiredArticle
  /** Source of the original. */
  readonly original: string
  /** Calendar date of the commit that changed the original; undefined where that is not committed yet. */
  readonly originalChanged: string | undefined
  /** The last commit that changed the translation. */
  readonly translated: Commit
  /** Shell command that shows the difference. */
  readonly diff: string
}

/**
 * Translations made without the last change of their original: the commit of that change is neither the translation's
 * last one nor in the history of it. Dates do not matter, they are those of whichever clock. What is not committed yet
 * is the newest of all. Addresses of links, and where the original stands, are no part of its text.
 *
 * @param read knows what git knows of these files. Default: it is read for them
 * @returns undefined where git does not know: no repository, or a clone without the whole history
 */
export async function findOutdatedTranslations(
  context: HistoryContext,
  read?: Past,
): Promise<readonly BehindOriginal[] | undefined> {
  const pairs = pairsOf(context.articles)
  if (pairs.length === 0) return []
  const past = read ?? (await readPastOf(pairs, context))
  if (past.kind !== 'whole') return undefined
  const changeSince = createChangesSince(context)
  const found = pairs.map(async (pair): Promise<BehindOriginal[]> => {
    const translated = past.lastCommitOf(pair.article.source)
    if (translated === undefined || past.isEdited(pair.article.source)) return []
    if (!(await isNewer(pair.original, translated, past))) return []
    // A file that was moved, or whose links were rewritten, says what it said before.
    const text = await changeSince(pair.original, translated.id)
    if (text.kind === 'none') return []
    const isCommitted = !past.isEdited(pair.original)
    const originalChanged = isCommitted ? past.lastCommitOf(pair.original)?.date : undefined
    return [{ ...pair, originalChanged, translated, diff: diffOf(pair, translated, text.from, context) }]
  })
  return (await Promise.all(found)).flat()
}

async function readPastOf(
  pairs: readonly Pair[],
  { contentRoot, env, signal }: HistoryContext,
): Promise<Past> {
  const sources = [...new Set(pairs.flatMap(({ article, original }) => [article.source, original]))]
  return readPast({ folder: contentRoot, sources, wantsAuthors: false, env, signal })
}

type Pair = Pick<BehindOriginal, 'article' | 'original'>

function pairsOf(articles: readonly DesiredArticle[]): Pair[] {
  return articles.flatMap((article) =>
    article.original === undefined ? [] : [{ article, original: article.original }],
  )
}

async function isNewer(original: string, translated: Commit, past: WholePast): Promise<boolean> {
  if (past.isEdited(original)) return true
  const changed = past.lastCommitOf(original)
  return changed !== undefined && !(await past.isIn(changed, translated))
}

function diffOf(
  { original }: Pair,
  { shortId }: Commit,
  from: string | undefined,
  { contentPrefix }: HistoryContext,
): string {
  const files = [from ?? [], original].flat().map((each) => `${contentPrefix}${each}`)
  // A name that a shell would take apart is left to the reader.
  const isPlain = files.every((file) => /^[\w./-]+$/.test(file))
  const move = from === undefined ? [] : ['-M']
  return ['git diff', ...move, shortId, ...(isPlain ? ['--', ...files] : [])].join(' ')
}

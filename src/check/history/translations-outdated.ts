import { place, type PlacedProblem } from '../../content/placed-problem.ts'
import { diffWorktree, type WorktreeChange } from '../../git/diff-worktree.ts'
import { type Commit, type LastCommits, readLastCommits } from '../../git/last-commits.ts'
import { runGit } from '../../git/run-git.ts'
import type { DesiredArticle } from '../../model/document.ts'
import { createChangesSince } from './changes-since.ts'
import type { HistoryContext } from './history-context.ts'

/** When a file was last changed; undefined where git has never seen it. */
type LastChange =
  | { readonly kind: 'uncommitted' }
  | { readonly kind: 'commit'; readonly commit: Commit }
  | undefined

/**
 * Translations made without the last change of their original: the commit of that change is neither the translation's
 * last one nor in the history of it. Dates do not matter, they are those of whichever clock. What is not committed yet
 * is the newest of all. Addresses of links, and where the original stands, are no part of its text. Where there is no
 * whole history, nothing is found.
 */
export async function translationsOutdated(context: HistoryContext): Promise<PlacedProblem[]> {
  const { contentRoot, articles, env, signal } = context
  const pairs = pairsOf(articles)
  if (pairs.length === 0) return []
  const shallow = await runGit(contentRoot, ['rev-parse', '--is-shallow-repository'], signal, { env })
  if (shallow?.trim() !== 'false') return []
  const changes = await diffWorktree(contentRoot, 'HEAD', env, signal)
  if (changes === undefined) return []
  const committedNames = nameInHead(pairs, changes)
  const history = await readLastCommits(contentRoot, [...new Set(committedNames.values())], env, signal)
  const changeOf = (source: string): LastChange => {
    const name = committedNames.get(source)
    if (name === undefined) return { kind: 'uncommitted' }
    const commit = history.commits.get(name)
    return commit === undefined ? undefined : { kind: 'commit', commit }
  }
  const changeSince = createChangesSince(context)
  const problems = pairs.map(async (pair) => {
    const [translation, original] = [changeOf(pair.article.source), changeOf(pair.original)]
    if (translation?.kind !== 'commit') return []
    const since = translation.commit
    if (!(await isNewer(original, since, history))) return []
    // A file that was moved, or whose links were rewritten, says what it said before.
    const text = await changeSince(pair.original, since.id)
    return text.kind === 'none' ? [] : [problemOf(pair, { original, since, from: text.from }, context)]
  })
  return (await Promise.all(problems)).flat()
}

interface Pair {
  readonly article: DesiredArticle
  readonly original: string
}

function pairsOf(articles: readonly DesiredArticle[]): Pair[] {
  return articles.flatMap((article) =>
    article.original === undefined ? [] : [{ article, original: article.original }],
  )
}

/** What the files of the pairs are called in HEAD; those changed since are left out. */
function nameInHead(pairs: readonly Pair[], changes: readonly WorktreeChange[]): ReadonlyMap<string, string> {
  const changed = new Map(changes.map((change) => [change.source, change]))
  const names = new Map<string, string>()
  for (const source of pairs.flatMap(({ article, original }) => [article.source, original])) {
    const name = source.normalize('NFC')
    const change = changed.get(name)
    if (change === undefined) names.set(source, name)
    else if (change.isSameText && change.from !== undefined) names.set(source, change.from)
  }
  return names
}

async function isNewer(original: LastChange, translation: Commit, { isIn }: LastCommits): Promise<boolean> {
  if (original === undefined) return false
  return original.kind === 'uncommitted' || !(await isIn(original.commit, translation))
}

function problemOf(
  { article, original: source }: Pair,
  {
    original,
    since,
    from,
  }: { readonly original: LastChange; readonly since: Commit; readonly from: string | undefined },
  { contentPrefix }: HistoryContext,
): PlacedProblem {
  const when = original?.kind === 'commit' ? `on ${original.commit.date}` : 'and is not committed yet'
  const files = [from ?? [], source].flat().map((each) => `${contentPrefix}${each}`)
  // A name that a shell would take apart is left to the reader.
  const isPlain = files.every((file) => /^[\w./-]+$/.test(file))
  const diff = [
    'git diff',
    ...(from === undefined ? [] : ['-M']),
    since.shortId,
    ...(isPlain ? ['--', ...files] : []),
  ].join(' ')
  return place(article, 'translationOf', {
    code: 'translation-outdated',
    message: `The original ${source} was changed ${when}, after its translation (${since.date}).`,
    hint: `\`${diff}\` shows what to translate; any change of this file tells that it is done.`,
  })
}

import pLimit from 'p-limit'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readdress } from '../../../content/link-occurrences/link-occurrence.ts'
import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
import { splitFrontmatter } from '../../../content/frontmatter/split-frontmatter.ts'
import { diffWorktree, type WorktreeChange } from '../../../core/git/diff-worktree.ts'
import { readBlobs } from '../../../core/git/read-blobs.ts'
import type { Commit } from '../../../core/git/read-log.ts'
import { type Past, readPast, type WholePast } from '../../../core/git/read-past.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { atField, type SourceProblem } from '../../../content/source/source-problem.ts'
import { listLinkOccurrences } from '../../../content/link-occurrences/list-link-occurrences.ts'

/** A translation made without the last change of its original. */
interface BehindOriginal {
  readonly article: LocalArticle
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
 * is the newest of all. URLs of links, and where the original stands, are no part of its text.
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

function pairsOf(articles: readonly LocalArticle[]): Pair[] {
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

type TextChange =
  | { readonly kind: 'none' }
  /** `from`: where the file stood before, if elsewhere. */
  | { readonly kind: 'changed'; readonly from?: string }

/** Tells whether the text of a file is another one than in a commit, as far as translators are concerned. */
function createChangesSince({ contentRoot, env, files, signal }: HistoryContext) {
  const limit = pLimit(4)
  const known = new Map<string, Promise<readonly WorktreeChange[] | undefined>>()
  const changesSince = (commit: string) => {
    const asked = known.get(commit) ?? limit(() => diffWorktree(contentRoot, commit, env, signal))
    known.set(commit, asked)
    return asked
  }
  return async (source: string, commit: string): Promise<TextChange> => {
    const changes = await changesSince(commit)
    const name = source.normalize('NFC')
    const change = changes?.find((each) => each.source === name)
    // What git cannot tell is mistaken for a change.
    if (changes !== undefined && (change === undefined || change.isSameText)) return { kind: 'none' }
    const changed: TextChange = { kind: 'changed', ...(change?.kind === 'moved' && { from: change.from }) }
    if (change?.blob === undefined) return changed
    const blobs = await readBlobs(contentRoot, [change.blob], env, signal)
    const before = blobs?.get(change.blob)
    const now = await readFile(join(contentRoot, source), 'utf8').catch(() => undefined)
    if (before === undefined || now === undefined) return changed
    return textToTranslate(before, files) === textToTranslate(now, files) ? { kind: 'none' } : changed
  }
}

/** Frontmatter that says where an article is, and nothing that a reader sees. */
const PLACES: ReadonlySet<string> = new Set(['slug', 'translationOf'])

/** What of a file a translator is concerned with: not where links lead, nor where the article itself is. */
function textToTranslate(file: string, files?: Pick<FrontmatterFiles, 'split'>): string {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const split = files === undefined ? splitFrontmatter(text) : files.split(text)
  if (split.kind === 'problem') return text
  const fields = Object.entries(Object(split.yaml.value) as Record<string, unknown>)
  const seen = fields.filter(([key]) => !PLACES.has(key))
  const unaddressed = listLinkOccurrences(split.body).map((each) => ({ occurrence: each, written: '' }))
  return JSON.stringify([seen, readdress(split.body, unaddressed).trim()])
}

/** What rules about the past are given. */
export interface HistoryContext {
  /** Absolute. */
  readonly contentRoot: string
  /** The content folder as diagnostics name it, with a slash at its end, or ''. */
  readonly contentPrefix: string
  readonly articles: readonly LocalArticle[]
  readonly defaults: { readonly language: string; readonly status: 'draft' | 'published' }
  /** How frontmatter is read that is not our own. */
  readonly files?: FrontmatterFiles | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** Translations made without the last change of their original. Where there is no whole history, nothing is found. */
export async function translationsOutdated(context: HistoryContext): Promise<SourceProblem[]> {
  return ((await findOutdatedTranslations(context)) ?? []).map(toProblem)
}

function toProblem({ article, original, originalChanged, translated, diff }: BehindOriginal): SourceProblem {
  const when = originalChanged === undefined ? 'and is not committed yet' : `on ${originalChanged}`
  return atField(article, 'translationOf', {
    code: 'translation-outdated',
    message: `The original ${original} was changed ${when}, after its translation (${translated.date}).`,
    hint: `\`${diff}\` shows what to translate. Any change of this file marks the translation as up to date.`,
  })
}

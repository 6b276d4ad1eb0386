import pLimit from 'p-limit'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readdress } from '../../../content/link-occurrences/link-occurrence.ts'
import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
import { splitFrontmatter } from '../../../content/frontmatter/split-frontmatter.ts'
import { diffWorktree } from '../../../core/git/diff-worktree.ts'
import type { GitFolder } from '../../../core/git/run-git.ts'
import type { Settings } from '../../../core/config/settings.ts'
import { contentPrefix } from '../../../core/paths.ts'
import { readBlobs } from '../../../core/git/read-blobs.ts'
import type { Commit } from '../../../core/git/read-log.ts'
import { type FileHistory, readFileHistory, type WholeHistory } from '../../../core/git/read-file-history.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { atField, type SourceProblem } from '../../../content/source/source-problem.ts'
import { listLinkOccurrences } from '../../../content/link-occurrences/list-link-occurrences.ts'
import { memoize } from '../../../core/memoize.ts'

/** A translation that lacks the last change of its original. */
interface BehindOriginal {
  readonly article: LocalArticle
  readonly original: string
  /** Calendar date of the commit that changed the original; undefined if that is not committed yet. */
  readonly originalChanged: string | undefined
  /** The last commit that changed the translation. */
  readonly translated: Commit
  /** Shell command that shows the differences. */
  readonly diff: string
}

/**
 * Finds translations that lack the last change of their original: the commit of that change is neither the
 * translation's last commit nor an ancestor of it. Dates are ignored, because clocks differ. Uncommitted changes are
 * the newest. URLs of links, and the location of the original, are not part of its text.
 *
 * @param read the git history of these files; read if undefined
 * @returns undefined if git does not know: no repository, or a clone without the whole history
 */
export async function findOutdatedTranslations(
  context: HistoryContext,
  read?: FileHistory,
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
    // Moving a file, or rewriting its links, does not change its text.
    const text = await changeSince(pair.original, translated.id)
    if (text.kind === 'none') return []
    const isCommitted = !past.isEdited(pair.original)
    const originalChanged = isCommitted ? past.lastCommitOf(pair.original)?.date : undefined
    return [{ ...pair, originalChanged, translated, diff: diffOf(pair, translated, text.from, context) }]
  })
  return (await Promise.all(found)).flat()
}

async function readPastOf(pairs: readonly Pair[], { git }: HistoryContext) {
  const sources = [...new Set(pairs.flatMap(({ article, original }) => [article.source, original]))]
  return readFileHistory({ ...git, sources, wantsAuthors: false })
}

type Pair = Pick<BehindOriginal, 'article' | 'original'>

function pairsOf(articles: readonly LocalArticle[]): Pair[] {
  return articles.flatMap((article) =>
    article.original === undefined ? [] : [{ article, original: article.original }],
  )
}

async function isNewer(original: string, translated: Commit, past: WholeHistory): Promise<boolean> {
  if (past.isEdited(original)) return true
  const changed = past.lastCommitOf(original)
  return changed !== undefined && !(await past.isIn(changed, translated))
}

function diffOf(pair: Pair, { shortId }: Commit, from: string | undefined, context: HistoryContext): string {
  const files = [from ?? [], pair.original].flat().map((each) => `${context.contentPrefix}${each}`)
  // A name that needs quoting in a shell is left to the reader.
  const isPlain = files.every((file) => /^[\w./-]+$/.test(file))
  const move = from === undefined ? [] : ['-M']
  return ['git diff', ...move, shortId, ...(isPlain ? ['--', ...files] : [])].join(' ')
}

type TextChange =
  | { readonly kind: 'none' }
  /** `from`: the former path of a moved file. */
  | { readonly kind: 'changed'; readonly from?: string }

/** Creates a test: does the text of a file, as far as translators are concerned, differ from that in a commit? */
function createChangesSince({ git, files }: HistoryContext) {
  const limit = pLimit(4)
  const changesSince = memoize((commit: string) => limit(() => diffWorktree(git, commit)))
  return async (source: string, commit: string): Promise<TextChange> => {
    const changes = await changesSince(commit)
    const name = source.normalize('NFC')
    const change = changes?.find((each) => each.source === name)
    // If git cannot tell, the text counts as changed.
    if (changes !== undefined && (change === undefined || change.isSameText)) return { kind: 'none' }
    const changed: TextChange = { kind: 'changed', ...(change?.kind === 'moved' && { from: change.from }) }
    if (change?.blob === undefined) return changed
    const blobs = await readBlobs(git, [change.blob])
    const before = blobs?.get(change.blob)
    const now = await readFile(join(git.folder, source), 'utf8').catch(() => undefined)
    if (before === undefined || now === undefined) return changed
    return textToTranslate(before, files) === textToTranslate(now, files) ? { kind: 'none' } : changed
  }
}

/** Frontmatter keys that only determine the location of an article, and show nothing to readers. */
const PLACES: ReadonlySet<string> = new Set(['slug', 'translationOf'])

/** Returns the part of a file that translators need: without the targets of links and the location of the article. */
function textToTranslate(file: string, files?: Pick<FrontmatterFiles, 'split'>): string {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const split = files === undefined ? splitFrontmatter(text) : files.split(text)
  if (split.kind === 'problem') return text
  const fields = Object.entries(Object(split.yaml.value) as Record<string, unknown>)
  const seen = fields.filter(([key]) => !PLACES.has(key))
  const unaddressed = listLinkOccurrences(split.body).map((each) => ({ occurrence: each, written: '' }))
  return JSON.stringify([seen, readdress(split.body, unaddressed).trim()])
}

/** The input of rules that use the git history. */
export interface HistoryContext {
  /** The content folder. */
  readonly git: GitFolder
  /** The content folder in diagnostics, with a slash at its end, or ''. */
  readonly contentPrefix: string
  readonly articles: readonly LocalArticle[]
  readonly defaults: { readonly language: string; readonly status: 'draft' | 'published' }
  /** Reads the frontmatter of other tools. */
  readonly files?: FrontmatterFiles | undefined
}

/** Returns the input without the reader of frontmatter. */
export function createHistoryContext(
  { settings, env, signal }: Omit<GitFolder, 'folder'> & { readonly settings: Settings },
  articles: readonly LocalArticle[],
): HistoryContext {
  return {
    git: { folder: settings.contentRoot, env, signal },
    contentPrefix: contentPrefix(settings),
    articles,
    defaults: { language: settings.defaultLanguage, status: settings.defaults.status },
  }
}

/** Reports translations that lack the last change of their original; none without the complete history. */
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

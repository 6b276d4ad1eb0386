// A run in which only the texts of a few articles have changed. It reads and plans only these; guards, link checks and
// writes are those of a full run.
import { sumOf } from '../core/group-by.ts'
import { isMdxFile } from '../content/pipeline/create-compiler.ts'
import { loadArticleCompiler } from '../content/pipeline/compile-edit.ts'
import { type IndexedContent, type IndexedEdit, readIndexed } from '../content/pipeline/article-index.ts'
import { createFileNamer } from '../content/pipeline/make-diagnostics.ts'
import { openRenderCache } from '../content/pipeline/render-cache.ts'
import type { FoundSources } from '../content/source/find-sources.ts'
import type { LocalArticle } from '../core/model/document.ts'
import type { ArticleRecord, TargetState } from '../core/model/target-state.ts'
import { contentOptions } from '../content/pipeline/content-options.ts'
import { type RunRecords, executeRun } from './execute-run.ts'
import { isPlain, narrowState, planScope } from './plan-run/plan-scope.ts'
import { createExtensions } from './remote/extensions.ts'
import { type CleanMark, removeCleanMark } from './state/clean-mark.ts'
import { openJournal, readJournal } from './state/journal.ts'
import type { MarkedEdit, RunIndex } from './state/run-index.ts'
import { appendRecords, loadRecords } from './state/state-file.ts'
import { type StateFiles, workspaceOf } from './state/workspace.ts'
import { toResult } from './sync-content.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'

/** The last run, after which files and target were equal. */
export interface LastRun {
  readonly mark: CleanMark
  readonly index: RunIndex
}

export interface EditsRun {
  readonly result: Omit<SyncResult, 'diagnostics'>
  readonly ownRevisions: number
  readonly edits: readonly MarkedEdit[]
  /** In their current version. */
  readonly articles: readonly LocalArticle[]
  /** Number of other drafts and warnings. */
  readonly more: { readonly drafts: number; readonly warnings: number }
}

/**
 * Compares edited articles with the target, and in mode `sync` sends them. Returns undefined, with nothing sent, if
 * that requires a full run.
 *
 * @param sources the articles whose files have changed
 * @throws KbError as a full run
 */
export async function syncEdits(
  sources: readonly string[],
  last: LastRun,
  { found, files }: { readonly found: FoundSources; readonly files: StateFiles },
  options: SyncContentOptions,
): Promise<EditsRun | undefined> {
  const { settings, onStage } = options
  if (readJournal(files.journal).length > 0) return undefined
  onStage?.('compile')
  const cache = openRenderCache(workspaceOf(settings.root).cacheFile)
  try {
    const content = contentOptions(settings)
    const { index, mark } = last
    const indexed = readIndexed(sources, index.content, {
      options: content,
      found,
      rows: index.rows,
      assets: new Set(mark.assets),
      cache,
      compiler: await loadArticleCompiler(content, sources.some(isMdxFile)),
    })
    if (indexed === undefined || indexed.edits.length > options.concurrency) return undefined
    const wanted = [...indexed.edits.map(({ article }) => article), ...indexed.originals]
    const state = loadRecords(
      files.state,
      settings.project,
      wanted.map(({ source }) => source),
    )
    if (state === undefined || narrowState(state, wanted) === undefined) return undefined
    return await sendEdits(indexed, state, last, files, options)
  } finally {
    cache.close()
  }
}

async function sendEdits(
  { edits, originals, readHtml }: IndexedContent,
  state: TargetState,
  { mark, index: { content, target } }: LastRun,
  files: StateFiles,
  options: SyncContentOptions,
): Promise<EditsRun | undefined> {
  const { mode, connect, onStage, signal, now } = options
  onStage?.('connect')
  const session = await connect({ readOnly: mode === 'plan', signal })
  try {
    const articles = edits.map(({ article }) => article)
    const { taxonomy } = content
    const scoped = { articles: [...articles, ...originals], rejected: new Set<string>(), taxonomy, readHtml }
    const extensions = createExtensions(session.client, state, { nowMs: now().getTime(), verify: false })
    const created = { ...target, tags: [], categories: [] }
    const scope = { articles, reads: { lists: target, created, extensions } }
    // There is nothing to prune: see `CleanMark.hasPruned`. In this scope, other articles would look orphaned.
    const run = await planScope(scoped, { session, state }, scope, { ...options, prune: false })
    if (run === undefined || !isPlain(run.planned)) {
      await session.close()
      return undefined
    }
    if (mode === 'sync') removeCleanMark(files.mark)
    const executed = await executeRun(scoped, run, appendingRecords(files, state), options)
    const { diagnostics: _, ...result } = toResult({ diagnostics: [] }, run, executed, options)
    onStage?.('close')
    const more = {
      drafts: sumOf(edits, ({ article, statusBefore }) => isDraft(article.status) - isDraft(statusBefore)),
      warnings: sumOf(
        edits,
        ({ diagnostics, diagnosticsBefore }) => diagnostics.length - diagnosticsBefore.length,
      ),
    }
    const unchanged = mark.articles - articles.length + result.summary.unchanged
    return {
      result: {
        ...result,
        summary: { ...result.summary, unchanged, orphans: mark.orphans },
        taxonomy: { ...result.taxonomy, unchanged: mark.taxonomy },
        orphans: target.orphans,
        drafts: mark.drafts + more.drafts,
      },
      edits: edits.map((edit) => toMarked(edit, options)),
      articles,
      more,
      ...(await session.close()),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

function isDraft(status: 'draft' | 'published'): number {
  return status === 'draft' ? 1 : 0
}

function toMarked(
  { article: { source, sourceHash }, stamp, linksTo, diagnostics }: IndexedEdit,
  { settings }: SyncContentOptions,
): MarkedEdit {
  const name = createFileNamer(settings)(source)
  return { source, linksTo, name, diagnostics, ...(stamp && { file: { ...stamp, hash: sourceHash } }) }
}

/** Updates keep id and file of an article, so their records are only appended to the state file. */
function appendingRecords(files: StateFiles, before: TargetState): RunRecords {
  return {
    openJournal: () => openJournal(files.journal),
    keep: async ({ articles }, journal, unreplaced) => {
      try {
        const known = new Map(before.articles.map((record) => [record.id, JSON.stringify(record)]))
        const isChanged = (record: ArticleRecord) => known.get(record.id) !== JSON.stringify(record)
        appendRecords(files.state, articles.filter(isChanged))
        await journal.finish(unreplaced)
      } finally {
        journal.close()
      }
    },
  }
}

import type { PageUrls } from '../../web/pages/page-urls.ts'
import type { SyncStatus, UnsentArticle } from '../../web/dashboard/status-source.ts'
import type { PreviewState } from './preview-state.ts'

/** The standing of the sync for readers: with files, places and pages for its sources. Undefined before it is known. */
export function previewSyncStatus(state: PreviewState, urls: PageUrls): SyncStatus | undefined {
  const view = state.view()
  if (view === undefined) return undefined
  const heldBack = [...view.heldBack].map((source) => {
    const error = state.diagnosticsOf(source).find(({ severity }) => severity === 'error')
    return unsentArticle(source, state, urls, error)
  })
  const failures = view.sync.failures.map(({ source, ...failure }) => {
    const article = unsentArticle(source, state, urls)
    return { ...article, title: failure.title ?? article.title, reason: failure.reason }
  })
  return { ...view.sync, heldBack, failures }
}

function unsentArticle(
  source: string,
  state: PreviewState,
  urls: PageUrls,
  problem?: { readonly message: string; readonly line: number; readonly column: number },
): UnsentArticle {
  const article = state.index()?.bySource(source)
  const slug = article?.slug ?? state.slugOfUnshown(source)
  const language = article?.language ?? state.settings().defaultLanguage
  return {
    file: state.fileOf(source),
    // Of a file that cannot be shown yet, its page says why.
    title: article?.title ?? slug,
    reason: problem?.message ?? 'Something that it depends on has an error.',
    line: problem?.line,
    column: problem?.column,
    url: slug === undefined ? undefined : urls.article({ slug, language }),
  }
}

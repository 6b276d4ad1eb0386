import type { Review } from '../model/document.ts'
import type { PageUrls } from '../pages/page-urls.ts'
import type { BrokenLinkEntry, ReviewEntry, StatusSource } from '../health/status-source.ts'
import { addDays, NEVER_DATE } from '../util/calendar-date.ts'
import { createLinkList } from './create-link-list.ts'
import type { PreviewState } from './preview-state.ts'
import { previewSyncStatus } from './preview-sync-status.ts'

export interface PreviewStatusOptions {
  readonly state: PreviewState
  readonly urls: () => PageUrls
  readonly now: () => Date
}

/**
 * The status of what is being written. A review that no file dates is due so many days after the article is sent: here
 * it is counted from today, as a sync of a new article would.
 */
export function createPreviewStatus({ state, urls, now }: PreviewStatusOptions): StatusSource {
  const articles = () => state.index()?.content.articles ?? []
  const links = createLinkList(now)
  const placeOf = (source: string | undefined): Pick<ReviewEntry, 'url' | 'file'> => {
    const article = source === undefined ? undefined : state.index()?.bySource(source)
    if (source === undefined || article === undefined) return { url: undefined, file: undefined }
    const { slug, language } = article
    return { url: urls().article({ slug, language: languageOf(language) }), file: state.fileOf(source) }
  }
  const languageOf = (language: string | null) => language ?? state.settings().defaultLanguage
  return {
    now,
    sync: () => previewSyncStatus(state, urls()),
    countArticles: () => {
      const drafts = articles().filter(({ status }) => status === 'draft').length
      return Promise.resolve({ published: articles().length - drafts, drafts })
    },
    lastChange: () => Promise.resolve(undefined),
    *reviews(): Iterable<ReviewEntry> {
      const today = now().toISOString().slice(0, 10)
      for (const { title, slug, review, status, source, language } of articles()) {
        yield {
          title,
          date: dateOf(review, today),
          isDraft: status === 'draft',
          language: languageOf(language),
          url: urls().article({ slug, language: languageOf(language) }),
          file: state.fileOf(source),
        }
      }
    },
    async *brokenLinks(): AsyncIterable<BrokenLinkEntry> {
      for (const { url, title, source } of await links.read(state.view()?.brokenLinks))
        yield { url, reason: '', article: { title, ...placeOf(source) } }
    },
    linkChecks: () => Promise.resolve({ kind: 'off' }),
  }
}

function dateOf(review: Review, today: string): string {
  if (review.kind === 'default') return addDays(today, review.afterDays)
  return review.kind === 'never' ? NEVER_DATE : review.date
}

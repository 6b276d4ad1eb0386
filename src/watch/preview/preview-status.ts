import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, NEVER_DATE } from '../../core/calendar-date.ts'
import type { LocalArticle, Review } from '../../core/model/document.ts'
import { isError } from '../../core/model/diagnostic.ts'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'
import type { PreviewState } from './preview-state.ts'
import type {
  ArticleEntry,
  BrokenLinkEntry,
  StatusSource,
  SyncStatus,
  UnsentArticle,
} from '../../web/dashboard/status-source.ts'
import type { PageUrls } from '../../web/pages/page-urls.ts'

/**
 * The status page of a project that is being edited. A default review date depends on when the article is sent; here it
 * is counted from today, as for a new article.
 */
export function createPreviewStatus(
  state: PreviewState,
  urls: () => PageUrls,
  now: () => Date,
): StatusSource {
  const articles = () => state.index()?.content.articles ?? []
  const links = createLinkList(now)
  const placeOf = (article: LocalArticle): Pick<ArticleEntry, 'url' | 'file'> => ({
    url: urls().article({ slug: article.slug, language: languageOf(article.language) }),
    file: state.fileOf(article.source),
  })
  const categoriesOf = (article: LocalArticle): readonly string[] => {
    const tree = state.index()?.layout.tree
    return article.categories.flatMap((reference) => tree?.find(reference)?.id ?? [])
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
    dueWithinDays: () => state.settings().report.dueWithinDays,
    *articles(): Iterable<ArticleEntry> {
      const today = now().toISOString().slice(0, 10)
      for (const article of articles()) {
        yield {
          title: article.title,
          date: dateOf(article.review, today),
          lastChange: undefined,
          isDraft: article.status === 'draft',
          language: languageOf(article.language),
          categories: categoriesOf(article),
          ...placeOf(article),
        }
      }
    },
    async *brokenLinks(): AsyncIterable<BrokenLinkEntry> {
      for (const { url, title, source } of await links.read(state.view()?.brokenLinks)) {
        const article = source === undefined ? undefined : state.index()?.bySource(source)
        const place = article === undefined ? { url: undefined, file: undefined } : placeOf(article)
        const categories = article === undefined ? [] : categoriesOf(article)
        yield { url, reason: '', article: { title, ...place }, categories }
      }
    },
    linkChecks: () => Promise.resolve({ kind: 'off' }),
  }
}

function dateOf(review: Review, today: string): string {
  if (review.kind === 'default') return addDays(today, review.afterDays)
  return review.kind === 'never' ? NEVER_DATE : review.date
}

/** Returns the sync status for readers, with files, positions and pages for its sources; undefined while unknown. */
function previewSyncStatus(state: PreviewState, urls: PageUrls): SyncStatus | undefined {
  const view = state.view()
  if (view === undefined) return undefined
  const heldBack = [...view.heldBack].map((source) => {
    const error = state.diagnosticsOf(source).find(isError)
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
    // The page of a file that cannot be shown yet states the reason.
    title: article?.title ?? slug,
    reason: problem?.message ?? 'Something that it depends on has an error.',
    line: problem?.line,
    column: problem?.column,
    url: slug === undefined ? undefined : urls.article({ slug, language }),
  }
}

/** Lifetime of a list. An open page requests it with every change. */
const FRESH_MS = 10_000

/** Maximum time that a page waits for a target that does not respond. */
const PATIENCE_MS = 3000

/** Provides the target's broken links for pages, with few requests, one at a time. */
export function createLinkList(
  now: () => Date,
  patience: () => Promise<unknown> = () => sleep(PATIENCE_MS, undefined, { ref: false }),
) {
  let last: readonly BrokenLink[] = []
  let askedMs = -Infinity
  let asking: Promise<void> | undefined

  async function refresh(ask: () => Promise<readonly BrokenLink[]>): Promise<void> {
    try {
      last = await ask()
      askedMs = now().getTime()
    } catch {
      // The previous response is shown.
    } finally {
      asking = undefined
    }
  }

  return {
    /** Returns the last response of the target, or a new one if that is too old. Never throws. */
    read: async (ask: (() => Promise<readonly BrokenLink[]>) | undefined) => {
      if (ask === undefined || now().getTime() - askedMs < FRESH_MS) return last
      asking ??= refresh(ask)
      await Promise.race([asking, patience()])
      return last
    },
  }
}

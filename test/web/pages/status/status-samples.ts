import type {
  ArticleEntry,
  BrokenLinkEntry,
  LinkChecks,
  ReviewEntry,
  StatusSource,
  SyncStatus,
  UnsentArticle,
} from '../../../../src/web/dashboard/status-source.ts'

function slugOf(title: string): string {
  return encodeURIComponent(title.toLowerCase().replaceAll(' ', '-'))
}

export function review(date: string, title = `Due on ${date}`): ReviewEntry {
  const slug = slugOf(title)
  return { title, date, isDraft: false, language: 'en', url: `/articles/${slug}`, file: `content/${slug}.md` }
}

/** An article that is due today, without further data by default. */
export function articleEntry(change: Partial<ArticleEntry>): ArticleEntry {
  return { ...review('2026-11-21', 'An article'), lastChange: undefined, categories: [], ...change }
}

export function brokenLink(
  url: string,
  title = 'Reset your password',
  reason = '404 Not Found',
): BrokenLinkEntry {
  const slug = slugOf(title)
  return { url, reason, article: { title, url: `/articles/${slug}`, file: `content/${slug}.md` }, line: 7 }
}

export function unsent(file: string, reason = 'The title is missing.'): UnsentArticle {
  return { file, title: undefined, reason, line: 2, url: undefined }
}

export function syncStatus(change: Partial<SyncStatus> = {}): SyncStatus {
  return {
    target: 'builtin',
    state: 'synced',
    lastSync: '2026-11-21T23:10:12.345Z',
    pending: 0,
    sent: 12,
    failures: [],
    heldBack: [],
    orphans: 0,
    ...change,
  }
}

export interface Sample {
  readonly now?: string
  readonly sync?: SyncStatus
  readonly articles?: { readonly published: number; readonly drafts: number }
  readonly lastChange?: string
  readonly dueWithinDays?: number
  readonly reviews?: Iterable<ReviewEntry>
  /** Articles without a review date, or with further data. */
  readonly others?: Iterable<ArticleEntry>
  readonly brokenLinks?: Iterable<BrokenLinkEntry>
  readonly linkChecks?: LinkChecks
}

export function statusOf(sample: Sample = {}): StatusSource {
  return {
    now: () => new Date(sample.now ?? '2026-11-21T23:19:47Z'),
    sync: () => sample.sync,
    countArticles: () => Promise.resolve(sample.articles ?? { published: 0, drafts: 0 }),
    lastChange: () => Promise.resolve(sample.lastChange),
    dueWithinDays: () => sample.dueWithinDays ?? 30,
    articles: () => articlesOf(sample),
    brokenLinks: () => sample.brokenLinks ?? [],
    linkChecks: () => Promise.resolve(sample.linkChecks ?? { kind: 'off' }),
  }
}

function* articlesOf({ reviews = [], others = [] }: Sample): Iterable<ArticleEntry> {
  for (const entry of reviews) yield { ...entry, lastChange: undefined, categories: [] }
  yield* others
}

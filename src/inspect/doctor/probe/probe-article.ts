// The articles of a probe. Title, slug, a line of the text and a marker identify them, so that a later probe finds
// those of a killed one.
import type { ArticleRequest } from '../../../api/contract/request.ts'
import type { LenientReadArticle } from '../../../api/contract/lenient.ts'
import { type ArticleFields, FIELDS_HASH_LENGTH } from '../../../core/model/article-fields.ts'
import { appendMarker, readMarker } from '../../../core/model/marker.ts'
import { hashProjection, projectHtml } from '../../../core/model/projection.ts'
import { toRemoteArticle } from '../../../sync/remote/to-remote.ts'
import { type Finding, judgeComments, ok, warning } from '../finding.ts'

export const PROBE_TITLE = 'kb-sync probe, may be deleted'

const SLUG_PREFIX = 'kb-sync-probe-'

/** Too long for the name of a project in a configuration, so that no project has it. */
const PROBE_PROJECT =
  'kb-sync probe: created by kb doctor --probe to test this target; belongs to no project, may be deleted'

/** Far in the future, so that the article is in the list of review dates, but no one is reminded. */
const REVIEW_DATE = '2099-12-31'

const TOKEN = /probe token ([0-9a-f]{32})/

export interface ProbeWish {
  /** Unique, 32 hex characters. */
  readonly token: string
  readonly slug: string
  readonly categoryId: string
  readonly excerpt: string
  /** An additional line of text. */
  readonly line?: string
  readonly language?: { readonly lang: string; readonly languageParent: string }
}

export function probeSlug(token: string): string {
  return `${SLUG_PREFIX}${token.slice(0, 12)}`
}

/** 160 characters, each with two code units in UTF-16 and four bytes in UTF-8. */
export const ASTRAL_EXCERPT = '\u{1f516}'.repeat(160)

export const PLAIN_EXCERPT = 'Created by kb doctor --probe; may be deleted.'

/** Builds the body that creates the article: a hidden draft with HTML that a service may normalise. */
export function probeBody(wish: ProbeWish): ArticleRequest {
  const marker = {
    project: PROBE_PROJECT,
    documentKey: wish.token,
    fingerprint: wish.token,
    sourceHash: wish.token,
    // The same for every field, because the response is compared with the request, not with this.
    fieldsHash: wish.token.repeat(3).slice(0, FIELDS_HASH_LENGTH),
    projectionHash: wish.token,
  }
  return {
    title: PROBE_TITLE,
    slug: wish.slug,
    categories: [{ value: wish.categoryId }],
    tags: [],
    excerpt: wish.excerpt,
    ordering: 0,
    status: 'draft',
    content: appendMarker(probeHtml(wish), marker),
    hideFromSearch: true,
    seoBannerUrl: '',
    articleReviewDate: REVIEW_DATE,
    ...wish.language,
  }
}

export function probeHtml({ token, line = 'First version.' }: Pick<ProbeWish, 'token' | 'line'>): string {
  return [
    `<p>probe token ${token}</p>`,
    `<p>Quotes "double" &quot;escaped&quot; &#39;single&#39;, &lt;tag&gt; &amp; &copy; &#8211; \u{1f516}</p>`,
    '<h2 id="white-space">White   space</h2>',
    `<p  title='a "b"'   class="c">${line}`,
    '  and <a title="t" href="https://example.com/?a=1&amp;b=2">a link</a><br/>.</p>',
    '',
  ].join('\n')
}

/** Returns the token of an article that a probe created; undefined for any other article. */
export function probeTokenOf({ data }: LenientReadArticle): string | undefined {
  if (data.name !== PROBE_TITLE) return undefined
  const content = data.content ?? ''
  const token = TOKEN.exec(content)?.[1]
  const marker = readMarker(content)
  const isProven = marker?.project === PROBE_PROJECT || data.slug?.startsWith(SLUG_PREFIX) === true
  return isProven ? (token ?? marker?.documentKey) : undefined
}

/** Compares an article on the target with the request: marker, fields, HTML and excerpt. */
export function compareProbe(
  sent: ArticleRequest,
  read: LenientReadArticle,
  defaultLanguage: string,
): readonly Finding[] {
  const remote = toRemoteArticle(read, defaultLanguage)
  return [
    judgeComments('probe.comments', remote.marker?.project === PROBE_PROJECT),
    judgeFields(fieldsOf(sent), remote.fields),
    judgeContent(sent.content, read.data.content ?? '', remote.projectionHash),
    judgeExcerpt(sent.excerpt, remote.fields.excerpt),
  ]
}

function fieldsOf(sent: ArticleRequest): ArticleFields {
  return {
    title: sent.title,
    slug: sent.slug,
    excerpt: sent.excerpt,
    order: sent.ordering,
    status: sent.status,
    hideFromSearch: sent.hideFromSearch ?? false,
    seoBannerUrl: sent.seoBannerUrl ?? '',
    reviewDate: sent.articleReviewDate ?? '',
    categoryIds: sent.categories.map(({ value }) => value),
    tagIds: (sent.tags ?? []).map(({ value }) => value),
  }
}

/** Compares the fields except the excerpt, which has its own finding. */
function judgeFields(sent: ArticleFields, read: ArticleFields): Finding {
  const names = Object.keys(sent) as (keyof ArticleFields)[]
  const changed = names.filter((name) => name !== 'excerpt' && String(sent[name]) !== String(read[name]))
  if (changed.length === 0) return ok('probe.fields', 'all fields are stored as sent')
  const details = changed.map(
    (name) => `${name} (sent "${String(sent[name])}", read "${String(read[name])}")`,
  )
  return warning(
    'probe.fields',
    `Some fields are stored differently: ${details.join(', ')}.`,
    'A sync accepts that as long as the article is not edited there; afterwards it reports a conflict.',
  )
}

function judgeContent(sent: string, read: string, projectionHash: string): Finding {
  if (sent === read) return ok('probe.content', 'the HTML is stored byte for byte')
  const { textHash, targets } = projectHtml(sent)
  if (hashProjection(textHash, targets) === projectionHash)
    return ok('probe.content', 'the HTML is stored in a different form, with no difference for readers')
  return warning(
    'probe.content',
    'The target changes the HTML: text, headings, or the URLs of links and images differ.',
    'Check an article there. A sync accepts the difference as long as the article is not edited there.',
  )
}

function judgeExcerpt(sent: string, read: string): Finding {
  if (sent === read) return ok('probe.excerpt', 'an excerpt may have 160 characters, including emoji')
  return warning(
    'probe.excerpt',
    `An excerpt of 160 emoji is stored differently, with ${Array.from(read).length} characters.`,
    'Shorten excerpts with emoji, or remove the emoji.',
  )
}

import type { LenientReadArticle } from '../../../api/contract/lenient.ts'
import type { ArticleRequest } from '../../../api/contract/request.ts'
import type { ArticleFields } from '../../../core/model/article-fields.ts'
import { hashProjection, projectHtml } from '../../../core/model/projection.ts'
import { toRemoteArticle } from '../../../sync/remote/to-remote.ts'
import { type Finding, ok, warning } from '../finding.ts'
import { judgeComments } from '../judge-comments.ts'
import { PROBE_PROJECT } from './probe-article.ts'

/** What the target made of an article: marker, fields, HTML and excerpt against what was sent. */
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

/** The excerpt has a finding of its own. */
function judgeFields(sent: ArticleFields, read: ArticleFields): Finding {
  const names = Object.keys(sent) as (keyof ArticleFields)[]
  const changed = names.filter((name) => name !== 'excerpt' && String(sent[name]) !== String(read[name]))
  if (changed.length === 0) return ok('probe.fields', 'all fields come back as sent')
  const details = changed.map(
    (name) => `${name} (sent "${String(sent[name])}", read "${String(read[name])}")`,
  )
  return warning(
    'probe.fields',
    `Fields come back in another way: ${details.join(', ')}.`,
    'A sync takes that for the way of this target as long as the article is not edited there; afterwards it reports a conflict.',
  )
}

function judgeContent(sent: string, read: string, projectionHash: string): Finding {
  if (sent === read) return ok('probe.content', 'the HTML comes back byte for byte')
  const { textHash, targets } = projectHtml(sent)
  if (hashProjection(textHash, targets) === projectionHash) {
    return ok('probe.content', 'the HTML comes back written in another way, but the same to a reader')
  }
  return warning(
    'probe.content',
    'The target changes the HTML: text, headings or the addresses of links and images come back otherwise.',
    'Look at an article there. A sync takes it for the way of this target as long as the article is not edited there.',
  )
}

function judgeExcerpt(sent: string, read: string): Finding {
  if (sent === read) return ok('probe.excerpt', 'an excerpt may be 160 characters long, emoji too')
  return warning(
    'probe.excerpt',
    `An excerpt of 160 emoji comes back otherwise, with ${Array.from(read).length} characters.`,
    'Keep excerpts with emoji shorter, or without them.',
  )
}

import { html } from 'hono/html'
import type { Span } from '../../../../core/model/diagnostic.ts'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Owner, ReportedArticle } from '../../../../inspect/report/report.ts'
import type { ReportView } from './report-view.ts'
import { describeNowhere, NO_TITLE } from '../../article-words.ts'
import { shortText } from './short-text.ts'
import { mailLink, webLink } from './web-link.ts'

/** An article by its title, with what is known of it: whose it is, and where its text lies. */
export function reportArticleCell(
  article: ReportedArticle,
  view: ReportView,
  { place, more = '' }: { readonly place?: Span | undefined; readonly more?: Html | '' } = {},
): Html {
  const file = article.file === undefined ? nowhere(article) : fileLine(article.file, view, place)
  return html`${articleTitle(article)}${more} ${file} ${ownerLine(article.owners)}`
}

/** The same without its file, where that stands beside it. */
export function filelessArticleCell(article: ReportedArticle): Html {
  return html`${articleTitle(article)} ${ownerLine(article.owners)}`
}

type Named = Pick<ReportedArticle, 'title' | 'language' | 'isDraft'> & {
  readonly url?: string | undefined
}

/** Its title, as a link where its address for readers is a whole one. */
export function articleTitle({ title, language, isDraft, url }: Named): Html {
  const text = shortText(title) || NO_TITLE
  const draft = isDraft ? html` <span class="kb-badge">Draft</span>` : ''
  return html`<bdi ${languageAttribute(language)}>${url === undefined ? text : webLink(url, text)}</bdi
    >${draft}`
}

/** What a list is sorted by, where it is sorted by title. */
export function titleKey({ title }: { readonly title: string }): string {
  return shortText(title, 100)
}

/** `content/a.md:12:5` */
export function fileLine(file: string, { linkOf }: ReportView, place?: Span): Html {
  const text = `${shortText(file)}${place === undefined ? '' : `:${place.line}:${place.column}`}`
  const address = linkOf(file, place?.line ?? 1)
  const path = breakable(text)
  const shown = address === undefined ? path : webLink(address, path)
  return html`<div class="kb-data-file"><code>${shown}</code></div> `
}

/** A path that may be broken behind its slashes, so that a name and its line stay together. */
function breakable(path: string): Html {
  const names = path.split('/')
  return html`${names.map((name, index) => (index === 0 ? name : html`/<wbr />${name}`))}`
}

/** In place of a place, where no file owns the article. */
export function nowhere(article: Pick<ReportedArticle, 'id' | 'language'>): Html {
  return note(html`${shortText(describeNowhere(article))}; its id is <code>${shortText(article.id)}</code>`)
}

export function note(text: Html | string): Html {
  return html`<div class="kb-note">${text}</div>`
}

export const ACCEPTED = html` <span class="kb-badge report-accepted">accepted</span>`

function ownerLine(owners: readonly Owner[] | undefined): Html | '' {
  if (owners === undefined || owners.length === 0) return ''
  const names = owners.map(({ name, email }, index) => {
    const address = email === undefined ? '' : mailLink(email)
    const text =
      name === email
        ? address
        : html`<bdi>${shortText(name)}</bdi>${address === '' ? '' : html` ‹${address}›`}`
    return html`${index === 0 ? '' : ', '}${text}`
  })
  return note(html`ask ${names}`)
}

/** `lang="…"` where a target names a language that exists, so that screen readers speak it; nothing else. */
function languageAttribute(language: string): Html | '' {
  return isKnown(language) ? html`lang="${language}"` : ''
}

function isKnown(language: string): boolean {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    return names.of(language) !== undefined
  } catch {
    return false
  }
}

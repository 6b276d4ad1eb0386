// The cells of a dashboard. Titles, URLs and names come from files and targets, and may be any text.
import { html } from 'hono/html'
import { toDayNumber } from '../summary/calendar.ts'
import { cutAtWord } from '../../../core/code-points.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { parseUrl } from '../../../core/parse-url.ts'
import { pluralize } from '../../../core/pluralize.ts'
import type { Html } from '../../html.ts'
import { NO_TITLE, type ReviewEntry } from '../status-source.ts'
import { tryTo } from '../../../core/try-to.ts'

/** Maximum number of characters shown of a text, because titles on a target may be very long. */
const SHOWN_LIMIT = 400

/**
 * Returns a text from files or target on one line, without hidden characters, cut if it is very long.
 *
 * @param limit characters
 */
export function shortText(text: string, limit = SHOWN_LIMIT): string {
  // Checks only as much of a very long text as may be needed.
  const start = text.slice(0, 2 * limit + 2).toWellFormed()
  return escapeControlInLine(cutAtWord(start, limit)).trim()
}

/** Formats a time in ISO 8601 as `2026-11-21 23:10 UTC`; an invalid text stays unchanged. */
export function timeElement(iso: string): Html | string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const text = date.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`
}

export function dateElement(date: string): Html {
  return html`<time datetime="${date}">${date}</time>`
}

/** Formats a date relative to today: `today`, `in 3 days`, `2 months ago`. */
export function relativeDate(date: string, today: string): string {
  const days = toDayNumber(date) - toDayNumber(today)
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  const text = inUnits(Math.abs(days))
  return days > 0 ? `in ${text}` : `${text} ago`
}

function inUnits(days: number): string {
  if (days < 60) return pluralize(days, 'day')
  if (days < 730) return pluralize(Math.round(days / 30.44), 'month')
  return pluralize(Math.round(days / 365.25), 'year')
}

export function note(text: Html | string): Html {
  return html`<div class="kb-note">${text}</div>`
}

/** Renders a link to one of our pages; only its text if the URL cannot be that of a page. */
export function pageLink(url: string, text: Html | string): Html | string {
  const isPage = /^\/(?!\/)/.test(url) || /^https?:\/\//i.test(url)
  return isPage ? html`<a href="${url}">${text}</a>` : text
}

/** Maximum length that browsers and servers support; a longer URL is shown as text. */
const ADDRESS_LIMIT = 2000

/**
 * Renders a link to another site, without a referrer. Only web URLs become links: a relative one would lead to the
 * wrong place, and `javascript:` must not run.
 */
export function outerLink(address: string, text: Html | string): Html | string {
  // A protocol-relative URL uses https, as most pages do.
  const whole = /^[/\\]{2}/.test(address) ? `https:${address}` : address
  const url = address.length <= ADDRESS_LIMIT && /^https?:/i.test(whole) ? parseUrl(whole) : undefined
  return url === undefined ? text : html`<a href="${url.href}" rel="noreferrer noopener nofollow">${text}</a>`
}

const MAIL = /^[^\s@?&<>"']+@[^\s@?&<>"']+$/

/** Renders a mailto link; only its text if the address looks invalid. */
export function mailLink(address: string): Html | string {
  const shown = shortText(address)
  return MAIL.test(address) && address.length <= ADDRESS_LIMIT
    ? html`<a href="mailto:${encodeURI(address)}">${shown}</a>`
    : shown
}

/** A position in a file, from 1, as far as known. */
interface FilePlace {
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export interface DashboardLinks {
  /** Renders a position in a file. */
  readonly file: (file: string, place?: FilePlace) => Html
  /** Renders a link to the page of an article; only its text if the URL cannot be opened from here. */
  readonly article: (url: string, text: Html | string) => Html | string
}

/** Renders `content/a.md:12:5`, as a link if `linkOf` returns a URL for the line. */
export function createFileCell(
  linkOf: (file: string, line: number) => string | undefined = () => undefined,
): DashboardLinks['file'] {
  return (file, { line, column } = {}) => {
    const place = [line, column].flatMap((each) => (each === undefined ? [] : [`:${each}`])).join('')
    const address = linkOf(file, line ?? 1)
    const path = breakablePath(`${shortText(file)}${place}`)
    return html`<code>${address === undefined ? path : outerLink(address, path)}</code>`
  }
}

/** Renders a path with line breaks allowed only after slashes, so that name and line number stay together. */
export function breakablePath(path: string): Html {
  const names = path.split('/')
  return html`${names.map((name, index) => (index === 0 ? name : html`/<wbr />${name}`))}`
}

/** Renders the line below a title, with the file of its text. */
export function fileLine(links: DashboardLinks, file: string, place?: FilePlace): Html {
  return html`<div class="kb-data-file">${links.file(file, place)}</div> `
}

type TitledArticle = Pick<ReviewEntry, 'title'> & Partial<Pick<ReviewEntry, 'language' | 'isDraft' | 'url'>>

/** Renders the title of an article, as a link to its page. */
export function articleTitle({ title, language, isDraft, url }: TitledArticle, links: DashboardLinks): Html {
  const text = html`<bdi ${languageAttribute(language)}>${shortText(title) || NO_TITLE}</bdi>`
  const draft = isDraft === true ? html` <span class="kb-badge">Draft</span>` : ''
  return html`${url === undefined ? text : links.article(url, text)}${draft}`
}

/** Returns `lang="…"` for screen readers if the language exists, otherwise nothing. */
function languageAttribute(language: string | undefined): Html | '' {
  return language !== undefined && isKnown(language) ? html`lang="${language}"` : ''
}

function isKnown(language: string): boolean {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return tryTo(() => names.of(language)) !== undefined
}

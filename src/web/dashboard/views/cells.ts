// What stands in the cells of a dashboard. Titles, addresses and names come from files and targets, and may be anything.
import { html } from 'hono/html'
import { toDayNumber } from '../summary/calendar.ts'
import { cutAtWord } from '../../../core/code-points.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { parseUrl } from '../../../core/parse-url.ts'
import { pluralize } from '../../../core/pluralize.ts'
import type { Html } from '../../html.ts'
import { NO_TITLE } from '../status-source.ts'

/** Characters of one text that are shown: a dashboard must not grow with the longest title that a target lists. */
const SHOWN_LIMIT = 400

/**
 * A text from files or target on one line, nothing in it hidden, cut where it is very long.
 *
 * @param limit characters
 */
export function shortText(text: string, limit = SHOWN_LIMIT): string {
  // Of a text without end, so much is checked as may be needed.
  const start = text.slice(0, 2 * limit + 2).toWellFormed()
  return escapeControlInLine(cutAtWord(start, limit)).trim()
}

/** `2026-11-21 23:10 UTC`, of a moment in ISO 8601; the text itself where it is none. */
export function moment(iso: string): Html | string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const text = date.toISOString()
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`
}

/** A calendar date, as it is written everywhere. */
export function day(date: string): Html {
  return html`<time datetime="${date}">${date}</time>`
}

/** How far a date is from today: `today`, `in 3 days`, `2 months ago`. */
export function distance(date: string, today: string): string {
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

/** A link to one of our pages; only its text where the address is none that a page can have. */
export function pageLink(url: string, text: Html | string): Html | string {
  const isPage = /^\/(?!\/)/.test(url) || /^https?:\/\//i.test(url)
  return isPage ? html`<a href="${url}">${text}</a>` : text
}

/** What browsers and servers still understand; a longer address is shown, but leads nowhere. */
const ADDRESS_LIMIT = 2000

/**
 * A link to another site, which learns nothing of who follows it. Only an address of the web becomes one: a relative one
 * would lead to the wrong place, and `javascript:` may not lead anywhere.
 */
export function outerLink(address: string, text: Html | string): Html | string {
  // A link from the host on takes the scheme of most pages.
  const whole = /^[/\\]{2}/.test(address) ? `https:${address}` : address
  const url = address.length <= ADDRESS_LIMIT && /^https?:/i.test(whole) ? parseUrl(whole) : undefined
  return url === undefined ? text : html`<a href="${url.href}" rel="noreferrer noopener nofollow">${text}</a>`
}

const MAIL = /^[^\s@?&<>"']+@[^\s@?&<>"']+$/

/** An e-mail address that can be written to; only its text where it looks like none. */
export function mailLink(address: string): Html | string {
  const shown = shortText(address)
  return MAIL.test(address) && address.length <= ADDRESS_LIMIT
    ? html`<a href="mailto:${encodeURI(address)}">${shown}</a>`
    : shown
}

/** A place in a file, from 1, as far as it is known. */
interface FilePlace {
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Where a dashboard leads. */
export interface DashboardLinks {
  /** Shows a place in a file. */
  readonly file: (file: string, place?: FilePlace) => Html
  /** A link to the page of an article; only its text where the address is none that can be followed from here. */
  readonly article: (url: string, text: Html | string) => Html | string
}

/** `content/a.md:12:5`, as a link where `linkOf` knows an address of the line. */
export function createFileCell(
  linkOf: (file: string, line: number) => string | undefined = () => undefined,
): DashboardLinks['file'] {
  return (file, { line, column } = {}) => {
    const place = [line, column].flatMap((each) => (each === undefined ? [] : [`:${each}`])).join('')
    const address = linkOf(file, line ?? 1)
    const path = breakable(`${shortText(file)}${place}`)
    return html`<code>${address === undefined ? path : outerLink(address, path)}</code>`
  }
}

/** A path that may be broken behind its slashes, so that a name and its line stay together. */
export function breakable(path: string): Html {
  const names = path.split('/')
  return html`${names.map((name, index) => (index === 0 ? name : html`/<wbr />${name}`))}`
}

/** The line below a title that says where its text lies. */
export function fileLine(links: DashboardLinks, file: string, place?: FilePlace): Html {
  return html`<div class="kb-data-file">${links.file(file, place)}</div> `
}

interface TitledArticle {
  readonly title: string
  readonly language?: string
  readonly isDraft?: boolean | undefined
  /** Address of its page; undefined where it is not known. */
  readonly url?: string | undefined
}

/** An article by its title, which leads to its page. */
export function articleTitle({ title, language, isDraft, url }: TitledArticle, links: DashboardLinks): Html {
  const text = html`<bdi ${languageAttribute(language)}>${shortText(title) || NO_TITLE}</bdi>`
  const draft = isDraft === true ? html` <span class="kb-badge">Draft</span>` : ''
  return html`${url === undefined ? text : links.article(url, text)}${draft}`
}

/** `lang="…"` where a target names a language that exists, so that screen readers speak it; nothing else. */
function languageAttribute(language: string | undefined): Html | '' {
  return language !== undefined && isKnown(language) ? html`lang="${language}"` : ''
}

function isKnown(language: string): boolean {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    return names.of(language) !== undefined
  } catch {
    return false
  }
}

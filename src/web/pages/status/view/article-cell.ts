import { html } from 'hono/html'
import { escapeControlInLine } from '../../../../core/escape-control.ts'
import type { LivePages } from '../../live-pages.ts'
import { openFile } from '../../open-file.ts'
import type { Html } from '../../page-body.ts'
import { pageLink } from './safe-link.ts'

export interface StatusArticle {
  /** Undefined where only its file is known. */
  readonly title: string | undefined
  readonly url: string | undefined
  readonly file: string | undefined
  /** Where in the file, from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly isDraft?: boolean
  readonly language?: string
}

/** Shows a place in a file. */
export type FileCell = (file: string, line: number | undefined, column?: number) => Html

/** An article's title, as a link to its page, and its file below. */
export function articleCell(article: StatusArticle, fileCell: FileCell): Html {
  const { title, url, file, line, column, language } = article
  const place =
    file === undefined ? '' : html`<div class="kb-data-file">${fileCell(file, line, column)}</div>`
  if (title === undefined) return html`${place}`
  const lang = language === undefined || language === '' ? '' : html`lang="${language}"`
  const text = html`<bdi ${lang}>${escapeControlInLine(title).trim() || 'Untitled'}</bdi>`
  const draft = article.isDraft === true ? html` <span class="kb-badge">Draft</span>` : ''
  return html`${pageLink(url, text)}${draft}${place}`
}

/** `content/a.md:12`; where the author's editor can be opened, a button that does. */
export function createFileCell(live: LivePages | undefined): FileCell {
  if (live !== undefined)
    return (file, line, column) => openFile(live, { file, line: line ?? 1, column: column ?? 1 })
  return (file, line) =>
    html`<code>${escapeControlInLine(file)}${line === undefined ? '' : `:${line}`}</code>`
}

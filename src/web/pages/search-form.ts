import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { inMessageLanguage } from './in-message-language.ts'
import type { Messages } from '../../core/page-messages.ts'
import { LANGUAGE_PARAMETER, type PageUrls } from './page-urls.ts'

export interface SearchFormContext {
  readonly urls: PageUrls
  readonly words: Messages
  readonly language: string
  readonly defaultLanguage: string
}

/** Renders the search box, once on each page. */
export function searchForm(frame: SearchFormContext, searched: string): Html {
  const { urls, words, language, defaultLanguage } = frame
  const isDefault = language === defaultLanguage
  return html`<form class="kb-search" role="search" action="${urls.search(defaultLanguage)}" data-kb-search>
    <label class="kb-hidden" for="_kb-q">${inMessageLanguage(frame, words.searchHint)}</label>
    <input
      id="_kb-q"
      type="search"
      name="q"
      value="${searched}"
      maxlength="200"
      placeholder="${words.searchHint}"
      autocomplete="off"
      spellcheck="false"
      enterkeyhint="search"
    />
    ${isDefault ? '' : html`<input type="hidden" name="${LANGUAGE_PARAMETER}" value="${language}" />`}
    <button type="submit">${inMessageLanguage(frame, words.search)}</button>
    <div class="kb-found" data-kb-found hidden></div>
    <p class="kb-hidden" role="status" data-kb-count></p>
  </form>`
}

import { html } from 'hono/html'
import type { LivePages } from './live-pages.ts'
import type { Html } from '../html.ts'
import type { PageBody, PageInLanguage } from './page-body.ts'
import { OWN_PATH } from './page-headers.ts'
import { LANGUAGE_PARAMETER, type PageUrls } from './page-urls.ts'
import { problemsLine } from './problems-view.ts'
import { inMessageLanguage } from './in-message-language.ts'
import { languageName, textDirection } from './text-direction.ts'
import type { Messages } from './messages.ts'

/** The data of the layout besides the page itself. */
export interface Frame {
  readonly siteName: string
  readonly language: string
  /** The default one first; '' if unknown. */
  readonly defaultLanguage: string
  readonly words: Messages
  readonly urls: PageUrls
  readonly url: string
  readonly assetsPath: string
  readonly navigation: Html | undefined
  readonly account: Html | undefined
  readonly live: LivePages | undefined
}

export function layout(frame: Frame, body: PageBody): Html {
  const { language, live, siteName, words } = frame
  const direction = textDirection(language)
  const mainLanguage = body.language ?? language
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        ${head(frame, body)}
      </head>
      <body>
        <a class="kb-skip" href="#_kb-main">${inMessageLanguage(frame, words.skip)}</a>
        <header class="kb-header">
          <a class="kb-brand" href="${frame.urls.home(language)}">${siteName}</a>
          ${searchForm(frame, body.searched ?? '')}
          <div class="kb-tools" data-kb-live="tools">
            ${live === undefined ? '' : problemsLine(live, frame.urls.status)}${languageMenu(frame, body.languages ?? [])}${frame.account}
          </div>
        </header>
        <div class="kb-body">
          ${frame.navigation}
          <main
            id="_kb-main"
            class="kb-main"
            tabindex="-1"
            data-kb-url="${frame.url}"
            ${body.version === undefined ? '' : html` data-kb-version="${body.version}"`}
            lang="${mainLanguage}"
            dir="${textDirection(mainLanguage)}"
          >
            ${body.main}
          </main>
        </div>
      </body>
    </html> `
}

function head({ siteName, assetsPath, live, url }: Frame, body: PageBody): Html {
  const title = [body.title, siteName].filter((part) => part !== '')
  const styles = ['pages.css', 'article.css', ...(body.styles ?? []), ...(live ? ['problems.css'] : [])]
  const scripts = ['pages.js', ...(body.scripts ?? []), ...(live ? ['live.js'] : [])]
  const languages = body.languages ?? []
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${[...new Set(title)].join(' · ')}</title>
    ${body.description ? html`<meta name="description" content="${body.description}" />` : ''}
    ${body.isUnlisted === true ? html`<meta name="robots" content="noindex" />` : ''}
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${assetsPath}/icon.svg" type="image/svg+xml" />
    <link rel="canonical" href="${url}" />
    ${languages.map((each) => html`<link rel="alternate" hreflang="${each.language}" href="${each.url}" />`)}
    ${styles.map((name) => html`<link rel="stylesheet" href="${assetsPath}/${name}" />`)}
    ${scripts.map((name) => html`<script type="module" src="${assetsPath}/${name}"></script>`)}
    ${live ? html`<meta name="kb-events" content="${OWN_PATH}/events" />` : ''}`
}

function searchForm(frame: Frame, searched: string): Html {
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
    <button>${inMessageLanguage(frame, words.search)}</button>
    <div class="kb-found" data-kb-found hidden></div>
    <p class="kb-hidden" role="status" data-kb-count></p>
  </form>`
}

function languageMenu(frame: Frame, languages: readonly PageInLanguage[]): Html | '' {
  const { words, language } = frame
  if (languages.length < 2) return ''
  const name = (code: string) =>
    html`<bdi lang="${code}" dir="${textDirection(code)}">${languageName(code)}</bdi>`
  const entries = languages.map((each) => {
    const current = each.language === language ? html` aria-current="true"` : ''
    return html`<li>
      <a href="${each.url}" hreflang="${each.language}" ${current}>${name(each.language)}</a>
    </li>`
  })
  return html`<details class="kb-languages" data-kb-menu>
    <summary>
      <span class="kb-hidden">${inMessageLanguage(frame, `${words.languages}: `)}</span>${name(language)}
    </summary>
    <ul>
      ${entries}
    </ul>
  </details>`
}

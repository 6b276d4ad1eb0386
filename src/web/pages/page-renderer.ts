import { html } from 'hono/html'
import { type CategoryNode, pathTo } from './category-tree.ts'
import { brandMark, brandFooter, brandLinks } from './brand/brand-parts.ts'
import type { Brand } from './brand/load-brand.ts'
import type { LivePages } from './live-pages.ts'
import type { Assets } from './load-assets.ts'
import type { PageAddresses } from './page-addresses.ts'
import { breakable, type Html } from '../html.ts'
import type { PageBody, PageInLanguage } from './page-body.ts'
import type { ListedPage } from './page-source.ts'
import { createPageUrls } from './page-urls.ts'
import { failedPage } from './problem-pages.ts'
import { inMessageLanguage } from './in-message-language.ts'
import { textDirection, languageName, ownLanguageName } from './text-direction.ts'
import type { Visit } from './visit.ts'
import { hasMessages, messagesFor, type Messages } from '../../core/page-messages.ts'
import { type HeadContext, pageHead } from './page-head.ts'
import { searchForm } from './search-form.ts'
import { problemsLine } from './problems-view.ts'

interface PageRendererOptions {
  readonly addresses: PageAddresses
  readonly brand: Brand
  readonly live: LivePages | undefined
  readonly assets: () => Assets
}

/** Renders pages in the layout. */
export function createPageRenderer({ addresses, brand, live, assets }: PageRendererOptions) {
  const inLayout = async (
    frame: Omit<Frame, 'assetsPath' | 'brand' | 'live'>,
    body: PageBody,
  ): Promise<string> =>
    String(await layout({ ...frame, assetsPath: frame.urls.own(`/${assets().digest}`), brand, live }, body))
  return {
    async render(visit: Visit, body: PageBody, page: Pick<Frame, 'url' | 'account'>): Promise<string> {
      const { site, language, words, urls } = visit
      const defaultLanguage = site.languages[0] ?? language
      const tree =
        body.isWide === true || body.isBare === true ? undefined : await navigation(visit, body.place)
      const frame = { ...page, siteName: site.name, language, defaultLanguage, words, urls, navigation: tree }
      return inLayout(frame, body)
    },

    /**
     * Renders a page about a failure without the source, which may have caused it, in the first of the wanted languages
     * that has texts.
     */
    async renderFailure(
      url: string,
      wanted: readonly string[],
      { status, headers }: Required<Pick<PageBody, 'status' | 'headers'>> = { status: 500, headers: {} },
    ): Promise<{ readonly page: string; readonly body: PageBody }> {
      const words = messagesFor(
        wanted.find((each) => hasMessages(each, brand.messages)) ?? 'en',
        brand.messages,
      )
      const { language } = words
      const urls = createPageUrls(addresses, [language])
      const body = {
        ...failedPage({ words, urls, language }, status),
        headers: { ...headers, 'Cache-Control': 'no-store' },
      }
      const names = { siteName: '', language, defaultLanguage: language, words }
      const frame = { ...names, urls, url, navigation: undefined, account: undefined }
      return { page: await inLayout(frame, body), body }
    },
  }
}

/**
 * Renders the category tree down to the current category, with the neighbours of the current article, so that pages
 * stay small in large knowledge bases.
 */
async function navigation(visit: Visit, place: PageBody['place']): Promise<Html> {
  const { words, urls, language } = visit
  const tree = await visit.tree()
  const current = tree.bySlug.get(place?.category ?? '')
  const { article, siblings = [] } = place ?? {}
  const open = new Set(current === undefined ? [] : pathTo(current))

  const entry = (node: CategoryNode): Html => {
    const { name, slug } = node.category
    const isCurrent = node === current && article === undefined
    const inside = open.has(node) ? branch(node) : ''
    return html`<li>
      <a href="${urls.category({ slug, language })}" ${isCurrent ? html` aria-current="page"` : ''}
        ><span>${breakable(name)}</span> <span class="kb-number">${visit.numbers.format(node.total)}</span></a
      >${inside}
    </li>`
  }
  const branch = (node: CategoryNode): Html | '' => {
    const articles = node === current ? siblings.map((each) => articleEntry(each, article)) : []
    if (node.children.length + articles.length === 0) return ''
    return html`<ul>
      ${node.children.map(entry)}${articles}
    </ul>`
  }
  const articleEntry = (each: ListedPage, slug: string | undefined): Html => {
    const here = each.slug === slug && each.language === language ? html` aria-current="page"` : ''
    const mark = each.isDraft
      ? html` <span class="kb-badge">${inMessageLanguage(visit, words.draft)}</span>`
      : ''
    return html`<li class="kb-leaf">
      <a href="${urls.article(each)}" dir="${textDirection(each.language)}" ${here}
        ><span>${each.title}</span>${mark}</a
      >
    </li>`
  }
  return html`<nav class="kb-nav" data-kb-live="navigation" aria-label="${words.topics}">
    <details class="kb-fold">
      <summary>${inMessageLanguage(visit, words.topics)}</summary>
      <ul>
        ${tree.roots.map(entry)}
        <li class="kb-all">
          <a href="${urls.search(language)}">${inMessageLanguage(visit, words.allArticles)}</a>
        </li>
      </ul>
    </details>
  </nav>`
}

/** The data of the layout, in addition to the page itself. */
interface Frame extends HeadContext {
  readonly words: Messages
  readonly navigation: Html | undefined
  readonly account: Html | undefined
}

function layout(frame: Frame, body: PageBody): Html {
  const { language, siteName, words } = frame
  const direction = textDirection(language)
  const mainLanguage = body.language ?? language
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        ${pageHead(frame, body)}
      </head>
      <body>
        <a class="kb-skip" href="#_kb-main">${inMessageLanguage(frame, words.skip)}</a>
        <header class="kb-header">
          <a class="kb-brand" href="${frame.urls.home(language)}">${brandMark(frame, siteName)}</a>
          ${body.hasSearch === true || body.isBare === true ? '' : searchForm(frame, body.searched ?? '')}
          ${brandLinks(frame)} ${tools(frame, body)}
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
            ${untranslatedNote(frame, body.missingIn)}${body.main}
          </main>
        </div>
        ${brandFooter(frame)}
      </body>
    </html> `
}

/** Renders a note in the language that the reader requested, if there are messages in it. */
function untranslatedNote({ brand }: Frame, language: string | undefined): Html | '' {
  if (language === undefined) return ''
  const words = messagesFor(language, brand.messages)
  const text = words.untranslated(languageName(language, words.language))
  return html`<p class="kb-untranslated" lang="${words.language}" dir="${textDirection(words.language)}">
    ${text}
  </p>`
}

/** Returns '' if there are no tools, so that they take no space. */
function tools(frame: Frame, body: PageBody): Html | '' {
  const { live, urls, account } = frame
  const problems = live === undefined ? '' : problemsLine(live, urls.status)
  const menu = languageMenu(frame, body.languages ?? [])
  if (problems === '' && menu === '' && account === undefined) return ''
  return html`<div class="kb-tools" data-kb-live="tools">${problems}${menu}${account}</div>`
}

function languageMenu(frame: Frame, languages: readonly PageInLanguage[]): Html | '' {
  const { words, language } = frame
  if (languages.length < 2) return ''
  const name = (code: string) =>
    html`<bdi lang="${code}" dir="${textDirection(code)}">${ownLanguageName(code)}</bdi>`
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

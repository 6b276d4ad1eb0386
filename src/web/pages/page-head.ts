import { html, raw } from 'hono/html'
import { parseUrl } from '../../core/parse-url.ts'
import type { Html } from '../html.ts'
import type { Brand } from './brand/load-brand.ts'
import { brandUrl } from './brand/brand-parts.ts'
import { imageUrl } from './home-page.ts'
import type { LivePages } from './live-pages.ts'
import type { PageBody } from './page-body.ts'
import { OWN_PATH } from './page-headers.ts'
import type { PageUrls } from './page-urls.ts'

/** The data for the head of a page, in addition to the page itself. */
export interface HeadContext {
  readonly siteName: string
  readonly brand: Brand
  readonly language: string
  /** The default language; '' if unknown. */
  readonly defaultLanguage: string
  readonly urls: PageUrls
  readonly url: string
  readonly assetsPath: string
  readonly live: LivePages | undefined
}

/** Renders the content of `<head>`. */
export function pageHead(context: HeadContext, body: PageBody): Html {
  const { siteName, brand, urls, assetsPath, live } = context
  const title = [body.title, siteName].filter((part) => part !== '')
  const styles = ['pages.css', 'article.css', ...(body.styles ?? []), ...(live ? ['problems.css'] : [])]
  const scripts = ['pages.js', ...(body.scripts ?? []), ...(live ? ['live.js'] : [])]
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${[...new Set(title)].join(' · ')}</title>
    ${body.description ? html`<meta name="description" content="${body.description}" />` : ''}
    ${body.isUnlisted === true ? html`<meta name="robots" content="noindex" />` : ''}
    <meta name="color-scheme" content="light dark" />
    ${brand.favicon === undefined ? html`<link rel="icon" href="${assetsPath}/icon.svg" type="image/svg+xml" />` : html`<link rel="icon" href="${brandUrl(brand.favicon.address, urls)}" />`}
    ${(body.status ?? 200) < 400 ? descriptionForOthers(context, body) : ''}
    ${styles.map((name) => html`<link rel="stylesheet" href="${assetsPath}/${name}" />`)}
    ${brand.styles.map((address) => html`<link rel="stylesheet" href="${brandUrl(address, urls)}" />`)}
    ${scripts.map((name) => html`<script type="module" src="${assetsPath}/${name}"></script>`)}
    ${live ? html`<meta name="kb-events" content="${OWN_PATH}/events" data-kb-brand="${brand.digest}" />` : ''}`
}

/** Renders the part of the head for search engines, feed readers and link previews. */
function descriptionForOthers(context: HeadContext, body: PageBody): Html {
  const { url, urls, language, defaultLanguage, siteName } = context
  const { languages = [] } = body
  const { absolute } = urls
  const addressOf = (path: string) => absolute?.(path) ?? path
  const links = html`<link rel="canonical" href="${addressOf(url)}" />
    ${languages.map((each) => html`<link rel="alternate" hreflang="${each.language}" href="${addressOf(each.url)}" />`)}`
  if (absolute === undefined) return links
  const anyOther = languages.length > 1 && languages.find((each) => each.language === defaultLanguage)
  return html`${links}
    ${anyOther ? html`<link rel="alternate" hreflang="x-default" href="${absolute(anyOther.url)}" />` : ''}
    <link
      rel="alternate"
      type="application/atom+xml"
      title="${siteName}"
      href="${absolute(urls.feed(language))}"
    />
    ${previewTags(siteName, { url: absolute(url), urls }, body)}
    ${body.trail === undefined ? '' : breadcrumbList([{ name: siteName, url: urls.home(language) }, ...body.trail], absolute)}`
}

/** Renders tags for link previews in other programs. X reads them in addition to its own. */
function previewTags(siteName: string, context: Pick<HeadContext, 'url' | 'urls'>, body: PageBody): Html {
  const { url, urls } = context
  const { title, description, article } = body
  const shown = imageUrl({ urls }, article?.image ?? '')
  const image = shown === '' ? undefined : parseUrl(shown, url)
  const hasImage = image !== undefined && /^https?:$/.test(image.protocol)
  const tags = {
    'og:site_name': siteName,
    'og:type': article === undefined ? 'website' : 'article',
    'og:title': title === '' ? siteName : title,
    'og:description': description,
    'og:url': url,
    'og:image': hasImage ? image.href : '',
    'article:modified_time': article?.editedDate,
  }
  return html`${Object.entries(tags).map(([name, value]) => (value ? html`<meta property="${name}" content="${value}" /> ` : ''))}
    <meta name="twitter:card" content="${hasImage ? 'summary_large_image' : 'summary'}" />`
}

/** Renders structured data, to which no policy for scripts applies. */
function breadcrumbList(trail: NonNullable<PageBody['trail']>, absolute: (path: string) => string): Html {
  const entries = trail.map(({ name, url }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: name.toWellFormed(),
    item: absolute(url),
  }))
  const list = { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement: entries }
  return raw(
    `<script type="application/ld+json">${JSON.stringify(list).replaceAll('<', String.raw`\u003c`)}</script>`,
  )
}

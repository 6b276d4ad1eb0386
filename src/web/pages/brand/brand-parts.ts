import { html } from 'hono/html'
import type { BrandSettings } from '../../../core/config/settings.ts'
import type { Html } from '../../html.ts'
import { inMessageLanguage } from '../in-message-language.ts'
import type { PageUrls } from '../page-urls.ts'
import type { SearchFormContext } from '../search-form.ts'
import type { Brand } from './load-brand.ts'

interface BrandContext extends SearchFormContext {
  readonly brand: Brand
}

/** A text of the configuration, for all languages or for each. */
type Wording = NonNullable<BrandSettings['contact']>

/** The text in a language, otherwise its primary one (`pt` for `pt-BR`), the default language, or any. */
export function wordingIn(wording: Wording, language: string, defaultLanguage: string): string {
  if (typeof wording === 'string') return wording
  const [primary = ''] = language.split('-', 1)
  const known = [language, primary, defaultLanguage].find((code) => Object.hasOwn(wording, code))
  return (known === undefined ? Object.values(wording)[0] : wording[known]) ?? ''
}

/** Returns the URL of a part of the brand. A file is below our own path. */
export function brandUrl(address: string, urls: PageUrls): string {
  return address.startsWith('/') ? urls.own(address) : address
}

/** The content of the link to the home page. */
export function brandMark(
  { brand: { logo }, urls }: Pick<BrandContext, 'brand' | 'urls'>,
  name: string,
): Html {
  if (logo === undefined) return html`${name}`
  const { light, dark, replacesName } = logo
  const image = html`<img
    class="kb-logo"
    src="${brandUrl(light.address, urls)}"
    alt="${replacesName ? name : ''}"
    ${sizeOf(light)}
  />`
  const picture =
    dark === undefined
      ? image
      : html`<picture
          ><source
            media="screen and (prefers-color-scheme: dark)"
            srcset="${brandUrl(dark.address, urls)}"
            ${sizeOf(dark)}
          />
          ${image}</picture
        >`
  return replacesName ? picture : html`${picture}<span>${name}</span>`
}

/** Reserves the space of the image until it is loaded. */
function sizeOf({ width, height }: NonNullable<Brand['logo']>['light']): Html | '' {
  return width === undefined || height === undefined ? '' : html` width="${width}" height="${height}"`
}

export function brandLinks(context: BrandContext): Html | '' {
  const { header = [] } = context.brand
  return header.length === 0 ? '' : linkList(context, header)
}

/** Renders the footer of each page; '' if it would be empty. */
export function brandFooter(context: BrandContext): Html | '' {
  const { brand, words } = context
  const { footer = [], contact } = brand
  if (footer.length === 0 && contact === undefined) return ''
  return html`<footer class="kb-footer" data-kb-live="footer">
    ${contact === undefined ? '' : html`<p class="kb-contact">${inMessageLanguage(context, words.needHelp)} <a href="${hrefOf(context, contact)}">${inMessageLanguage(context, words.contact)}</a></p>`}
    ${footer.length === 0 ? '' : linkList(context, footer)}
  </footer>`
}

function linkList(context: BrandContext, links: NonNullable<BrandSettings['header']>): Html {
  const { language, defaultLanguage } = context
  const entries = links.map(
    ({ text, url }) =>
      html`<li><a href="${hrefOf(context, url)}">${wordingIn(text, language, defaultLanguage)}</a></li>`,
  )
  return html`<ul class="kb-links">
    ${entries}
  </ul>`
}

function hrefOf({ urls, language, defaultLanguage }: BrandContext, url: Wording): string {
  const address = wordingIn(url, language, defaultLanguage)
  return address.startsWith('/') ? urls.path(address) : address
}

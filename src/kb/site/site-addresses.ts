import { addressMaker } from '../../core/config/settings.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { AddressOf } from '../../content/links/resolved-link.ts'
import type { SiteLinks } from './site-options.ts'

export interface SiteAddresses {
  readonly articleUrl: AddressOf
  readonly categoryUrl: AddressOf
  readonly tagUrl: AddressOf
}

/** Where pages of a site lie; where it names no place, they lie where the target's do. */
export function siteAddresses(settings: Settings, links: SiteLinks): SiteAddresses {
  return {
    articleUrl: links.article === undefined ? settings.articleUrl : articleUrl(links.article, settings),
    categoryUrl: links.category === undefined ? settings.categoryUrl : addressMaker(links.category),
    tagUrl: links.tag === undefined ? settings.tagUrl : addressMaker(links.tag),
  }
}

/** The id of an article: unique in its site. @param language null for the default one */
export function articleId(slug: string, language: string | null): string {
  return language === null ? slug : `${language}/${slug}`
}

function articleUrl(
  link: NonNullable<SiteLinks['article']>,
  { defaultLanguage }: Pick<Settings, 'defaultLanguage'>,
): AddressOf {
  if (typeof link === 'function') return link
  return ({ slug, language }) => {
    const id = articleId(slug, language === defaultLanguage ? null : language)
    const path = id.split('/').map(encodeURIComponent).join('/')
    return addressMaker(link.replaceAll('{id}', path))({ slug, language })
  }
}

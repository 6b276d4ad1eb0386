import type { Settings } from '../../core/config/settings.ts'
import { parseUrl } from '../../core/parse-url.ts'

const DEFAULT_PATH = '/articles/{slug}'

/**
 * Returns the path of an article on the site, with `{slug}` and an optional `{language}`, by which the server
 * recognises relative links to articles. `links.article` may be a function, so it is called with the placeholders.
 */
export function articlePathOf({ articleUrl }: Pick<Settings, 'articleUrl'>): string {
  const url = withPlaceholders(articleUrl({ slug: '{slug}', language: '{language}' }))
  const path = withPlaceholders(parseUrl(url)?.pathname ?? url.split(/[?#]/, 1)[0] ?? '')
  return path.includes('{slug}') ? path : DEFAULT_PATH
}

function withPlaceholders(text: string): string {
  return text.replaceAll(/%7B(slug|language)%7D/gi, '{$1}')
}

// Defaults that tools share.
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { LanguageSplit, PresetDefaults } from './dialect.ts'

// A description is for search engines, which show about this much; it is cut at a word. And none of the tools fails to
// build a site because of a link to a missing heading.
const RULES: RuleSeverities = { 'excerpt-too-long': 'warning', 'link-heading-missing': 'warning' }

/** A page is published unless it is marked as a draft. */
export const USUAL_DEFAULTS: Omit<PresetDefaults, 'content'> = {
  include: ['**/*.md'],
  // Packages contain Markdown of their own.
  exclude: ['**/node_modules/**'],
  status: 'published',
  rules: RULES,
}

/** Besides a title in the frontmatter, for lists and the browser, pages usually have a heading. */
export const HEADED_DEFAULTS: typeof USUAL_DEFAULTS = {
  ...USUAL_DEFAULTS,
  rules: { ...RULES, 'heading-second-h1': 'off' },
}

/** The language in the first folder of a path. */
export function splitLanguageFolder(source: string, languages: readonly string[]): LanguageSplit {
  const [first = '', ...rest] = source.split('/')
  if (rest.length > 0 && languages.includes(first)) return { language: first, path: rest.join('/') }
  return { language: undefined, path: source }
}

/** The language in the first folder of a path, else in the name of the file: `page.fr.md`. */
export function splitLanguageSuffix(source: string, languages: readonly string[]): LanguageSplit {
  const split = splitLanguageFolder(source, languages)
  if (split.language !== undefined) return split
  const language = languages.find((each) => new RegExp(`\\.${each}\\.[^./]+$`, 'i').test(source))
  const path = language === undefined ? source : source.replace(/\.[^./]+(\.[^./]+)$/, '$1')
  return { language, path }
}

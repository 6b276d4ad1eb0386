// What tools have in common.
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { LanguageSplit, PresetDefaults } from './dialect.ts'

// A description is made for search engines, which show about as much; it is cut at a word. And none of the tools refuses
// to build a site for a link to a heading that is not there.
const RULES: RuleSeverities = { 'excerpt-too-long': 'warning', 'link-heading-missing': 'warning' }

/** A page is published unless it says that it is a draft. */
export const USUAL_DEFAULTS: Omit<PresetDefaults, 'content'> = {
  include: ['**/*.md'],
  // Packages bring Markdown of their own.
  exclude: ['**/node_modules/**'],
  status: 'published',
  rules: RULES,
}

/** Beside a title in the frontmatter, which is for lists and the browser, the heading of the page is usual there. */
export const HEADED_DEFAULTS: typeof USUAL_DEFAULTS = {
  ...USUAL_DEFAULTS,
  rules: { ...RULES, 'heading-second-h1': 'off' },
}

/** The language that the first folder of a path names. */
export function splitLanguageFolder(source: string, languages: readonly string[]): LanguageSplit {
  const [first = '', ...rest] = source.split('/')
  if (rest.length > 0 && languages.includes(first)) return { language: first, path: rest.join('/') }
  return { language: undefined, path: source }
}

/** The language that the first folder of a path names, or else the name of the file: `page.fr.md`. */
export function splitLanguageSuffix(source: string, languages: readonly string[]): LanguageSplit {
  const split = splitLanguageFolder(source, languages)
  if (split.language !== undefined) return split
  const language = languages.find((each) => new RegExp(`\\.${each}\\.[^./]+$`, 'i').test(source))
  const path = language === undefined ? source : source.replace(/\.[^./]+(\.[^./]+)$/, '$1')
  return { language, path }
}

// Defaults shared by several tools.
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { LanguageSplit, PresetDefaults } from './dialect.ts'

// Descriptions are meant for search engines, which show about 160 characters; longer ones are cut at a word. None of
// the tools fails a build because of a link to a missing heading.
const RULES: RuleSeverities = { 'excerpt-too-long': 'warning', 'link-heading-missing': 'warning' }

/** A page is published unless it is marked as a draft. */
export const USUAL_DEFAULTS: Omit<PresetDefaults, 'content'> = {
  include: ['**/*.md'],
  // Packages contain their own Markdown files.
  exclude: ['**/node_modules/**'],
  status: 'published',
  rules: RULES,
}

/** Pages usually have a heading besides the title in the frontmatter, which is for lists and the browser. */
export const HEADED_DEFAULTS: typeof USUAL_DEFAULTS = {
  ...USUAL_DEFAULTS,
  rules: { ...RULES, 'heading-second-h1': 'off' },
}

/** Splits the language off the first folder of a path. */
export function splitLanguageFolder(source: string, languages: readonly string[]): LanguageSplit {
  const end = source.indexOf('/')
  const language = languages.find((each) => each.length === end && source.startsWith(each))
  return { language, path: language === undefined ? source : source.slice(end + 1) }
}

/** Splits the language off the first folder of a path, or off the file name: `page.fr.md`. */
export function splitLanguageSuffix(source: string, languages: readonly string[]): LanguageSplit {
  const split = splitLanguageFolder(source, languages)
  if (split.language !== undefined) return split
  const suffix = /\.([^./]+)\.[^./]+$/.exec(source)?.[1]?.toLowerCase()
  const language = languages.find((each) => each.toLowerCase() === suffix)
  const path = language === undefined ? source : source.replace(/\.[^./]+(\.[^./]+)$/, '$1')
  return { language, path }
}

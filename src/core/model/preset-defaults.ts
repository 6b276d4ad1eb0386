import type { RuleSeverities } from './diagnostic-codes.ts'
import type { PresetName } from './preset-name.ts'

/** What holds with a preset where the configuration says nothing. */
export interface PresetDefaults {
  readonly content: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** The tools publish what does not say that it is a draft. */
  readonly status: 'draft' | 'published'
  readonly rules: RuleSeverities
}

// A description is made for search engines, which show about as much; it is cut at a word. And none of the tools refuses
// to build a site for a link to a heading that is not there.
const RULES: RuleSeverities = { 'excerpt-too-long': 'warning', 'link-heading-missing': 'warning' }

// Beside a title in the frontmatter, which is for lists and the browser, the heading of the page is usual there.
const HEADED: RuleSeverities = { ...RULES, 'heading-second-h1': 'off' }

// Packages bring Markdown of their own.
const EXCLUDE = ['**/node_modules/**']

export const PRESET_DEFAULTS: Readonly<Record<PresetName, PresetDefaults>> = {
  docusaurus: {
    content: 'docs',
    include: ['**/*.md', '**/*.mdx'],
    exclude: EXCLUDE,
    status: 'published',
    rules: HEADED,
  },
  vitepress: {
    content: 'docs',
    include: ['**/*.md'],
    exclude: EXCLUDE,
    status: 'published',
    rules: HEADED,
  },
  hugo: {
    content: 'content',
    include: ['**/*.md'],
    exclude: EXCLUDE,
    status: 'published',
    rules: RULES,
  },
}

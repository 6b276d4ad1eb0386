export type Severity = 'error' | 'warning'
export type RuleSeverity = Severity | 'off'

interface ProblemEntry {
  readonly severity: Severity
  /** One line for the guide: what is wrong. */
  readonly summary: string
}

interface RuleEntry {
  /** Where the configuration says nothing. */
  readonly severity: RuleSeverity
  readonly summary: string
}

/** What keeps an article from being sent as its author meant it: always reported. */
const PROBLEMS = {
  'file-unreadable': { severity: 'error', summary: 'The file could not be read.' },
  'file-not-utf8': { severity: 'error', summary: 'The file is not UTF-8 text.' },
  'file-empty': { severity: 'error', summary: 'The file holds nothing.' },
  'frontmatter-missing': { severity: 'error', summary: 'The file does not begin with frontmatter.' },
  'frontmatter-engine': {
    severity: 'error',
    summary: 'The frontmatter asks for a language other than YAML.',
  },
  'frontmatter-syntax': { severity: 'error', summary: 'The frontmatter is not valid YAML.' },
  'frontmatter-unknown-key': {
    severity: 'error',
    summary: 'The frontmatter has a key that kb-sync does not know.',
  },
  'frontmatter-value': { severity: 'error', summary: 'A frontmatter value has the wrong type or form.' },
  'title-missing': { severity: 'error', summary: 'The article has no title.' },
  'title-too-long': { severity: 'error', summary: 'The title has more than 500 characters.' },
  'date-invalid': { severity: 'error', summary: 'A date is not a calendar date of the form YYYY-MM-DD.' },
  'slug-invalid': { severity: 'error', summary: 'The slug has characters that a slug may not have.' },
  'slug-duplicate': { severity: 'error', summary: 'Two articles of one language have the same slug.' },
  'category-missing': { severity: 'error', summary: 'The article names no category.' },
  'category-unknown': { severity: 'error', summary: 'The article names a category that does not exist.' },
  'category-ambiguous': { severity: 'error', summary: 'The name fits more than one category.' },
  'tag-unknown': { severity: 'error', summary: 'The article names a tag that does not exist.' },
  'tag-ambiguous': { severity: 'error', summary: 'The name fits more than one tag.' },
  'translation-unknown': { severity: 'error', summary: 'translationOf names no article.' },
  'translation-nested': {
    severity: 'error',
    summary: 'translationOf names an article that is itself a translation.',
  },
  'translation-duplicate': {
    severity: 'error',
    summary: 'Two articles are translations of one original into the same language.',
  },
  'language-not-sent': {
    severity: 'warning',
    summary: "The target does not take articles in the article's language, so it is skipped.",
  },
  'link-file-missing': { severity: 'error', summary: 'A link points at a file that does not exist.' },
  'link-outside': { severity: 'error', summary: 'A link leaves the content folder.' },
  'link-not-article': { severity: 'error', summary: 'A link points at a file that is not an article.' },
  'link-taxonomy-missing': {
    severity: 'error',
    summary: 'A link points at a category or tag that does not exist.',
  },
  'include-missing': { severity: 'error', summary: 'A file to be included does not exist.' },
  'include-outside': { severity: 'error', summary: 'A file to be included lies outside the content folder.' },
  'include-circular': { severity: 'error', summary: 'Files include each other in a circle.' },
  'include-too-large': { severity: 'error', summary: 'Includes go too deep or add up to too much text.' },
  'include-misplaced': {
    severity: 'error',
    summary: 'An include comment stands where nothing can be included.',
  },
  'value-unresolved': {
    severity: 'error',
    summary: 'Code or a URL holds an expression or shortcode that has no value here.',
  },
  'mdx-syntax': { severity: 'error', summary: 'A file with the ending .mdx is not valid MDX.' },
  'nested-too-deeply': { severity: 'error', summary: 'The text is nested too deeply.' },
  'asset-missing': { severity: 'error', summary: 'An image or a file to be published does not exist.' },
  'asset-too-large': { severity: 'error', summary: 'An image or a file to be published is too large.' },
  'asset-type': { severity: 'error', summary: 'The file is not of a type that can be sent or published.' },
  'marker-removed': {
    severity: 'warning',
    summary: "A comment that looks like kb-sync's own marker was removed.",
  },
  'taxonomy-syntax': { severity: 'error', summary: 'A taxonomy file is not valid YAML or not a list.' },
  'taxonomy-unknown-key': {
    severity: 'error',
    summary: 'A taxonomy entry has a key that kb-sync does not know.',
  },
  'taxonomy-value': { severity: 'error', summary: 'A taxonomy entry has a value of the wrong type or form.' },
  'taxonomy-duplicate': { severity: 'error', summary: 'Two taxonomy entries cannot be told apart.' },
  'taxonomy-parent': {
    severity: 'error',
    summary: 'The parent of a category does not exist or is below it.',
  },
  'parser-fallback': { severity: 'warning', summary: 'The native Markdown parser is not available here.' },
} as const satisfies Record<string, ProblemEntry>

/** What a team may see differently: the configuration sets the severity of each. */
export const RULES = {
  'excerpt-missing': { severity: 'off', summary: 'The article has no excerpt of its own.' },
  'excerpt-from-title': {
    severity: 'warning',
    summary: 'A published article has neither excerpt nor paragraph, so its title is sent as excerpt.',
  },
  'excerpt-too-long': { severity: 'error', summary: 'The excerpt has more than 160 characters.' },
  'heading-skipped': {
    severity: 'warning',
    summary: 'A heading is more than one level below the one before.',
  },
  'heading-second-h1': {
    severity: 'warning',
    summary: 'The text has a heading of the first level, which is the title’s.',
  },
  'image-alt-missing': { severity: 'warning', summary: 'An image has no text for those who cannot see it.' },
  'bare-url': {
    severity: 'warning',
    summary: 'An address stands in the text without words that say where it leads.',
  },
  'url-too-long': { severity: 'warning', summary: 'A URL has more than 8 KB, so no list of links shows it.' },
  'link-text-empty': { severity: 'warning', summary: 'A link has no text.' },
  'link-to-draft': { severity: 'warning', summary: 'A published article links to a draft.' },
  'link-heading-missing': { severity: 'error', summary: 'A link points at a heading that does not exist.' },
  'link-reference-undefined': {
    severity: 'warning',
    summary: 'A reference link names an address that is defined nowhere.',
  },
  'site-address': {
    severity: 'warning',
    summary: 'A link or image with an address of the site is sent as it is, and leads nowhere elsewhere.',
  },
  'link-external-broken': { severity: 'warning', summary: 'A link to another site does not work.' },
  'tag-used-once': { severity: 'off', summary: 'A tag is used by one article only.' },
  'tags-alike': { severity: 'warning', summary: 'Two tags have nearly the same name.' },
  'review-date-missing': { severity: 'off', summary: 'The article has no review date of its own.' },
  'review-overdue': { severity: 'warning', summary: 'The review date of the article has passed.' },
  'translation-outdated': { severity: 'warning', summary: 'The original was changed after its translation.' },
  'slug-changed': { severity: 'warning', summary: 'A published article gets another address without need.' },
  'article-orphaned': { severity: 'off', summary: 'No other article and no category links to the article.' },
  'asset-unused': { severity: 'warning', summary: 'No article uses the file.' },
  'asset-type-mismatch': { severity: 'warning', summary: 'An image is of another type than its name says.' },
  'file-too-large': { severity: 'warning', summary: 'The file is too large to be read as one article.' },
  'trailing-space': { severity: 'warning', summary: 'White space stands at the end of a line or value.' },
  'plugin-message': {
    severity: 'warning',
    summary: 'A remark plugin of the configuration has something to say.',
  },
  'html-removed': { severity: 'warning', summary: 'Raw HTML that is not on the allow-list was removed.' },
  'component-removed': {
    severity: 'warning',
    summary: 'A component or container that is not known was removed; what stands in it stayed.',
  },
  'expression-removed': { severity: 'warning', summary: 'An expression was removed, since no code is run.' },
  'shortcode-removed': {
    severity: 'warning',
    summary: 'A shortcode that is not known was removed; what stands in it stayed.',
  },
  'tool-syntax': { severity: 'warning', summary: 'Syntax of a tool that is not read here is sent as text.' },
  'url-removed': {
    severity: 'warning',
    summary: 'A link or image address with a scheme that is not allowed was removed.',
  },
} as const satisfies Record<string, RuleEntry>

/** Every problem kb-sync can find in the user's files. The guide documents each one; a test holds both together. */
export const DIAGNOSTICS = { ...PROBLEMS, ...RULES }

export type DiagnosticCode = keyof typeof DIAGNOSTICS
export type RuleCode = keyof typeof RULES

/** Severities that the configuration sets, by rule. */
export type RuleSeverities = { readonly [Code in RuleCode]?: RuleSeverity | undefined }

/** How a problem counts under the configuration; `off`: not at all. */
export function severityOf(code: DiagnosticCode, rules: RuleSeverities): RuleSeverity {
  return (rules as Partial<Record<string, RuleSeverity>>)[code] ?? DIAGNOSTICS[code].severity
}

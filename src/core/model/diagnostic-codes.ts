export type Severity = 'error' | 'warning'
export type RuleSeverity = Severity | 'off'

interface ProblemEntry {
  readonly severity: Severity
  /** One line for the guide: the problem. */
  readonly summary: string
}

interface RuleEntry {
  /** Default severity. */
  readonly severity: RuleSeverity
  readonly summary: string
}

/** Problems that prevent an article from being sent as its author meant it: always reported. */
const PROBLEMS = {
  'file-unreadable': { severity: 'error', summary: 'The file could not be read.' },
  'file-not-utf8': { severity: 'error', summary: 'The file is not UTF-8 text.' },
  'file-empty': { severity: 'error', summary: 'The file is empty.' },
  'frontmatter-missing': { severity: 'error', summary: 'The file does not begin with frontmatter.' },
  'frontmatter-engine': { severity: 'error', summary: 'The frontmatter is in a language other than YAML.' },
  'frontmatter-syntax': { severity: 'error', summary: 'The frontmatter is not valid YAML.' },
  'frontmatter-value': { severity: 'error', summary: 'A frontmatter value has the wrong type or form.' },
  'title-missing': { severity: 'error', summary: 'The article has no title.' },
  'title-too-long': { severity: 'error', summary: 'The title has more than 500 characters.' },
  'date-invalid': { severity: 'error', summary: 'A date is not a calendar date of the form YYYY-MM-DD.' },
  'slug-invalid': { severity: 'error', summary: 'The slug contains characters that are not allowed.' },
  'slug-duplicate': { severity: 'error', summary: 'Two articles of one language have the same slug.' },
  'category-missing': { severity: 'error', summary: 'The article has no category.' },
  'category-unknown': { severity: 'error', summary: 'The article names a category that does not exist.' },
  'category-ambiguous': { severity: 'error', summary: 'The name matches more than one category.' },
  'tag-unknown': { severity: 'error', summary: 'The article names a tag that does not exist.' },
  'tag-ambiguous': { severity: 'error', summary: 'The name matches more than one tag.' },
  'translation-unknown': { severity: 'error', summary: 'translationOf does not name an article.' },
  'translation-nested': {
    severity: 'error',
    summary: 'translationOf names an article that is itself a translation.',
  },
  'translation-duplicate': {
    severity: 'error',
    summary: 'Two articles are translations of one original into the same language.',
  },
  'aliases-not-sent': { severity: 'warning', summary: 'The target does not support redirects.' },
  'language-not-sent': {
    severity: 'warning',
    summary: 'The target does not accept articles in this language, so the article is skipped.',
  },
  'include-missing': { severity: 'error', summary: 'An included file does not exist.' },
  'include-outside': { severity: 'error', summary: 'An included file is outside the content folder.' },
  'include-circular': { severity: 'error', summary: 'Files include each other in a loop.' },
  'include-too-large': { severity: 'error', summary: 'Includes are nested too deeply or too large.' },
  'include-misplaced': {
    severity: 'error',
    summary: 'An include comment is at a position where nothing can be included.',
  },
  'mdx-syntax': { severity: 'error', summary: 'A file with the ending .mdx is not valid MDX.' },
  'nested-too-deeply': { severity: 'error', summary: 'The text is nested too deeply.' },
  'taxonomy-syntax': { severity: 'error', summary: 'A taxonomy file is not valid YAML or not a list.' },
  'taxonomy-value': { severity: 'error', summary: 'A taxonomy entry has a value of the wrong type or form.' },
  'taxonomy-duplicate': { severity: 'error', summary: 'Two taxonomy entries have the same name or slug.' },
  'taxonomy-parent': {
    severity: 'error',
    summary: 'The parent of a category does not exist, or is one of its descendants.',
  },
} as const satisfies Record<string, ProblemEntry>

/** Problems whose severity is configurable. */
export const RULES = {
  'frontmatter-unknown-key': {
    severity: 'error',
    summary: 'The frontmatter has a key that kb-sync does not know.',
  },
  'taxonomy-unknown-key': {
    severity: 'error',
    summary: 'A taxonomy entry has a key that kb-sync does not know.',
  },
  'link-file-missing': { severity: 'error', summary: 'A link points to a file that does not exist.' },
  'link-outside': { severity: 'error', summary: 'A link points to a file outside the content folder.' },
  'link-not-article': { severity: 'error', summary: 'A link points to a file that is not an article.' },
  'link-taxonomy-missing': {
    severity: 'error',
    summary: 'A link points to a category or tag that does not exist.',
  },
  'value-unresolved': {
    severity: 'error',
    summary: 'Code or a URL contains an expression or shortcode that has no value here.',
  },
  'asset-missing': { severity: 'error', summary: 'An image or a file to be published does not exist.' },
  'asset-too-large': { severity: 'error', summary: 'An image or a file to be published is too large.' },
  'asset-type': { severity: 'error', summary: 'The file is not of a type that can be sent or published.' },
  'marker-removed': {
    severity: 'warning',
    summary: "A comment that looks like kb-sync's own marker was removed.",
  },
  'parser-fallback': { severity: 'warning', summary: 'The native Markdown parser is not available here.' },
  'excerpt-missing': { severity: 'off', summary: 'The article has no excerpt.' },
  'excerpt-from-title': {
    severity: 'warning',
    summary:
      'A published article has neither an excerpt nor a paragraph, so its title is sent as the excerpt.',
  },
  'excerpt-too-long': { severity: 'error', summary: 'The excerpt has more than 160 characters.' },
  'heading-skipped': {
    severity: 'warning',
    summary: 'A heading is more than one level below the previous one.',
  },
  'heading-second-h1': {
    severity: 'warning',
    summary: 'The text has a heading of level 1, which is reserved for the title.',
  },
  'image-alt-missing': { severity: 'warning', summary: 'An image has no alt text.' },
  'bare-url': { severity: 'warning', summary: 'A link shows its URL instead of words.' },
  'url-too-long': {
    severity: 'warning',
    summary: 'A URL has more than 8 KB, so the target does not list the link.',
  },
  'link-text-empty': { severity: 'warning', summary: 'A link has no text.' },
  'link-to-draft': { severity: 'warning', summary: 'A published article links to a draft.' },
  'link-heading-missing': { severity: 'error', summary: 'A link points to a heading that does not exist.' },
  'link-reference-undefined': { severity: 'warning', summary: 'A reference link has no definition.' },
  'site-address': {
    severity: 'warning',
    summary: 'A root-relative link or image breaks on a different host.',
  },
  'link-external-broken': { severity: 'warning', summary: 'A link to another site does not work.' },
  'tag-used-once': { severity: 'off', summary: 'A tag is used by only one article.' },
  'tags-alike': { severity: 'warning', summary: 'Two tags have nearly the same name.' },
  'review-date-missing': { severity: 'off', summary: 'The article has no review date.' },
  'review-overdue': { severity: 'warning', summary: 'The review date of the article has passed.' },
  'translation-outdated': { severity: 'warning', summary: 'The original was changed after its translation.' },
  'slug-changed': { severity: 'warning', summary: 'A published article gets another URL.' },
  'article-orphaned': { severity: 'off', summary: 'No other article, category or tag links to the article.' },
  'featured-missing': { severity: 'warning', summary: 'No article has the slug of a featured one.' },
  'page-link-missing': {
    severity: 'warning',
    summary: 'A link of the header or footer leads to no article, or to an old URL.',
  },
  'accent-contrast': { severity: 'warning', summary: 'Text in the accent colour is hard to read.' },
  'asset-unused': { severity: 'warning', summary: 'No article uses the file.' },
  'asset-unconfirmed': {
    severity: 'warning',
    summary: 'A file can only be sent if the target stores files, which is not known yet.',
  },
  'asset-type-mismatch': { severity: 'warning', summary: 'The type of an image does not match its ending.' },
  'file-too-large': { severity: 'warning', summary: 'The article is too large.' },
  'trailing-space': { severity: 'warning', summary: 'There is white space at the end of a line or value.' },
  'plugin-message': {
    severity: 'warning',
    summary: 'A remark plugin of the configuration reports a problem.',
  },
  'html-removed': { severity: 'warning', summary: 'Raw HTML that is not on the allow-list was removed.' },
  'component-removed': {
    severity: 'warning',
    summary: 'An unknown component or container was removed; its content was kept.',
  },
  'expression-removed': {
    severity: 'warning',
    summary: 'An expression was removed, because kb-sync runs no code.',
  },
  'shortcode-removed': {
    severity: 'warning',
    summary: 'An unknown shortcode was removed; its content was kept.',
  },
  'navigation-page-missing': {
    severity: 'warning',
    summary: 'The navigation of the site lists a file that does not exist.',
  },
  'tool-syntax': { severity: 'warning', summary: 'The syntax of another tool is sent as text.' },
  'url-removed': {
    severity: 'warning',
    summary: 'A URL of a link or image was removed, because its scheme is not allowed.',
  },
  'ignore-invalid': {
    severity: 'warning',
    summary: 'A kb-ignore comment names no rule, or is not complete.',
  },
  'ignore-unused': {
    severity: 'warning',
    summary: 'A kb-ignore comment ignores a problem that does not exist.',
  },
} as const satisfies Record<string, RuleEntry>

/** Every problem that kb-sync can find in the user's files. The guide documents each one; a test keeps both in step. */
export const DIAGNOSTICS = { ...PROBLEMS, ...RULES }

export type DiagnosticCode = keyof typeof DIAGNOSTICS
export type RuleCode = keyof typeof RULES

/** Severities from the configuration, by rule. */
export type RuleSeverities = { readonly [Code in RuleCode]?: RuleSeverity | undefined }

/** The severities of a project; if several overrides match a file, the last one wins. */
export interface RuleSettings {
  readonly rules: RuleSeverities
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: RuleSeverities }[]
}

/** The severity of a problem without an override; `off`: not reported. */
export function severityOf(code: DiagnosticCode, rules: RuleSeverities): RuleSeverity {
  return (rules as Partial<Record<string, RuleSeverity>>)[code] ?? DIAGNOSTICS[code].severity
}

/** Whether a rule is on for any file. */
export function isReported(code: RuleCode, { rules, overrides }: RuleSettings): boolean {
  return severityOf(code, rules) !== 'off' || overrides.some((each) => (each.rules[code] ?? 'off') !== 'off')
}

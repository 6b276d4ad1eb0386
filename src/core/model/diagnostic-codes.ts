export type Severity = 'error' | 'warning'
export type RuleSeverity = Severity | 'off'

// Defines a code by its default severity and a line for the guide that states the problem.
const error = (summary: string) => ({ severity: 'error', summary }) as const
const warning = (summary: string) => ({ severity: 'warning', summary }) as const
const off = (summary: string) => ({ severity: 'off', summary }) as const

/** Problems that prevent an article from being sent as its author meant it; always reported. */
const PROBLEMS = {
  'file-unreadable': error('The file could not be read.'),
  'file-not-utf8': error('The file is not UTF-8 text.'),
  'file-empty': error('The file is empty.'),
  'frontmatter-missing': error('The file does not begin with frontmatter.'),
  'frontmatter-engine': error('The frontmatter is in a language other than YAML.'),
  'frontmatter-syntax': error('The frontmatter is not valid YAML.'),
  'frontmatter-value': error('A frontmatter value has the wrong type or form.'),
  'title-missing': error('The article has no title.'),
  'title-too-long': error('The title has more than 500 characters.'),
  'date-invalid': error('A date is not a calendar date of the form YYYY-MM-DD.'),
  'slug-invalid': error('The slug contains characters that are not allowed.'),
  'slug-duplicate': error('Two articles of one language have the same slug.'),
  'category-missing': error('The article has no category.'),
  'category-unknown': error('The article names a category that does not exist.'),
  'category-ambiguous': error('The name matches more than one category.'),
  'tag-unknown': error('The article names a tag that does not exist.'),
  'tag-ambiguous': error('The name matches more than one tag.'),
  'translation-unknown': error('translationOf does not name an article.'),
  'translation-nested': error('translationOf names an article that is itself a translation.'),
  'translation-duplicate': error('Two articles are translations of one original into the same language.'),
  'aliases-not-sent': warning('The target does not support redirects.'),
  'language-not-sent': warning(
    'The target does not accept articles in this language, so the article is skipped.',
  ),
  'include-missing': error('An included file does not exist.'),
  'include-outside': error('An included file is outside the content folder.'),
  'include-circular': error('Files include each other in a loop.'),
  'include-too-large': error('Includes are nested too deeply or too large.'),
  'include-misplaced': error('An include comment is at a position where nothing can be included.'),
  'mdx-syntax': error('A file with the ending .mdx is not valid MDX.'),
  'nested-too-deeply': error('The text is nested too deeply.'),
  'taxonomy-syntax': error('A taxonomy file is not valid YAML or not a list.'),
  'taxonomy-value': error('A taxonomy entry has a value of the wrong type or form.'),
  'taxonomy-duplicate': error('Two taxonomy entries have the same name or slug.'),
  'taxonomy-parent': error('The parent of a category does not exist, or is one of its descendants.'),
}

/** Problems whose severity is configurable. */
export const RULES = {
  'frontmatter-unknown-key': error('The frontmatter has a key that kb-sync does not know.'),
  'taxonomy-unknown-key': error('A taxonomy entry has a key that kb-sync does not know.'),
  'link-file-missing': error('A link points to a file that does not exist.'),
  'link-outside': error('A link points to a file outside the content folder.'),
  'link-not-article': error('A link points to a file that is not an article.'),
  'link-taxonomy-missing': error('A link points to a category or tag that does not exist.'),
  'value-unresolved': error('Code or a URL contains an expression or shortcode that has no value here.'),
  'asset-missing': error('An image or a file to be published does not exist.'),
  'asset-too-large': error('An image or a file to be published is too large.'),
  'asset-type': error('The file is not of a type that can be sent or published.'),
  'marker-removed': warning("A comment that looks like kb-sync's own marker was removed."),
  'parser-fallback': warning('The native Markdown parser is not available here.'),
  'excerpt-missing': off('The article has no excerpt.'),
  'excerpt-from-title': warning(
    'A published article has neither an excerpt nor a paragraph, so its title is sent as the excerpt.',
  ),
  'excerpt-too-long': error('The excerpt has more than 160 characters.'),
  'heading-skipped': warning('A heading is more than one level below the previous one.'),
  'heading-second-h1': warning('The text has a heading of level 1, which is reserved for the title.'),
  'image-alt-missing': warning('An image has no alt text.'),
  'bare-url': warning('A link shows its URL instead of words.'),
  'url-too-long': warning('A URL has more than 8 KB, so the target does not list the link.'),
  'link-text-empty': warning('A link has no text.'),
  'link-url-missing': warning(
    'A link has no URL, or one of the knowledge base that no article, category or tag of the project has.',
  ),
  'link-to-draft': warning('A published article links to a draft.'),
  'link-heading-missing': error('A link points to a heading that does not exist.'),
  'link-reference-undefined': warning('A reference link has no definition.'),
  'site-address': warning('A root-relative link or image breaks on a different host.'),
  'link-external-broken': warning('A link to another site does not work.'),
  'tag-used-once': off('A tag is used by only one article.'),
  'tags-alike': warning('Two tags have nearly the same name.'),
  'review-date-missing': off('The article has no review date.'),
  'review-overdue': warning('The review date of the article has passed.'),
  'translation-outdated': warning('The original was changed after its translation.'),
  'slug-changed': warning('A published article gets another URL.'),
  'article-orphaned': off('No other article, category or tag links to the article.'),
  'featured-missing': warning('No article has the slug of a featured one.'),
  'page-link-missing': warning('A link of the header or footer leads to no article, or to an old URL.'),
  'accent-contrast': warning('Text in the accent colour is hard to read.'),
  'asset-unused': warning('No article uses the file.'),
  'asset-unconfirmed': warning('A file can only be sent if the target stores files, which is not known yet.'),
  'asset-type-mismatch': warning('The type of an image does not match its ending.'),
  'file-too-large': warning('The article is too large.'),
  'trailing-space': warning('There is white space at the end of a line or value.'),
  'plugin-message': warning('A remark plugin of the configuration reports a problem.'),
  'html-removed': warning('Raw HTML that is not on the allow-list was removed.'),
  'component-removed': warning('An unknown component or container was removed; its content was kept.'),
  'expression-removed': warning('An expression was removed, because kb-sync runs no code.'),
  'shortcode-removed': warning('An unknown or incomplete shortcode was removed; its content was kept.'),
  'navigation-page-missing': warning('The navigation of the site lists a file that does not exist.'),
  'tool-syntax': warning('The syntax of another tool is sent as text.'),
  'url-removed': warning('A URL of a link or image was removed, because its scheme is not allowed.'),
  'ignore-invalid': warning('A kb-ignore comment names no rule, or is not complete.'),
  'ignore-unused': warning('A kb-ignore comment ignores a problem that does not exist.'),
}

/** Every problem that kb-sync can find in the user's files. A test checks that the guide documents each one. */
export const DIAGNOSTICS = { ...PROBLEMS, ...RULES }

export type DiagnosticCode = keyof typeof DIAGNOSTICS
export type RuleCode = keyof typeof RULES

export type RuleSeverities = { readonly [Code in RuleCode]?: RuleSeverity | undefined }

/** The severities of a project. If several overrides match a file, the last one wins. */
export interface RuleSettings {
  readonly rules: RuleSeverities
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: RuleSeverities }[]
}

/** Returns the severity of a problem without overrides. `off`: not reported. */
export function severityOf(code: DiagnosticCode, rules: RuleSeverities): RuleSeverity {
  return (rules as Partial<Record<string, RuleSeverity>>)[code] ?? DIAGNOSTICS[code].severity
}

/** Returns true if a rule is enabled for any file. */
export function isReported(code: RuleCode, { rules, overrides }: RuleSettings): boolean {
  return severityOf(code, rules) !== 'off' || overrides.some((each) => (each.rules[code] ?? 'off') !== 'off')
}

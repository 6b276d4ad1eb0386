export type Severity = 'error' | 'warning'

interface DiagnosticEntry {
  readonly severity: Severity
  /** One line for the guide: what is wrong. */
  readonly summary: string
}

/** Every problem kb-sync can find in the user's files. The guide documents each one; a test holds both together. */
export const DIAGNOSTICS = {
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
  'excerpt-too-long': { severity: 'error', summary: 'The excerpt has more than 160 characters.' },
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
  'link-heading-missing': { severity: 'error', summary: 'A link points at a heading that does not exist.' },
  'link-outside': { severity: 'error', summary: 'A link leaves the content folder.' },
  'link-not-article': { severity: 'error', summary: 'A link points at a file that is not an article.' },
  'asset-missing': { severity: 'error', summary: 'An image does not exist.' },
  'asset-too-large': { severity: 'error', summary: 'An image is too large to be sent inside the article.' },
  'asset-type': { severity: 'error', summary: 'The file is not an image of a known type.' },
  'html-removed': { severity: 'warning', summary: 'Raw HTML that is not on the allow-list was removed.' },
  'url-removed': {
    severity: 'warning',
    summary: 'A link or image address with a scheme that is not allowed was removed.',
  },
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
} as const satisfies Record<string, DiagnosticEntry>

export type DiagnosticCode = keyof typeof DIAGNOSTICS

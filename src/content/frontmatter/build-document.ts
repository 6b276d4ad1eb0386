import { EXCERPT_LIMIT, isSlug, NOT_IN_SLUGS, SLUG_RULE } from '../../api/contract/fields.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import {
  type Document,
  type FieldPositions,
  type Frontmatter,
  type Review,
  documentKey,
} from '../../core/model/document.ts'
import { cutAtWord } from '../../core/code-points.ts'
import { FRONTMATTER_START } from '../source/source-problem.ts'

/** The parts of the settings that fill in what frontmatter leaves out. */
export interface DocumentDefaults {
  readonly language: string
  readonly status: 'draft' | 'published'
  readonly order: number
  readonly reviewAfterDays: number
  readonly categories: readonly string[]
  /** What the place of a file says of its article, in place of the above. */
  readonly placed?: ((source: string) => CategoryAssignment) | undefined
}

export interface CategoryAssignment {
  readonly categories: readonly string[]
  readonly translationOf: string | undefined
}

/** What the place of a file says, as text; '' where places say nothing. */
export function assignmentText({ placed }: DocumentDefaults, source: string): string {
  return placed === undefined ? '' : JSON.stringify(placed(source))
}

interface ReadArticle {
  readonly frontmatter: Frontmatter
  readonly positions: FieldPositions
  /** Of its text, '' where there is none. */
  readonly firstParagraph: string
}

export type BuiltDocument =
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'rejected'; readonly problems: readonly Problem[] }

/** Fills in the defaults: some come from the file's place, which is why this is not part of what is kept by hash. */
export function buildDocument(
  source: string,
  hashes: { readonly sourceHash: string; readonly inputKey: string },
  { frontmatter, firstParagraph, positions }: ReadArticle,
  defaults: DocumentDefaults,
): BuiltDocument {
  const slug = frontmatter.slug?.normalize('NFC') ?? slugOfSource(source)
  const placed = defaults.placed?.(source)
  const categories = frontmatter.categories ?? placed?.categories ?? defaults.categories
  const problems = [
    ...(isSlug(slug) ? [] : [unusableFileName(source, slug)]),
    ...(categories.length === 0 ? [MISSING_CATEGORY] : []),
  ]
  if (problems.length > 0) return { kind: 'rejected', problems }
  const language = languageOf(frontmatter, defaults)
  const document: Document = {
    source,
    key: documentKey(source, language),
    ...hashes,
    title: frontmatter.title,
    slug,
    categories,
    tags: frontmatter.tags ?? [],
    excerpt: cutAtWord(
      frontmatter.excerpt ?? (firstParagraph === '' ? frontmatter.title : firstParagraph),
      EXCERPT_LIMIT,
    ),
    status: frontmatter.status ?? defaults.status,
    review: reviewOf(frontmatter, defaults),
    language,
    translationOf: frontmatter.translationOf ?? placed?.translationOf,
    order: frontmatter.order ?? defaults.order,
    hideFromSearch: frontmatter.hideFromSearch ?? false,
    seoBannerUrl: frontmatter.seoBannerUrl ?? '',
    positions,
  }
  return { kind: 'document', document }
}

/** The file's name, as the same text on every file system; `index.md` and `README.md` take their folder's. */
export function slugOfSource(source: string): string {
  const parts = source.normalize('NFC').split('/')
  const name = (parts.pop() ?? '').replace(/\.[^.]+$/, '')
  return /^(index|readme)$/i.test(name) ? (parts.pop() ?? name.toLowerCase()) : name
}

function unusableFileName(source: string, slug: string): Problem {
  const suggestion = slug
    .toLowerCase()
    .replace(NOT_IN_SLUGS, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200)
  return {
    code: 'slug-invalid',
    message: `The slug "${slug}", derived from the name of ${source}, is not valid. A slug is ${SLUG_RULE}.`,
    hint: `Add a line \`slug: ${suggestion}\`, or rename the file.`,
    ...FRONTMATTER_START,
  }
}

const MISSING_CATEGORY: Problem = {
  code: 'category-missing',
  message: 'The article has no category.',
  hint: 'Add a line such as `categories: [Guides]`, or set defaults.categories in kb.config.ts.',
  ...FRONTMATTER_START,
}

function languageOf({ language }: Frontmatter, defaults: DocumentDefaults): string | null {
  return language === undefined || language === defaults.language ? null : language
}

function reviewOf({ reviewDate }: Frontmatter, defaults: DocumentDefaults): Review {
  if (reviewDate === undefined) return { kind: 'default', afterDays: defaults.reviewAfterDays }
  return reviewDate === 'never' ? { kind: 'never' } : { kind: 'date', date: reviewDate }
}

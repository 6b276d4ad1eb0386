import type { Settings } from '../../core/config/settings.ts'
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

/** The settings that supply missing frontmatter. */
export interface DocumentDefaults extends Omit<Settings['defaults'], 'reviewSpreadDays'> {
  readonly language: string
  /** Returns values derived from a file's location, which override those above. */
  readonly placed?: ((source: string) => CategoryAssignment) | undefined
}

export interface CategoryAssignment {
  readonly categories: readonly string[]
  readonly translationOf: string | undefined
}

/** Returns the values derived from a file's location as text; '' if there are none. */
export function assignmentText({ placed }: Pick<DocumentDefaults, 'placed'>, source: string): string {
  return placed === undefined ? '' : JSON.stringify(placed(source))
}

interface ReadArticle {
  readonly frontmatter: Frontmatter
  readonly positions: FieldPositions
  /** First paragraph of the text; '' if there is none. */
  readonly firstParagraph: string
}

export type BuiltDocument =
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'rejected'; readonly problems: readonly Problem[] }

/** Adds the defaults. Some depend on the file's location, so the result is not cached by hash. */
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
  const language = frontmatter.language === defaults.language ? null : (frontmatter.language ?? null)
  const document: Document = {
    source,
    key: documentKey(source, language),
    ...hashes,
    title: frontmatter.title,
    slug,
    categories,
    tags: frontmatter.tags ?? NONE,
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
    ...(frontmatter.aliases?.length && { aliases: frontmatter.aliases }),
  }
  return { kind: 'document', document }
}

/** A shared list for the many articles without tags. */
const NONE: readonly string[] = []

/**
 * Returns the slug for a file name, in Unicode NFC: with hyphens in place of characters that a slug cannot have. `index.md`
 * and `README.md` use the name of their folder.
 */
export function slugOfSource(source: string): string {
  const parts = source.normalize('NFC').split('/')
  const file = (parts.pop() ?? '').replace(/\.[^.]+$/, '')
  const name = /^(index|readme)$/i.test(file) ? (parts.pop() ?? file.toLowerCase()) : file
  return isSlug(name) ? name : name.replace(NOT_IN_SLUGS, '-').replace(/^-+|-+$/g, '')
}

function unusableFileName(source: string, slug: string): Problem {
  return {
    code: 'slug-invalid',
    message: `The slug "${slug}", derived from the name of ${source}, is not valid. A slug is ${SLUG_RULE}.`,
    hint: 'Add a line `slug: …`, or rename the file.',
    ...FRONTMATTER_START,
  }
}

const MISSING_CATEGORY: Problem = {
  code: 'category-missing',
  message: 'The article has no category.',
  hint: 'Add a line such as `categories: [Guides]`, or set defaults.categories in kb.config.ts.',
  ...FRONTMATTER_START,
}

function reviewOf({ reviewDate }: Frontmatter, defaults: DocumentDefaults): Review {
  if (reviewDate === undefined) return { kind: 'default', afterDays: defaults.reviewAfterDays }
  return reviewDate === 'never' ? { kind: 'never' } : { kind: 'date', date: reviewDate }
}

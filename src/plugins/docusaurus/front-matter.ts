/** A parsed file in Docusaurus' form. */
interface ParsedFile {
  frontMatter: { [key: string]: unknown }
  content: string
}

export interface FrontMatterParams {
  readonly filePath: string
  readonly fileContent: string
  readonly defaultParseFrontMatter: (params: {
    readonly filePath: string
    readonly fileContent: string
  }) => Promise<ParsedFile>
}

export type ParseFrontMatter = (params: FrontMatterParams) => Promise<ParsedFile>

/** Docusaurus' names of our keys, which the guide explains. Other keys stay the same. */
export const DOCUSAURUS_KEYS = {
  excerpt: 'description',
  order: 'sidebar_position',
  hideFromSearch: 'unlisted',
  seoBannerUrl: 'image',
} as const

/**
 * Converts the frontmatter of an article for Docusaurus. Keys with Docusaurus' own names take precedence. Pure.
 *
 * @param defaultStatus status of an article that sets none
 */
export function toDocusaurus(
  frontMatter: Readonly<Record<string, unknown>>,
  defaultStatus: 'draft' | 'published',
): Record<string, unknown> {
  const { status = defaultStatus, ...rest } = frontMatter
  const renamed = Object.entries(rest).map(([key, value]): [string, unknown] => [
    isOurs(key) ? DOCUSAURUS_KEYS[key] : key,
    value,
  ])
  const isDraft = status === 'draft'
  const theirs = Object.keys(rest).filter((key) => !isOurs(key))
  return {
    ...(isDraft ? { draft: true } : {}),
    ...Object.fromEntries(renamed),
    ...Object.fromEntries(theirs.map((key) => [key, rest[key]])),
  }
}

function isOurs(key: string): key is keyof typeof DOCUSAURUS_KEYS {
  return Object.hasOwn(DOCUSAURUS_KEYS, key)
}

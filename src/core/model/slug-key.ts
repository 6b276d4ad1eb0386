/** What may stand only once in a knowledge base: a slug in its language. No slug has a space. */
export function slugKey({
  slug,
  language,
}: {
  readonly slug: string
  readonly language: string | null
}): string {
  return `${language ?? ''} ${slug}`
}

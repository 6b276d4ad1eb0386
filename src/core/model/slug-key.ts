/** The unique key in a knowledge base: a slug in its language. Slugs have no spaces. */
export function slugKey(article: { readonly slug: string; readonly language: string | null }): string {
  return `${article.language ?? ''} ${article.slug}`
}

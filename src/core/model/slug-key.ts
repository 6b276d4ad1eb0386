/** Returns the unique key of an article in a knowledge base: its language and slug. Slugs have no spaces. */
export function slugKey(article: { readonly slug: string; readonly language: string | null }): string {
  return `${article.language ?? ''} ${article.slug}`
}

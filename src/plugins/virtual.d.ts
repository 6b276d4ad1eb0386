// The types of `virtual:kb`, a module that the Vite plugin generates. An import outside of the module would make this
// file no declaration, and an import from the library would include the types of Node, which the pages of a site do not
// need.
// oxlint-disable typescript/consistent-type-imports -- an import of such a module takes no path
declare module 'virtual:kb' {
  /** Narrowed by `.kb/types/virtual-kb.d.ts`, which the plugin generates from the content. */
  interface Register {}

  type Registered<Key extends string> = Register extends Readonly<Record<Key, infer Value>> ? Value : string

  /** A literal must be the id of an article; any other string is allowed. */
  type KnownId<Text extends string> = {} extends Record<Text, unknown> ? Text : ArticleId

  type ArticleId = Registered<'article'>
  type CategoryId = Registered<'category'>
  type TagId = Registered<'tag'>
  type Language = Registered<'language'>

  interface Article extends Omit<
    import('../kb/site/site-data.js').SiteArticle,
    'id' | 'language' | 'categories' | 'tags' | 'translationOf' | 'translations'
  > {
    readonly id: ArticleId
    readonly language: Language
    readonly categories: readonly CategoryId[]
    readonly tags: readonly TagId[]
    readonly translationOf: ArticleId | null
    readonly translations: Readonly<Partial<Record<Language, ArticleId>>>
  }

  interface Category extends Omit<import('../kb/site/site-data.js').SiteCategory, 'id' | 'parent'> {
    readonly id: CategoryId
    readonly parent: CategoryId | null
  }

  interface Tag extends Omit<import('../kb/site/site-data.js').SiteTag, 'id'> {
    readonly id: TagId
  }

  type ArticleBody = import('../kb/site/site-data.js').SiteBody

  /** Sorted by language, order and title; without their HTML. */
  const articles: readonly Article[]
  /** Parents before children, siblings in display order. */
  const categories: readonly Category[]
  const tags: readonly Tag[]
  /** With the default language first. */
  const languages: readonly Language[]
  const defaultLanguage: Language
  /**
   * Returns the article with this id, or undefined. A literal must be a known id; a string that is only known at run time,
   * such as a part of the URL, may be any.
   *
   * @example
   * ```js
   * import { findArticle } from 'virtual:kb'
   *
   * console.log(findArticle('reset-password')?.title) // prints Reset your password
   * ```
   */
  function findArticle<Text extends string>(id: KnownId<Text>): Article | undefined
  /**
   * Loads the HTML and the headings of an article from a separate chunk. Rejects if there is no article with this id.
   *
   * @example
   * ```js
   * import { loadArticle } from 'virtual:kb'
   *
   * const { html, headings } = await loadArticle('reset-password')
   * console.log(html.startsWith('<p>'), headings.length) // prints true 0
   * ```
   */
  function loadArticle(id: ArticleId): Promise<ArticleBody>
}

// What `virtual:kb` gives a site: the types of a module that the Vite plugin makes. No import may stand outside of the
// module, or this would be no declaration of it any more.
declare module 'virtual:kb' {
  import type { SiteArticle, SiteBody, SiteCategory, SiteTag } from 'kb-sync'

  /** Narrowed by `.kb/types/virtual-kb.d.ts`, which the plugin keeps equal to the content. */
  interface Register {}

  type Registered<Key extends string> = Register extends Readonly<Record<Key, infer Value>> ? Value : string

  type ArticleId = Registered<'article'>
  type CategoryId = Registered<'category'>
  type TagId = Registered<'tag'>
  type Language = Registered<'language'>

  interface Article extends Omit<
    SiteArticle,
    'id' | 'language' | 'categories' | 'tags' | 'translationOf' | 'translations'
  > {
    readonly id: ArticleId
    readonly language: Language
    readonly categories: readonly CategoryId[]
    readonly tags: readonly TagId[]
    readonly translationOf: ArticleId | null
    readonly translations: Readonly<Partial<Record<Language, ArticleId>>>
  }

  interface Category extends Omit<SiteCategory, 'id' | 'parent'> {
    readonly id: CategoryId
    readonly parent: CategoryId | null
  }

  interface Tag extends Omit<SiteTag, 'id'> {
    readonly id: TagId
  }

  type ArticleBody = SiteBody

  /** By language, order and title; without their texts. */
  const articles: readonly Article[]
  /** A parent before its children, siblings in the order of their display. */
  const categories: readonly Category[]
  const tags: readonly Tag[]
  /** The default language first. */
  const languages: readonly Language[]
  const defaultLanguage: Language
  /** Undefined where there is no article with this id. */
  function findArticle(id: string): Article | undefined
  /**
   * The HTML and the headings of an article, from a chunk of its own. Rejects where there is no article with this id.
   */
  function loadArticle(id: ArticleId): Promise<ArticleBody>
}

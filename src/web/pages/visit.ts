import type { Brand } from './brand/load-brand.ts'
import { type ReaderCategoryTree, buildCategoryTree } from './category-tree.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { PageSite, PageSource, Viewer } from './page-source.ts'
import { createNumberFormat } from './text-direction.ts'
import { createPageUrls, type PageUrls } from './page-urls.ts'
import { type Messages, messagesFor } from '../../core/page-messages.ts'

/** One request for a page: the viewer, the language, and the data that all pages need. */
export interface Visit {
  readonly source: PageSource
  readonly brand: Brand
  readonly site: PageSite
  readonly viewer: Viewer
  readonly language: string
  readonly words: Messages
  readonly urls: PageUrls
  /** Number format of the language. */
  readonly numbers: Intl.NumberFormat
  /** The categories in the language, read once. */
  readonly tree: () => Promise<ReaderCategoryTree>
  /** The same visit in another language. */
  readonly in: (language: string) => Visit
}

interface VisitOptions {
  readonly source: PageSource
  readonly addresses: PageAddresses
  readonly brand: Brand
}

/** @param asked language of the request; replaced by the default one if it does not exist */
export async function beginVisit(
  { source, addresses, brand }: VisitOptions,
  viewer: Viewer,
  asked: string | undefined,
): Promise<Visit> {
  const site = await source.site()
  const urls = createPageUrls(addresses, site.languages)
  const visitIn = (language: string): Visit => {
    let tree: Promise<ReaderCategoryTree> | undefined
    const readTree = async () => buildCategoryTree(await source.listCategories({ viewer, language }), viewer)
    return {
      source,
      brand,
      site,
      viewer,
      language,
      urls,
      words: messagesFor(language, brand.messages),
      numbers: createNumberFormat(language),
      tree: () => (tree ??= readTree()),
      in: (other) => visitIn(other),
    }
  }
  const known = site.languages.find((language) => language === asked)
  return visitIn(known ?? site.languages[0] ?? 'en')
}

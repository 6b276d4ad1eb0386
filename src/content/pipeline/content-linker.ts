import type { Document } from '../../core/model/document.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import {
  type AddressedDocument,
  createLinker,
  type KnownDocuments,
  type Linker,
} from '../links/link-documents.ts'
import type { LinkContext } from '../links/resolve-link.ts'
import type { TaxonomyLinks } from '../links/resolve-taxonomy-link.ts'
import { createSeverityOf } from '../rules/create-severity-of.ts'
import type { FolderPage } from '../preset/folder-categories.ts'
import type { CorpusRequest } from './build-corpus.ts'
import type { ContentOptions } from './content-options.ts'
import type { RenderCache } from './render-cache.ts'

/** What is known of all articles before links are resolved. */
interface LinkedFacts {
  readonly rejected: readonly string[]
  readonly lastGood?: readonly Document[]
  readonly pages: readonly string[]
  readonly folderPages: readonly FolderPage[] | undefined
  readonly routes: ReadonlyMap<string, string>
  /** Names, slugs and paths are final. */
  readonly taxonomy: LocalTaxonomy
  readonly findOriginal: (document: Document) => Document | undefined
}

interface LinkerRequest extends Pick<CorpusRequest, 'options' | 'found' | 'addresses'> {
  readonly cache: RenderCache
  readonly keepsAddresses?: boolean | undefined
  readonly observe?: ((context: LinkContext) => LinkContext) | undefined
}

/** The linker for all articles of the content. */
export function createContentLinker(
  documents: KnownDocuments,
  { taxonomy, ...facts }: LinkedFacts,
  { options, found, addresses, cache, keepsAddresses, observe }: LinkerRequest,
): Linker {
  const { categoryUrl, tagUrl, defaults } = options
  const files = new Set(found.taxonomy.map(({ source }) => source))
  const links: TaxonomyLinks = { taxonomy, files, categoryUrl, tagUrl, defaultLanguage: defaults.language }
  const severityOf = createSeverityOf(options)
  return createLinker(documents, {
    ...options,
    ...facts,
    cache,
    keepsAddresses,
    observe,
    taxonomy: links,
    isRuleOff: (code, source) => severityOf(code, source) === 'off',
    urlOf: urlOf(options, addresses),
  })
}

function urlOf({ articleUrl, defaults }: ContentOptions, addresses: CorpusRequest['addresses']) {
  return (document: AddressedDocument) => {
    const { slug, language } = addresses?.get(document.source) ?? document
    return articleUrl({ slug, language: language ?? defaults.language })
  }
}

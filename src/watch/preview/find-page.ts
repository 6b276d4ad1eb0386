import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest, digestParts } from '../../core/digest.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTag } from '../../core/model/taxonomy.ts'
import type { ContentIndex } from './content-index.ts'
import type { PreviewAddress, PreviewState } from './preview-state.ts'
import type { ArticlePage, WrittenArticle, ListedPage, PageLink } from '../../web/pages/page-source.ts'

/**
 * The page of an article: the one that lies there, else the one that lay there earlier in this run, else a file with
 * errors of which there is nothing to show yet.
 */
export function findPage(state: PreviewState, place: PreviewAddress): ArticlePage | undefined {
  const index = state.index()
  if (index === undefined) return undefined
  const article = index.find(place.slug, place.language) ?? state.movedFrom(place)
  if (article !== undefined) return pageOf(article, index, state)
  const source = state.unshownAt(place.slug)
  return source === undefined ? undefined : emptyPage(source, place, state)
}

function pageOf(article: LocalArticle, index: ContentIndex, state: PreviewState): ArticlePage {
  const listed = listedPage(article, state)
  const shown: Omit<ArticlePage, 'readHtml' | 'version'> = {
    ...listed,
    categoryPaths: index.layout
      .categoriesOf(article)
      .map((category) => index.layout.tree.wayTo(category).map((entry) => linkIn(entry, listed.language))),
    tags: index.tagsOf(article).map((tag) => linkIn(tag, listed.language)),
    translations: index.translationsOf(article).map((other) => {
      const { slug, language, title } = listedPage(other, state)
      return { slug, language, title }
    }),
    editedDate: undefined,
    writing: writingOf(article, state),
  }
  const version = digestParts([article.contentHash, JSON.stringify(shown)])
  const html = index.content.readHtml(article)
  return { ...shown, version, readHtml: () => Promise.resolve(html) }
}

function emptyPage(source: string, { slug, language }: PreviewAddress, state: PreviewState): ArticlePage {
  const file = state.fileOf(source)
  const writing = {
    file,
    diagnostics: state.diagnosticsOf(source),
    isHeldBack: true,
    shows: 'nothing',
  } as const
  return {
    id: source,
    title: file,
    slug,
    language: language ?? state.settings().defaultLanguage,
    excerpt: '',
    isDraft: false,
    version: digestParts([JSON.stringify(writing)]),
    readHtml: () => Promise.resolve(''),
    categoryPaths: [],
    tags: [],
    translations: [],
    editedDate: undefined,
    writing,
  }
}

function writingOf({ source, sourceHash }: LocalArticle, state: PreviewState): WrittenArticle {
  const isHeldBack = state.view()?.heldBack.has(source) ?? false
  return {
    file: state.fileOf(source),
    diagnostics: state.diagnosticsOf(source),
    isHeldBack,
    shows: isHeldBack && !isOnDisk(source, sourceHash, state) ? 'last-good' : 'current',
  }
}

/** Whether the file still has the text that is shown: what is held back for a link alone is shown as it is. */
function isOnDisk(source: string, sourceHash: string, state: PreviewState): boolean {
  try {
    return digest(readFileSync(join(state.settings().contentRoot, source))) === sourceHash
  } catch {
    return false
  }
}

/** An article as lists show it. */
export function listedPage(article: LocalArticle, state: PreviewState): ListedPage {
  const { source, title, slug, language, excerpt, status } = article
  return {
    id: source,
    title,
    slug,
    language: language ?? state.settings().defaultLanguage,
    excerpt,
    isDraft: status === 'draft',
  }
}

/** A category or tag in a language, as far as it is translated. */
export function linkIn(
  entry: PageLink & { readonly translations: LocalTag['translations'] },
  language: string,
): PageLink {
  const { name, slug } = entry.translations[language] ?? entry
  return { name, slug }
}

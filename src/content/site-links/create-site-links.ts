import { posix } from 'node:path'
import type { Document } from '../../model/document.ts'
import type { FrontmatterMapping } from '../../model/frontmatter-mapping.ts'
import type { ToolSite } from '../../model/tool-site.ts'
import { onlyByKey } from '../../util/only-by-key.ts'
import { pageName, placeOfFile } from '../preset/file-place.ts'
import type { FolderPage } from '../preset/folder-pages.ts'
import { createFolderFinder, type FolderFinder } from './create-folder-finder.ts'
import { linkPlaces, type LinkPlaces, siteLinkOptions, type SiteLinkOptions } from './link-places.ts'

/** How links lead to articles in the site of a tool. */
export interface SiteLinks extends FolderFinder {
  readonly preset: SiteLinkOptions['preset']
  /** Where the article may be that `path` means in the file `from`. */
  readonly places: (path: string, from: string) => LinkPlaces
  /** The source, in Unicode NFC, of the article with an address. */
  readonly findSlug: (slug: string, language: string) => string | undefined
  /** The source, in Unicode NFC, of the only page with a name, wherever it lies; with Hugo. */
  readonly findNamed: (name: string, language: string) => string | undefined
  /** The pages of folders that became categories. */
  readonly folderPages: readonly FolderPage[]
  /** Whether a source (in Unicode NFC), where there is such a file, is a page of the site and no article. */
  readonly isPage: (source: string) => boolean
  /** Where the file may be that has an address from the site's root on; decoded. */
  readonly rootFiles: (path: string) => readonly string[]
  /** Whether the tool refuses to build a page that shows an image which is in none of these places. */
  readonly needsImages: boolean
  /** The path below the content folder, or the address from the site's root, that `@site/…` means; undefined: neither. */
  readonly fromSite: (path: string) => string | undefined
}

export interface SiteLinkFacts {
  readonly documents: Pick<ReadonlyMap<string, Document>, 'values'>
  /** Sources of pages that are no articles. */
  readonly pages: readonly string[]
  readonly folderPages: readonly FolderPage[]
  readonly defaultLanguage: string
  /** Undefined: nothing around the content is known. */
  readonly toolSite?: ToolSite | undefined
}

/** Undefined where the content is no tool's. */
export function createSiteLinks(
  mapping: FrontmatterMapping | undefined,
  { documents, pages, folderPages, defaultLanguage, toolSite }: SiteLinkFacts,
): SiteLinks | undefined {
  const options = siteLinkOptions(mapping)
  if (options === undefined) return undefined
  const { preset, folderName } = options
  const ownPages = new Set(pages.map((source) => source.normalize('NFC')))
  let slugs: ReadonlyMap<string, string> | undefined
  let names: ReadonlyMap<string, string | undefined> | undefined
  return {
    preset,
    places: (path, from) => linkPlaces(path, from, options),
    findSlug: (slug, language) => {
      slugs ??= slugIndex(documents, defaultLanguage)
      return slugs.get(keyOf(slug, language)) ?? slugs.get(keyOf(slug, defaultLanguage))
    },
    findNamed: (name, language) => {
      if (preset !== 'hugo' || name.includes('/')) return undefined
      names ??= nameIndex(documents, { preset, languages: options.languages }, defaultLanguage)
      return names.get(keyOf(name.normalize('NFC').replace(/\.md$/, ''), language))
    },
    ...createFolderFinder(folderPages, options),
    folderPages,
    // Hugo's lists have a file whose name no article may have.
    isPage: (source) => ownPages.has(source) || posix.basename(source) === '_index.md',
    rootFiles: (path) => (toolSite === undefined ? [] : rootFilesIn(toolSite, path)),
    needsImages: preset !== 'hugo' && toolSite?.isComplete === true,
    fromSite: (path) => {
      if (path.startsWith(`@site/${folderName}/`)) return path.slice(`@site/${folderName}`.length)
      return path.startsWith('@site/static/') ? path.slice('@site/static'.length) : undefined
    },
  }
}

function rootFilesIn({ rootFolders, basePath }: ToolSite, path: string): string[] {
  const whole = posix.normalize(path)
  const isBased = basePath !== '' && whole.startsWith(`${basePath}/`)
  const paths = isBased ? [whole.slice(basePath.length), whole] : [whole]
  return paths.flatMap((each) =>
    rootFolders.map((folder) => (folder === '.' ? each.slice(1) : `${folder}${each}`)),
  )
}

function slugIndex(documents: SiteLinkFacts['documents'], defaultLanguage: string) {
  const index = new Map<string, string>()
  for (const { slug, language, source } of documents.values())
    index.set(keyOf(slug, language ?? defaultLanguage), source.normalize('NFC'))
  return index
}

/** Undefined: several pages have that name. */
function nameIndex(
  documents: SiteLinkFacts['documents'],
  placing: Pick<FrontmatterMapping, 'preset' | 'languages'>,
  defaultLanguage: string,
): ReadonlyMap<string, string | undefined> {
  return onlyByKey(
    [...documents.values()].map(({ language, source }) => [
      keyOf(pageName(placeOfFile(source, placing)), language ?? defaultLanguage),
      source.normalize('NFC'),
    ]),
  )
}

function keyOf(slug: string, language: string): string {
  return `${language}\0${slug}`
}

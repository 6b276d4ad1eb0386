import { posix } from 'node:path'
import type { Document } from '../../core/model/document.ts'
import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import type { ToolSite } from '../../core/model/tool-site.ts'
import { onlyByKey } from '../../core/only-by-key.ts'
import { pageName, placeOfFile } from '../preset/file-place.ts'
import type { FolderPage } from '../preset/folder-pages.ts'
import { createFolderFinder, type FolderFinder } from './create-folder-finder.ts'
import { joinSource } from '../source/link-address.ts'
import { routeOf } from '../preset/route-of.ts'
import {
  foldersOf,
  candidatePlaces,
  type LinkPlaces,
  siteLinkOptions,
  type SiteLinkOptions,
} from './link-places.ts'

/** How links lead to articles in the site of a tool. */
export interface SiteLinkResolver extends FolderFinder {
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
  /** Where a file may be that a relative path in the file `from` means, beside what the path itself says. */
  readonly relativeFiles: (path: string, from: string) => readonly string[]
  /** The path from the site's root on that a relative one in the file `from` means. */
  readonly pathFrom: (path: string, from: string) => string
  /** Whether addresses of links count before paths of files in this one: it does not stand at its path. */
  readonly isElsewhere: (from: string) => boolean
  /** Whether a relative address in the file `from` is that of another version of the documents. */
  readonly isOtherVersion: (path: string, from: string) => boolean
  /** The template that decides where links lead; undefined: none does. */
  readonly linkHook: string | undefined
  /** Whether the site has no other files with an address from its root on. */
  readonly knowsFiles: boolean
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
  /** Addresses that files give themselves, by source. */
  readonly routes?: ReadonlyMap<string, string> | undefined
}

/** Undefined where the content is no tool's. */
export function createSiteLinks(
  mapping: FrontmatterMapping | undefined,
  { documents, pages, folderPages, defaultLanguage, toolSite, routes }: SiteLinkFacts,
): SiteLinkResolver | undefined {
  const known = siteLinkOptions(mapping)
  if (known === undefined) return undefined
  const options: SiteLinkOptions = { ...known, routes }
  const { preset, folderName } = options
  const ownPages = new Set(pages.map((source) => source.normalize('NFC')))
  let slugs: ReadonlyMap<string, string> | undefined
  let names: ReadonlyMap<string, string | undefined> | undefined
  return {
    preset,
    places: (path, from) => candidatePlaces(path, from, options),
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
    relativeFiles: (path, from) => {
      if (preset !== 'hugo' || toolSite === undefined) return []
      const way = posix.join('/', routeOf(placeOfFile(from, options), preset), path)
      const below = joinSource(`${from.replace(/(?:\/_?index)?\.[^./]+$/, '')}/page`, path)
      const hooked = path.startsWith('.') ? [] : rootFilesIn(toolSite, `/${path}`)
      return [...(below === undefined ? [] : [below]), ...rootFilesIn(toolSite, way), ...hooked]
    },
    pathFrom: (path, from) => {
      const [folder = ''] = foldersOf(from, options)
      return posix.join('/', toolSite?.docsPath ?? '', folder, path)
    },
    isElsewhere: (from) => preset !== 'vitepress' && routes?.has(from) === true,
    isOtherVersion: (path, from) =>
      preset === 'docusaurus' &&
      candidatePlaces(path, from, options).routes.some((route) => isVersion(route.split('/')[1], toolSite)),
    linkHook: toolSite?.linkHook,
    knowsFiles: toolSite?.isComplete === true,
    needsImages: preset !== 'hugo',
    fromSite: (path) => {
      if (path.startsWith(`@site/${folderName}/`)) return path.slice(`@site/${folderName}`.length)
      return path.startsWith('@site/static/') ? path.slice('@site/static'.length) : undefined
    },
  }
}

/** One that is listed, or looks like one: others may be built elsewhere. */
function isVersion(name: string | undefined, toolSite: ToolSite | undefined): boolean {
  if (name === undefined) return false
  return toolSite?.versions.includes(name) === true || /^(?:v\d+|v?\d+(?:\.(?:\d+|x))+)$/.test(name)
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

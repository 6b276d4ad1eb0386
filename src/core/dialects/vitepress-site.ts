import { basename, join, posix } from 'node:path'
import { isRecord } from '../is-record.ts'
import { isFolder } from '../paths.ts'
import type { SiteReader } from './dialect.ts'
import { findAnyTexts, findLiteral, findScript, findText, hasLocale, readScript } from './script-values.ts'
import {
  listNavigation,
  type NavigationItem,
  navigationOf,
  sectionItem,
  untitledItem,
} from './site-navigation.ts'
import { foldersAbove, foldersIn, isBelow, basePathOf, PLAIN_SITE } from './site-folders.ts'

export const vitepressSite: SiteReader = {
  readSite: (folders) => {
    const configFile = foldersAbove(folders)
      .map(findConfig)
      .find((each) => each !== undefined)
    const script = configFile === undefined ? '' : (readScript(configFile.replace(/\.\w+$/, '')) ?? '')
    const sidebar = findLiteral(script, 'sidebar', ['items', 'link', 'base'])
    return {
      // Vite also resolves root-relative URLs to files of the folder itself.
      site: {
        ...PLAIN_SITE,
        rootFolders: ['public', '.'],
        isComplete: !script.includes('publicDir'),
        basePath: basePathOf(findText(script, 'base')),
        exclude: findAnyTexts(script, 'srcExclude'),
        navigation: navigationOf(listNavigation(sidebarItems(sidebar)), configFile, folders.contentRoot),
      },
      configFiles: configFile === undefined ? [] : [configFile],
    }
  },
  // The site folder is the project folder or one directly below it, usually `docs`.
  recognise: (root) => {
    for (const folder of ['.', 'docs', ...namesIn(root)]) {
      const file = findConfig(join(root, folder))
      if (file === undefined) continue
      const config = readScript(file.replace(/\.\w+$/, '')) ?? ''
      const content = posix.join(folder, findText(config, 'srcDir') ?? '.').replace(/(?<=.)\/$/, '')
      if (!isBelow(content) || !isFolder(join(root, content))) continue
      const folders = namesIn(join(root, content))
      const languages = folders.filter((name) => hasLocale(config, name))
      const language = findText(config, 'lang')
      // The default language may also have a folder, which rewrites remove from URLs: `en-US` for `en`.
      const own =
        languages.length === 0 ? undefined : folders.find((name) => name === language?.replace(/-.*$/, ''))
      return { content, name: findText(config, 'title'), language: own ?? language, languages }
    }
    return undefined
  },
}

/** Finds the configuration of a site folder: a script, or a folder with one. */
function findConfig(folder: string): string | undefined {
  const config = join(folder, '.vitepress', 'config')
  return findScript(config) ?? findScript(join(config, 'index'))
}

/** Reads a single sidebar, or one for each path, which applies to the pages below it. */
function sidebarItems(sidebar: unknown): NavigationItem[] {
  if (Array.isArray(sidebar)) return itemsIn(sidebar, '', () => true)
  const sidebars = isRecord(sidebar) ? Object.entries(sidebar) : []
  const paths = sidebars.map(([path]) => path.replace(/^(?!\/)/, '/'))
  const longest = paths.toSorted((a, b) => b.split('/').length - a.split('/').length)
  return sidebars.flatMap(([, written], index) => {
    const { items = written, base = '' } = isRecord(written) ? written : {}
    return itemsIn(items, base, (path) => {
      const own = longest.find((each) => path.startsWith(each))
      return own === undefined || own === paths[index]
    })
  })
}

/** Reads links to pages, and groups with a text. `isOwn` tests whether a page belongs to this sidebar, by its path. */
function itemsIn(items: unknown, base: unknown, isOwn: (path: string) => boolean): NavigationItem[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown): NavigationItem[] => {
    if (!isRecord(item)) return []
    const { text, link, base: own = base } = item
    const path = typeof link === 'string' ? pathOf(link, typeof own === 'string' ? own : '') : undefined
    const page =
      path !== undefined && isOwn(path)
        ? [untitledItem('page', path.slice(1).replace(/(?<=^|\/)$/, 'index'))]
        : []
    if (!Array.isArray(item['items'])) return page
    const inner = [...page, ...itemsIn(item['items'], own, isOwn)]
    return typeof text === 'string' ? [sectionItem(text, inner)] : inner
  })
}

/** Returns the path from the root of the site; undefined for another site. */
function pathOf(link: string, base: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(link)) return undefined
  const path = `/${base}/${link}`.replaceAll(/\/{2,}/g, '/')
  return path.replace(/[?#].*$/, '').replace(/\.(?:html|md)$/, '')
}

function namesIn(folder: string): string[] {
  return foldersIn(folder).map((each) => basename(each))
}

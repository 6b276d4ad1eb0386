import { readFileSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, posix, resolve } from 'node:path'
import { isRecord } from '../is-record.ts'
import { asPrefix, isFolder, pathKind, relativePath } from '../paths.ts'
import type { ProjectFolders, SiteReader, ToolSite } from './dialect.ts'
import {
  blocksBehind,
  findAnyTexts,
  findScript,
  findText,
  findTexts,
  readLiteral,
  readScript,
} from './script-values.ts'
import {
  listNavigation,
  type NavigationItem,
  navigationOf,
  sectionItem,
  untitledItem,
} from './site-navigation.ts'
import { foldersAbove, foldersIn, basePathOf, sourcesOf } from './site-folders.ts'
import { tryTo } from '../try-to.ts'

const CONFIG = 'docusaurus.config'

export const docusaurusSite: SiteReader = {
  readSite: (folders) => {
    const { contentRoot } = folders
    const home = findHome(folders) ?? dirname(contentRoot)
    const configFile = findScript(join(home, CONFIG))
    const script = readScript(join(home, CONFIG)) ?? ''
    const written = findTexts(script, 'staticDirectories')
    const rootFolders = sourcesOf(written ?? ['static'], home, contentRoot)
    const blocks = ownBlocks(script, home, contentRoot)
    const sidebars = readSidebars(blocks, home)
    return {
      site: {
        rootFolders,
        isComplete:
          (written !== undefined || !script.includes('staticDirectories')) &&
          rootFolders.some((folder) => isFolder(join(contentRoot, folder))),
        basePath: basePathOf(findText(script, 'baseUrl')),
        ...readDocs(blocks),
        versions: readVersions(home),
        navigation: navigationOf(listNavigation(sidebars.items), sidebars.file, contentRoot),
        linkHook: undefined,
      },
      configFiles: [configFile, sidebars.file].filter((file) => file !== undefined),
    }
  },
  recognise: (root, content) => {
    const config = readScript(join(root, CONFIG))
    if (config === undefined) return undefined
    const path = docsBlocksIn(config).map((block) => findText(block, 'path'))
    const folder = posix.normalize(path.find((each) => each !== undefined) ?? content).replace(/\/$/, '')
    if (!isFolder(join(root, folder))) return undefined
    // Translations are in a separate folder.
    return {
      content: folder,
      name: findText(config, 'title'),
      language: findText(config, 'defaultLocale'),
      languages: [],
    }
  },
  findTranslations: (folders) => {
    const home = findHome(folders)
    return foldersIn(join(home ?? '', 'i18n'))
      .map((folder) => join(folder, 'docusaurus-plugin-content-docs/current'))
      .filter((folder) => home !== undefined && isFolder(folder))
      .filter((folder) => relativePath(folders.contentRoot, folder).startsWith('..'))
  },
  findConfig: (root) => {
    const script = findScript(join(root, CONFIG))
    return script === undefined ? undefined : basename(script)
  },
}

/** Finds the site's folder. The documents may also be beside it: docs/ and website/. */
function findHome(folders: ProjectFolders): string | undefined {
  const above = foldersAbove(folders)
  const isSite = (folder: string) => findScript(join(folder, CONFIG)) !== undefined
  return above.find(isSite) ?? above.flatMap(foldersIn).find(isSite)
}

/** Options of a plugin instance for documents in the content folder. */
interface DocsBlock {
  readonly block: string
  /** Folder of these documents within the content folder, with a trailing slash; '' for the content folder itself. */
  readonly prefix: string
}

function ownBlocks(script: string, home: string, contentRoot: string): DocsBlock[] {
  const blocks = [...docsBlocksIn(script), ...blocksBehind(script, /content-docs["'`]\s*,\s*(?=\{)/g)]
  return blocks.flatMap((block) => {
    const way = relativePath(contentRoot, resolve(home, findText(block, 'path') ?? 'docs'))
    return way.startsWith('..') || isAbsolute(way) ? [] : [{ block, prefix: asPrefix(way) }]
  })
}

function readDocs(own: readonly DocsBlock[]): Pick<ToolSite, 'docsPath' | 'exclude'> {
  const written = own.map(({ block }) => findText(block, 'routeBasePath')).find((each) => each !== undefined)
  const isWhole = own.some(({ prefix }) => prefix !== '')
  return {
    // If the content folder is the whole site, file paths already contain it.
    docsPath: isWhole ? '' : `/${written ?? 'docs'}`.replaceAll(/\/+/g, '/').replace(/\/$/, ''),
    exclude: own.flatMap(({ block, prefix }) =>
      findAnyTexts(block, 'exclude').map((pattern) => `${prefix}${pattern}`),
    ),
  }
}

/** Returns the document options of the usual preset. */
function docsBlocksIn(script: string): string[] {
  return blocksBehind(script, /(?<![\w$])["']?docs["']?\s*:\s*(?=\{)/g)
}

const SIDEBAR_PATH =
  /(?<![\w$])["']?sidebarPath["']?\s*:\s*(?:[\w$.]+\(\s*(?:__dirname\s*,\s*)?)?(["'`])([^"'`$\n]+)\1/

/** Returns the items of all sidebars in the first sidebar file. */
function readSidebars(own: readonly DocsBlock[], home: string) {
  for (const { block, prefix } of own) {
    const written = SIDEBAR_PATH.exec(block)?.[2]
    if (written === undefined) continue
    const path = resolve(home, written)
    const file = pathKind(path) === 'file' ? path : findScript(path)
    if (file === undefined) continue
    const sidebars = readSidebarFile(file)
    const all = isRecord(sidebars) ? Object.values(sidebars) : []
    return { file, items: all.flatMap((sidebar) => sidebarItems(sidebar, prefix)) }
  }
  return { file: undefined, items: [] }
}

const EXPORT = /(?<![\w$.])(?:export\s+default|module\.exports\s*=)\s*(?:([\w$]+)\s*;?\s*$)?/
const NEEDED = ['type', 'items', 'id', 'label', 'dirName']

/** Returns the value that the file exports: an object, or a constant with one. */
function readSidebarFile(file: string): unknown {
  if (file.endsWith('.json')) return readLiteral(readFileSync(file, 'utf8').trim(), NEEDED)
  const script = readScript(file.slice(0, -extname(file).length)) ?? ''
  const found = EXPORT.exec(script)
  const name = found?.[1]?.replaceAll('$', String.raw`\$`)
  const constant = `(?<![\\w$])(?:const|let|var)\\s+${name}(?![\\w$])[^=]*=\\s*`
  const start = name === undefined ? found : new RegExp(constant).exec(script)
  return start === null ? undefined : readLiteral(script.slice(start.index + start[0].length), NEEDED)
}

/** Collects ids of documents, categories (also as `{ Label: [...] }`), and folders whose documents are all listed. */
function sidebarItems(item: unknown, prefix: string): NavigationItem[] {
  if (typeof item === 'string') return [untitledItem('page', `${prefix}${item}`)]
  if (Array.isArray(item)) return item.flatMap((each: unknown) => sidebarItems(each, prefix))
  if (!isRecord(item)) return []
  const { type, id, label, link, items, dirName } = item
  switch (type) {
    case undefined:
      return Object.entries(item).map(([name, inner]) => sectionItem(name, sidebarItems(inner, prefix)))
    case 'doc':
      return typeof id === 'string' ? sidebarItems(id, prefix) : []
    case 'autogenerated':
      return typeof dirName === 'string' ? [untitledItem('folder', posix.join(prefix, dirName))] : []
    case 'category': {
      const page = isRecord(link) && link['type'] === 'doc' ? sidebarItems(link, prefix) : []
      const inner = [...page, ...sidebarItems(items, prefix)]
      return typeof label === 'string' ? [sectionItem(label, inner)] : inner
    }
    default:
      return []
  }
}

function readVersions(home: string): string[] {
  const names = tryTo((): unknown => JSON.parse(readFileSync(join(home, 'versions.json'), 'utf8')))
  return Array.isArray(names) ? [...names.filter((each) => typeof each === 'string'), 'next'] : []
}

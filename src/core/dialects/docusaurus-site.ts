import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path'
import { asPrefix, isFolder, relativePath } from '../paths.ts'
import type { ProjectFolders, SiteReader, ToolSite } from './dialect.ts'
import { blocksBehind, findAnyTexts, findScript, findText, findTexts, readScript } from './script-values.ts'
import { foldersAbove, foldersIn, basePathOf, sourcesOf } from './site-folders.ts'

const CONFIG = 'docusaurus.config'

export const docusaurusSite: SiteReader = {
  readSite: (folders) => {
    const { contentRoot } = folders
    const home = findHome(folders) ?? dirname(contentRoot)
    const configFile = findScript(join(home, CONFIG))
    const script = readScript(join(home, CONFIG)) ?? ''
    const written = findTexts(script, 'staticDirectories')
    const rootFolders = sourcesOf(written ?? ['static'], home, contentRoot)
    return {
      site: {
        rootFolders,
        isComplete:
          (written !== undefined || !script.includes('staticDirectories')) &&
          rootFolders.some((folder) => isFolder(join(contentRoot, folder))),
        basePath: basePathOf(findText(script, 'baseUrl')),
        ...readDocs(script, home, contentRoot),
        versions: readVersions(home),
        linkHook: undefined,
      },
      configFiles: configFile === undefined ? [] : [configFile],
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
  findConfig: (root) => {
    const script = findScript(join(root, CONFIG))
    return script === undefined ? undefined : basename(script)
  },
}

/** The documents may be next to the site's folder, too: docs/ and website/. */
function findHome(folders: ProjectFolders): string | undefined {
  const above = foldersAbove(folders)
  const isSite = (folder: string) => findScript(join(folder, CONFIG)) !== undefined
  return above.find(isSite) ?? above.flatMap(foldersIn).find(isSite)
}

function readDocs(script: string, home: string, contentRoot: string): Pick<ToolSite, 'docsPath' | 'exclude'> {
  const blocks = [...docsBlocksIn(script), ...blocksBehind(script, /content-docs["'`]\s*,\s*(?=\{)/g)]
  const own = blocks.flatMap((block) => {
    const way = relativePath(contentRoot, resolve(home, findText(block, 'path') ?? 'docs'))
    return way.startsWith('..') || isAbsolute(way) ? [] : [{ block, prefix: asPrefix(way) }]
  })
  const written = own.map(({ block }) => findText(block, 'routeBasePath')).find((each) => each !== undefined)
  const isWhole = own.some(({ prefix }) => prefix !== '')
  return {
    // If the content is the whole site, paths of files already contain it.
    docsPath: isWhole ? '' : `/${written ?? 'docs'}`.replaceAll(/\/+/g, '/').replace(/\/$/, ''),
    exclude: own.flatMap(({ block, prefix }) =>
      findAnyTexts(block, 'exclude').map((pattern) => `${prefix}${pattern}`),
    ),
  }
}

/** The options of the documents in the usual preset. */
function docsBlocksIn(script: string): string[] {
  return blocksBehind(script, /(?<![\w$])["']?docs["']?\s*:\s*(?=\{)/g)
}

function readVersions(home: string): string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(join(home, 'versions.json'), 'utf8'))
    return Array.isArray(names) ? [...names.filter((each) => typeof each === 'string'), 'next'] : []
  } catch {
    return []
  }
}

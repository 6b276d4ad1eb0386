// What of a site lies outside of its content folder. Loaded only with a preset.
import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { PresetName } from '../model/preset-name.ts'
import type { ToolSite } from '../model/tool-site.ts'
import { isFolder } from '../util/is-folder.ts'
import { parseUrl } from '../util/parse-url.ts'
import type { HugoConfig } from './read-hugo-config.ts'
import { findScript, findText, findTexts, readScript } from './script-values.ts'

/** The folders of a project. Absolute. */
export interface ProjectFolders {
  readonly root: string
  readonly contentRoot: string
}

/** A site as its tool's own files describe it. */
export interface FoundSite {
  readonly site: ToolSite
  /** The configuration of the tool, absolute; undefined where there is none. */
  readonly configFile: string | undefined
}

/** Reads the configuration of the tool as far as it is plain text; no code is run. */
export async function readToolSite(preset: PresetName, folders: ProjectFolders): Promise<FoundSite> {
  switch (preset) {
    case 'docusaurus':
      return readDocusaurus(folders)
    case 'vitepress':
      return readVitePress(folders)
    case 'hugo':
      return readHugo(folders)
  }
}

function readDocusaurus({ root, contentRoot }: ProjectFolders): FoundSite {
  const above = foldersAbove(contentRoot, root)
  const isSite = (folder: string) => findScript(join(folder, 'docusaurus.config')) !== undefined
  // The documents may lie beside the folder of the site, too: docs/ and website/.
  const home = above.find(isSite) ?? above.flatMap(foldersIn).find(isSite) ?? dirname(contentRoot)
  const script = readScript(join(home, 'docusaurus.config')) ?? ''
  const written = findTexts(script, 'staticDirectories')
  const folders = sourcesOf(written ?? ['static'], home, contentRoot)
  return {
    site: {
      rootFolders: folders,
      isComplete:
        (written !== undefined || !script.includes('staticDirectories')) &&
        folders.some((folder) => isFolder(join(contentRoot, folder))),
      basePath: pathOf(findText(script, 'baseUrl')),
    },
    configFile: findScript(join(home, 'docusaurus.config')),
  }
}

function readVitePress({ root, contentRoot }: ProjectFolders): FoundSite {
  const scripts = foldersAbove(contentRoot, root).flatMap((folder) => {
    const config = join(folder, '.vitepress', 'config')
    return [config, join(config, 'index')]
  })
  const path = scripts.find((each) => findScript(each) !== undefined)
  const script = path === undefined ? '' : (readScript(path) ?? '')
  return {
    // Vite takes an address from the root for a file of the folder itself as well.
    site: {
      rootFolders: ['public', '.'],
      isComplete: !script.includes('publicDir'),
      basePath: pathOf(findText(script, 'base')),
    },
    configFile: path === undefined ? undefined : findScript(path),
  }
}

async function readHugo({ root, contentRoot }: ProjectFolders): Promise<FoundSite> {
  const { readHugoConfig, textOf, textsOf } = await import('./read-hugo-config.ts')
  const above = foldersAbove(contentRoot, root)
  let config: HugoConfig | undefined
  const home = above.find((folder) => (config = readHugoConfig(folder)) !== undefined) ?? dirname(contentRoot)
  const values = config?.values ?? new Map<string, unknown>()
  const assets = textOf(values, 'assetdir') ?? 'assets'
  // What lies among the documents has an address, too, and render hooks look for images in the assets.
  const [content, ...others] = sourcesOf(
    [contentRoot, ...(textsOf(values, 'staticdir') ?? ['static']), assets],
    home,
    contentRoot,
  )
  return {
    site: {
      rootFolders: [...others.slice(0, -1), ...(content === undefined ? [] : [content]), ...others.slice(-1)],
      // Themes and modules have folders of their own.
      isComplete: false,
      basePath: pathOf(textOf(values, 'baseurl')),
    },
    configFile: config === undefined ? undefined : join(home, config.file),
  }
}

/** The folders from that of the content up to that of the project. */
function foldersAbove(contentRoot: string, root: string): string[] {
  const folders = [contentRoot]
  const way = relative(root, contentRoot)
  if (way.startsWith('..') || isAbsolute(way)) return [...folders, dirname(contentRoot)]
  for (let at = contentRoot; at !== root; at = dirname(at)) folders.push(dirname(at))
  return folders
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => join(folder, name))
      .toSorted()
  } catch {
    return []
  }
}

function sourcesOf(folders: readonly string[], home: string, contentRoot: string): string[] {
  return folders
    .map((folder) => relative(contentRoot, resolve(home, folder)))
    .filter((path) => !isAbsolute(path))
    .map((path) => (path === '' ? '.' : path.split(sep).join('/')))
}

/** The path of an address, without a slash at its end. */
function pathOf(address: string | undefined): string {
  const path = parseUrl(address ?? '/', 'https://host')?.pathname ?? '/'
  return path.replace(/\/+$/, '')
}

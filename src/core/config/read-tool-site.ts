// What of a site lies outside of its content folder. Loaded only with a preset.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { PresetName } from '../model/preset-name.ts'
import type { ToolSite } from '../model/tool-site.ts'
import { isFolder } from '../is-folder.ts'
import { parseUrl } from '../parse-url.ts'
import type { HugoConfig } from './read-hugo-config.ts'
import { blocksBehind, findAnyTexts, findScript, findText, findTexts, readScript } from './script-values.ts'

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
      ...readDocs(script, home, contentRoot),
      versions: readVersions(home),
      linkHook: undefined,
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
      exclude: findAnyTexts(script, 'srcExclude'),
      docsPath: '',
      versions: [],
      linkHook: undefined,
    },
    configFile: path === undefined ? undefined : findScript(path),
  }
}

async function readHugo({ root, contentRoot }: ProjectFolders): Promise<FoundSite> {
  const { readHugoConfig, configText: textOf, textsOf } = await import('./read-hugo-config.ts')
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
      isComplete: config !== undefined && !hasForeignFolders(home, values),
      basePath: pathOf(textOf(values, 'baseurl')),
      exclude: (textsOf(values, 'ignorefiles') ?? []).map((pattern) => `regexp:${pattern}`),
      docsPath: '',
      versions: [],
      linkHook: findLinkHook(home),
    },
    configFile: config === undefined ? undefined : join(home, config.file),
  }
}

/** Themes, modules and languages may have folders of their own. */
function hasForeignFolders(home: string, values: ReadonlyMap<string, unknown>): boolean {
  const files = [
    'go.mod',
    ...['toml', 'yaml', 'yml', 'json'].map((ending) => `config/_default/module.${ending}`),
  ]
  return (
    values.has('theme') ||
    values.has('module') ||
    /^staticdir\d/m.test([...values.keys()].join('\n')) ||
    /"staticdir\d*"/i.test(JSON.stringify(values.get('languages') ?? '')) ||
    foldersIn(join(home, 'themes')).length > 0 ||
    files.some((file) => existsSync(join(home, file)))
  )
}

/** What the plugin is told of the documents of this folder. */
function readDocs(script: string, home: string, contentRoot: string): Pick<ToolSite, 'docsPath' | 'exclude'> {
  const blocks = [
    ...blocksBehind(script, /(?<![\w$])["']?docs["']?\s*:\s*(?=\{)/g),
    ...blocksBehind(script, /content-docs["'`]\s*,\s*(?=\{)/g),
  ]
  const own = blocks.flatMap((block) => {
    const way = relative(contentRoot, resolve(home, findText(block, 'path') ?? 'docs'))
      .split(sep)
      .join('/')
    return way.startsWith('..') || isAbsolute(way) ? [] : [{ block, prefix: way === '' ? '' : `${way}/` }]
  })
  const written = own.map(({ block }) => findText(block, 'routeBasePath')).find((each) => each !== undefined)
  const isWhole = own.some(({ prefix }) => prefix !== '')
  return {
    // Where the content is the whole site, paths of files have it already.
    docsPath: isWhole ? '' : `/${written ?? 'docs'}`.replaceAll(/\/+/g, '/').replace(/\/$/, ''),
    exclude: own.flatMap(({ block, prefix }) =>
      findAnyTexts(block, 'exclude').map((pattern) => `${prefix}${pattern}`),
    ),
  }
}

/** Those that were kept, and the one that is being written. */
function readVersions(home: string): string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(join(home, 'versions.json'), 'utf8'))
    return Array.isArray(names) ? [...names.filter((each) => typeof each === 'string'), 'next'] : []
  } catch {
    return []
  }
}

/** A template that only says how a link looks decides nothing. */
const DECIDES = /GetPage|RelRef|\.Ref\b|Resources|resources\.|partial|replace|(?:abs|rel)(?:Lang)?URL/i

/** The render hook for links, of the site or of a theme in it; as path from the site on. */
function findLinkHook(home: string): string | undefined {
  const homes = ['.', ...foldersIn(join(home, 'themes')).map((theme) => relative(home, theme))]
  const files = homes
    .flatMap((folder) => [`${folder}/layouts/_markup`, `${folder}/layouts/_default/_markup`])
    .map((folder) => join(folder, 'render-link.html'))
  return files.find((file) => {
    try {
      return DECIDES.test(readFileSync(join(home, file), 'utf8').replaceAll('safeURL', ''))
    } catch {
      return false
    }
  })
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

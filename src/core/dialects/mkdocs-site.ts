import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path'
import {
  type CollectionTag,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  type ScalarTag,
} from 'yaml'
import { isFolder, isInside, realPath, relativePath } from '../paths.ts'
import { isRecord } from '../is-record.ts'
import type { ProjectFolders, SiteContent, SiteFile, SiteReader } from './dialect.ts'
import { listNavigation, type NavigationItem, navigationOf } from './site-navigation.ts'
import {
  basePathOf,
  foldersAbove,
  foldersIn,
  isBelow,
  LANGUAGE_FOLDER,
  PLAIN_SITE,
  sourcesOf,
} from './site-folders.ts'

export const mkdocsSite: SiteReader = {
  readSite: (folders) => {
    const home = foldersAbove(folders).find((folder) => findConfig(folder) !== undefined)
    const file = home === undefined ? undefined : findConfig(home)
    const configFile = home === undefined || file === undefined ? undefined : join(home, file)
    const { config, navigation, files } = configFile === undefined ? NO_CONFIG : readConfig(configFile)
    const { contentRoot } = folders
    const includes = includeFolders(config, home ?? contentRoot, folders)
    const appended = home === undefined ? [] : appendedPaths(config, home, { contentRoot, includes })
    return {
      site: {
        ...PLAIN_SITE,
        // Every file among the documents has a URL, and so has every file of the theme.
        rootFolders: ['.', ...sourcesOf(themeFolders(config), home ?? contentRoot, contentRoot)],
        isComplete: false,
        basePath: basePathOf(textIn(config, 'site_url')),
        exclude: (textIn(config, 'exclude_docs') ?? '').split('\n').flatMap(readPattern),
        navigation: navigationOf(listNavigation(navigation.items), navigation.file, contentRoot),
        includeFolders: includes,
        appended: appended.flatMap((path) => readAppended(path, contentRoot, home)),
      },
      configFiles: [...files, ...appended],
    }
  },
  recognise: (root) => recogniseIn(root) ?? recogniseLanguage(root),
  findTranslations: ({ root, contentRoot }) => {
    const home = dirname(contentRoot)
    // A project may have a short name, too, and others beside it.
    if (home === root || !LANGUAGE_FOLDER.test(basename(home))) return []
    return languageFolders(dirname(home))
      .filter((folder) => folder !== home && findConfig(folder) !== undefined)
      .map((folder) => join(folder, basename(contentRoot)))
      .filter(isFolder)
  },
  findConfig,
}

function recogniseIn(root: string): SiteContent | undefined {
  const file = findConfig(root)
  if (file === undefined) return undefined
  const { config } = readConfig(join(root, file))
  const content = posix.normalize(textIn(config, 'docs_dir') ?? 'docs').replace(/(?<=.)\/$/, '')
  if (!isBelow(content) || !isFolder(join(root, content))) return undefined
  const { theme } = config
  return {
    content,
    name: textIn(config, 'site_name'),
    language: isRecord(theme) ? textIn(theme, 'language') : undefined,
    languages: languagesOf(config['plugins']),
  }
}

/** Recognises the largest of several sites, one per language, such as `docs/en` with the documents in `docs/en/docs`. */
function recogniseLanguage(root: string): SiteContent | undefined {
  const sites = languageFolders(join(root, 'docs')).flatMap((folder) => {
    const site = recogniseIn(folder)
    if (site === undefined) return []
    const size = readdirSync(join(folder, site.content), { recursive: true }).length
    const content = posix.join('docs', basename(folder), site.content)
    return [{ size, site: { ...site, content, language: site.language ?? basename(folder) } }]
  })
  return sites.toSorted((one, other) => other.size - one.size)[0]?.site
}

function languageFolders(folder: string): string[] {
  return foldersIn(folder).filter((each) => LANGUAGE_FOLDER.test(basename(each)))
}

function findConfig(folder: string): string | undefined {
  return ['mkdocs.yml', 'mkdocs.yaml'].find((name) => existsSync(join(folder, name)))
}

/** `!ENV [NAME, default]` or `!ENV NAME`, read as its default: the environment of a build is not that of kb-sync. */
const ENVIRONMENT: (CollectionTag | ScalarTag)[] = [
  {
    tag: '!ENV',
    collection: 'seq',
    resolve: (names) => (isSeq(names) && names.items.length > 1 ? names.items.at(-1) : new Scalar(null)),
  },
  { tag: '!ENV', resolve: () => null },
]

type Config = Readonly<Record<string, unknown>>

interface ReadConfig {
  readonly config: Config
  readonly navigation: { readonly file: string | undefined; readonly items: readonly NavigationItem[] }
  /** Absolute paths of the configuration and the files that it inherits from. */
  readonly files: readonly string[]
}

const NO_CONFIG: ReadConfig = { config: {}, navigation: { file: undefined, items: [] }, files: [] }

/** Reads a configuration with its inherited settings. `heirs` are the files that inherit from it. */
function readConfig(path: string, heirs: readonly string[] = []): ReadConfig {
  const own = readConfigFile(path)
  const parent = textIn(own.config, 'INHERIT')
  const above = parent === undefined ? undefined : resolve(dirname(path), parent)
  const files = [...heirs, path]
  if (above === undefined || files.includes(above)) return { ...own, files }
  const inherited = readConfig(above, files)
  return {
    config: mergeSettings(inherited.config, own.config),
    navigation: own.navigation.items.length > 0 ? own.navigation : inherited.navigation,
    files: inherited.files,
  }
}

/** Merges settings. Lists are replaced, as in MkDocs. */
function mergeSettings(inherited: Config, own: Config): Config {
  const merged = Object.entries(own).map(([key, value]) => {
    const above = inherited[key]
    return [key, isRecord(above) && isRecord(value) ? mergeSettings(above, value) : value] as const
  })
  return { ...inherited, ...Object.fromEntries(merged) }
}

/** Reads the plain values. Tags such as `!!python/name` are code, which is not run. */
function readConfigFile(path: string): Omit<ReadConfig, 'files'> {
  try {
    const lines = new LineCounter()
    const options = {
      logLevel: 'silent' as const,
      merge: true,
      uniqueKeys: false,
      lineCounter: lines,
      customTags: ENVIRONMENT,
    }
    const document = parseDocument(readFileSync(path, 'utf8'), options)
    const config: unknown = document.toJS()
    if (document.errors.length > 0 || !isRecord(config)) return NO_CONFIG
    return { config, navigation: { file: path, items: navigationIn(document.get('nav', true), lines) } }
  } catch {
    return NO_CONFIG
  }
}

/** Reads lists of `file.md`, `Title: file.md` and `Section: [...]`. Other items lead to other sites. */
function navigationIn(nav: unknown, lines: LineCounter): NavigationItem[] {
  const pageOf = (value: unknown, title?: string): NavigationItem[] => {
    if (!isScalar(value) || typeof value.value !== 'string') return []
    const path = posix.normalize(value.value)
    if (!path.endsWith('.md') || !isBelow(path) || /^[a-z][a-z\d+.-]*:/i.test(path)) return []
    const { line, col } = lines.linePos(value.range?.[0] ?? 0)
    return [{ kind: 'page', path, title, position: { line, column: col } }]
  }
  if (!isSeq(nav)) return []
  return nav.items.flatMap((item): NavigationItem[] => {
    if (!isMap(item)) return pageOf(item)
    return item.items.flatMap(({ key, value }): NavigationItem[] => {
      const written = isScalar(key) ? (key.value ?? '') : ''
      // YAML parses a name such as a year as a number.
      const name = typeof written === 'string' ? written.trim() : JSON.stringify(written)
      if (!isSeq(value)) return pageOf(value, name === '' ? undefined : name)
      const items = navigationIn(value, lines)
      return name === '' ? items : [{ kind: 'section', name, items }]
    })
  })
}

function textIn(config: Config, key: string): string | undefined {
  const value = config[key]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Converts a line in the syntax of .gitignore to a glob. */
function readPattern(line: string): string[] {
  const pattern = line.trim().replace(/\/$/, '/**')
  if (pattern === '' || /^[#!]/.test(pattern)) return []
  const path = pattern.replace(/^\//, '')
  const isAnywhere = path === pattern && !pattern.replace(/\/\*\*$/, '').includes('/')
  return [isAnywhere ? `**/${path}` : path]
}

/** Returns the settings of a plugin or extension in a list or map. */
function settingsOf(list: unknown, name: string): Config {
  return (
    [list]
      .flat()
      .flatMap((each) => (isRecord(each) ? [each[name]] : []))
      .find(isRecord) ?? {}
  )
}

/** Returns the site's own folder of templates and files for its theme. */
function themeFolders({ theme }: Config): string[] {
  const folder = isRecord(theme) ? textIn(theme, 'custom_dir') : undefined
  return folder === undefined ? [] : [folder]
}

/** Returns the base folders of snippet paths. With links resolved, each must be among the documents or of the project. */
function includeFolders(config: Config, home: string, { contentRoot, root }: ProjectFolders): string[] {
  const { base_path: written = '.' } = settingsOf(config['markdown_extensions'], 'pymdownx.snippets')
  const bound = realPath(isInside(root, home) ? root : home)
  const documents = realPath(contentRoot)
  return [written].flat().flatMap((each: unknown) => {
    // `!relative` alone.
    if (each === null || each === '') return ['']
    if (each === '$docs_dir') return ['.']
    if (typeof each !== 'string') return []
    return sourcesOf([each.replace('$config_dir', '.')], home, contentRoot).filter((folder) => {
      // A symbolic link among the documents may lead outside, too.
      const place = realPath(resolve(contentRoot, folder))
      return isInside(documents, place) || isOfSite(bound, place)
    })
  })
}

/** Returns absolute paths of the files that snippets append to each page; of a missing file, the first candidate. */
function appendedPaths(
  config: Config,
  home: string,
  { contentRoot, includes }: { readonly contentRoot: string; readonly includes: readonly string[] },
): string[] {
  const { auto_append: written } = settingsOf(config['markdown_extensions'], 'pymdownx.snippets')
  return [written].flat().flatMap((each: unknown) => {
    if (typeof each !== 'string') return []
    const places = includes
      .filter((folder) => folder !== '')
      .map((folder) => resolve(contentRoot, folder, each))
      .filter((place) => isOfSite(home, place))
    return places.find((place) => existsSync(place)) ?? places.slice(0, 1)
  })
}

const APPENDED_LIMIT_BYTES = 2_000_000

/** Reads a file of the site. Symbolic links must not lead outside the site. */
function readAppended(path: string, contentRoot: string, home = ''): SiteFile[] {
  try {
    const file = realpathSync(path)
    const stats = statSync(file)
    if (!isOfSite(realpathSync(home), file) || !stats.isFile() || stats.size > APPENDED_LIMIT_BYTES) return []
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    return [{ name: relativePath(contentRoot, path), text }]
  } catch {
    return []
  }
}

/** Returns true for a path in the folder of the site that is not hidden. */
function isOfSite(home: string, path: string): boolean {
  const way = relativePath(home, path)
  // On Windows, a path on another drive stays absolute.
  return isBelow(way) && !isAbsolute(way) && !way.split('/').some((name) => name.startsWith('.'))
}

/** Returns the languages of the i18n plugin. */
function languagesOf(plugins: unknown): string[] {
  const languages: unknown = settingsOf(plugins, 'i18n')['languages']
  return [languages].flat().flatMap((each) => {
    const code = isRecord(each) ? textIn(each, 'locale') : undefined
    return code === undefined || code === 'null' ? [] : [code]
  })
}

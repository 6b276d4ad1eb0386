import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { isFolder } from '../path-kind.ts'
import { isRecord } from '../is-record.ts'
import type { SiteReader } from './dialect.ts'
import { listNavigation, type NavigationItem, navigationOf } from './site-navigation.ts'
import { basePathOf, foldersAbove, isBelow, sourcesOf } from './site-folders.ts'

export const mkdocsSite: SiteReader = {
  readSite: (folders) => {
    const home = foldersAbove(folders).find((folder) => findConfig(folder) !== undefined)
    const file = home === undefined ? undefined : findConfig(home)
    const configFile = home === undefined || file === undefined ? undefined : join(home, file)
    const { config, navigation } = configFile === undefined ? NO_CONFIG : readConfig(configFile)
    const { contentRoot } = folders
    return {
      site: {
        // Every file among the documents has a URL; a theme has files of its own.
        rootFolders: ['.'],
        isComplete: false,
        basePath: basePathOf(textIn(config, 'site_url')),
        exclude: (textIn(config, 'exclude_docs') ?? '').split('\n').flatMap(readPattern),
        docsPath: '',
        versions: [],
        navigation: navigationOf(listNavigation(navigation), configFile, contentRoot),
        includeFolders: includeFolders(config, home ?? contentRoot, contentRoot),
        linkHook: undefined,
      },
      configFile,
    }
  },
  recognise: (root) => {
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
  },
  findConfig,
}

function findConfig(folder: string): string | undefined {
  return ['mkdocs.yml', 'mkdocs.yaml'].find((name) => existsSync(join(folder, name)))
}

type Config = Readonly<Record<string, unknown>>

interface ReadConfig {
  readonly config: Config
  readonly navigation: readonly NavigationItem[]
}

const NO_CONFIG: ReadConfig = { config: {}, navigation: [] }

/** Its plain values: tags such as `!!python/name` are code, which is not run. */
function readConfig(path: string): ReadConfig {
  try {
    const lines = new LineCounter()
    const options = { logLevel: 'silent', merge: true, uniqueKeys: false, lineCounter: lines } as const
    const document = parseDocument(readFileSync(path, 'utf8'), options)
    const config: unknown = document.toJS()
    if (document.errors.length > 0 || !isRecord(config)) return NO_CONFIG
    return { config, navigation: navigationIn(document.get('nav', true), lines) }
  } catch {
    return NO_CONFIG
  }
}

/** Lists of `file.md`, `Title: file.md` and `Section: [...]`. Everything else leads to other sites. */
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
      // A year, for example, is read as a number.
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

/** A line of a file such as .gitignore, as a glob. */
function readPattern(line: string): string[] {
  const pattern = line.trim().replace(/\/$/, '/**')
  if (pattern === '' || /^[#!]/.test(pattern)) return []
  const path = pattern.replace(/^\//, '')
  const isAnywhere = path === pattern && !pattern.replace(/\/\*\*$/, '').includes('/')
  return [isAnywhere ? `**/${path}` : path]
}

/** The settings of a plugin or extension in a list, or a map, of them. */
function settingsOf(list: unknown, name: string): Config {
  return (
    [list]
      .flat()
      .flatMap((each) => (isRecord(each) ? [each[name]] : []))
      .find(isRecord) ?? {}
  )
}

/** Where the paths of snippets start. */
function includeFolders(config: Config, home: string, contentRoot: string): string[] {
  const { base_path: written = '.' } = settingsOf(config['markdown_extensions'], 'pymdownx.snippets')
  return [written].flat().flatMap((each: unknown) => {
    // `!relative` alone.
    if (each === null || each === '') return ['']
    if (each === '$docs_dir') return ['.']
    return typeof each === 'string' ? sourcesOf([each.replace('$config_dir', '.')], home, contentRoot) : []
  })
}

/** The languages of the i18n plugin. */
function languagesOf(plugins: unknown): string[] {
  const languages: unknown = settingsOf(plugins, 'i18n')['languages']
  return [languages].flat().flatMap((each) => {
    const code = isRecord(each) ? textIn(each, 'locale') : undefined
    return code === undefined || code === 'null' ? [] : [code]
  })
}

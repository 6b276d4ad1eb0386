import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parse } from 'yaml'
import { isFolder } from '../path-kind.ts'
import { isRecord } from '../is-record.ts'
import type { SiteReader } from './dialect.ts'
import { basePathOf, foldersAbove, isBelow, sourcesOf } from './site-folders.ts'

export const mkdocsSite: SiteReader = {
  readSite: (folders) => {
    const home = foldersAbove(folders).find((folder) => findConfig(folder) !== undefined)
    const file = home === undefined ? undefined : findConfig(home)
    const config = home === undefined || file === undefined ? {} : readConfig(join(home, file))
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
        includeFolders: includeFolders(config, home ?? contentRoot, contentRoot),
        linkHook: undefined,
      },
      configFile: home === undefined || file === undefined ? undefined : join(home, file),
    }
  },
  recognise: (root) => {
    const file = findConfig(root)
    if (file === undefined) return undefined
    const config = readConfig(join(root, file))
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

/** Its plain values: tags such as `!!python/name` are code, which is not run. */
function readConfig(path: string): Config {
  try {
    const options = { logLevel: 'silent', merge: true, uniqueKeys: false } as const
    const config: unknown = parse(readFileSync(path, 'utf8'), options)
    return isRecord(config) ? config : {}
  } catch {
    return {}
  }
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

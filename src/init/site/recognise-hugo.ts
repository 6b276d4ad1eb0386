import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { parse as parseYaml } from 'yaml'
import { isFolder } from './is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  toml: (text) => getStaticTOMLValue(parseTOML(text)),
  yaml: (text) => parseYaml(text) as unknown,
  yml: (text) => parseYaml(text) as unknown,
  json: (text) => JSON.parse(text) as unknown,
}

export function recogniseHugo(root: string): RecognisedSite | undefined {
  const config = readConfig(root)?.values
  if (config === undefined) return undefined
  const languages = Object.entries(Object(config.get('languages')) as Record<string, unknown>)
  const content = folderOfLanguages(languages) ?? folderOf(textOf(config, 'contentdir') ?? 'content')
  const isOwn = content !== '..' && !content.startsWith('../') && !content.startsWith('/')
  if (!isOwn || !isFolder(join(root, content))) return undefined
  return {
    preset: 'hugo',
    content,
    language: textOf(config, 'defaultcontentlanguage'),
    languages: languages.map(([code]) => code),
  }
}

function folderOf(path: string): string {
  return posix.normalize(path).replace(/\/$/, '')
}

/** The folder in which each language has one of its name; undefined where they lie in any other way. */
function folderOfLanguages(languages: readonly (readonly [string, unknown])[]): string | undefined {
  const parents = languages.map(([code, settings]) => {
    const path = textOf(lowerKeys(settings), 'contentdir')
    const folder = path === undefined ? '' : folderOf(path)
    return posix.basename(folder) === code ? posix.dirname(folder) : undefined
  })
  return new Set(parents).size === 1 ? parents[0] : undefined
}

/** The configuration of a folder that is a site of Hugo, relative to it; undefined where there is none. */
export function findHugoConfig(root: string): string | undefined {
  return readConfig(root)?.file
}

interface HugoConfig {
  readonly file: string
  /** Keys in lower case, as Hugo takes them in any. */
  readonly values: ReadonlyMap<string, unknown>
}

function readConfig(root: string): HugoConfig | undefined {
  for (const name of ['hugo', 'config', 'config/_default/hugo', 'config/_default/config']) {
    for (const [extension, parse] of Object.entries(PARSERS)) {
      const file = `${name}.${extension}`
      if (!existsSync(join(root, file))) continue
      const values = keysOf(readFileSync(join(root, file), 'utf8'), parse)
      // Others have a file of this name, too.
      if (name.endsWith('hugo') || values.has('baseurl')) return { file, values }
    }
  }
  return undefined
}

/** None of a file that Hugo itself will complain about. */
function keysOf(text: string, parse: (text: string) => unknown): ReadonlyMap<string, unknown> {
  try {
    return lowerKeys(parse(text))
  } catch {
    return new Map()
  }
}

function lowerKeys(value: unknown): ReadonlyMap<string, unknown> {
  const entries = Object.entries(Object(value) as Record<string, unknown>)
  return new Map(entries.map(([key, each]) => [key.toLowerCase(), each]))
}

function textOf(config: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = config.get(key)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

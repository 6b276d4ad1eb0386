// Loaded only for a site of Hugo: the parsers are too slow to start for other runs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { parse as parseYaml } from 'yaml'

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  toml: (text) => getStaticTOMLValue(parseTOML(text)),
  yaml: (text) => parseYaml(text) as unknown,
  yml: (text) => parseYaml(text) as unknown,
  json: (text) => JSON.parse(text) as unknown,
}

export interface HugoConfig {
  /** From the folder on. */
  readonly file: string
  /** Keys in lower case, as Hugo takes them in any. */
  readonly values: ReadonlyMap<string, unknown>
}

/** The configuration of a folder that is a site of Hugo; undefined where it is none. */
export function readHugoConfig(root: string): HugoConfig | undefined {
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

export function lowerKeys(value: unknown): ReadonlyMap<string, unknown> {
  const entries = Object.entries(Object(value) as Record<string, unknown>)
  return new Map(entries.map(([key, each]) => [key.toLowerCase(), each]))
}

/** A text, or a list of them; undefined where it is neither. */
export function textsOf(config: ReadonlyMap<string, unknown>, key: string): string[] | undefined {
  const texts = [config.get(key)].flat().filter((each) => typeof each === 'string' && each !== '')
  return texts.length === 0 ? undefined : (texts as string[])
}

export function configText(config: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = config.get(key)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

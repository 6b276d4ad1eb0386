// Configurations of tools are programs. They are not run: what stands there as a plain text is read, and what does not is
// left to the user.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** The path of a script by its path without extension; undefined where there is none. */
export function findScript(path: string): string | undefined {
  return EXTENSIONS.map((extension) => `${path}.${extension}`).find((each) => existsSync(each))
}

/** Its text, comments cut out. */
export function readScript(path: string): string | undefined {
  const file = findScript(path)
  return file === undefined ? undefined : withoutComments(readFileSync(file, 'utf8'))
}

/** The first text that stands behind `key:` in a script. */
export function findText(script: string, key: string): string | undefined {
  return new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*(["'\`])([^"'\`$\n]*)\1`).exec(script)?.[2]
}

/** The texts of the first list that stands behind `key:`; undefined where there is none, or anything else in it. */
export function findTexts(script: string, key: string): string[] | undefined {
  const list = new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*\[([^\]]*)\]`).exec(script)?.[1]
  if (list === undefined) return undefined
  const texts = [...list.matchAll(/(["'`])((?:(?!\1)[^\\$\n])*)\1/g)].map(([, , text = '']) => text)
  return list.replaceAll(/(["'`])(?:(?!\1)[^\\$\n])*\1|[\s,]/g, '') === '' ? texts : undefined
}

/** A script in a folder of its name counts, too. */
export function readScriptOrFolder(path: string): string | undefined {
  return readScript(path) ?? readScript(join(path, 'index'))
}

/** Only comments that have a line of their own: `//` stands within addresses, too. */
function withoutComments(script: string): string {
  return script.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

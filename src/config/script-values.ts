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

const TEXT = /(["'`])((?:(?!\1)[^\\$\n])*)\1/g

/** The texts of the first list that stands behind `key:`; undefined where there is none, or anything else in it. */
export function findTexts(script: string, key: string): string[] | undefined {
  const list = findList(script, key)
  return list?.replaceAll(TEXT, '').replaceAll(/[\s,]/g, '') === '' ? textsIn(list) : undefined
}

/** The same, whatever else is in that list. */
export function findAnyTexts(script: string, key: string): string[] {
  return textsIn(findList(script, key) ?? '')
}

/** The objects that begin where a pattern ends, from brace to brace. */
export function blocksBehind(script: string, pattern: RegExp): string[] {
  return [...script.matchAll(pattern)].map(({ 0: found, index }) => {
    const rest = script.slice(index + found.length)
    let depth = 0
    for (const { 0: sign, index: at } of rest.matchAll(/[{}]|(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*/g)) {
      if (sign === '{') depth++
      if (sign === '}' && --depth === 0) return rest.slice(0, at + 1)
    }
    return ''
  })
}

function findList(script: string, key: string): string | undefined {
  return new RegExp(String.raw`(?<![\w$])["']?${key}["']?\s*:\s*\[([^\]]*)\]`).exec(script)?.[1]
}

function textsIn(list: string): string[] {
  return [...list.matchAll(TEXT)].map(([, , text = '']) => text)
}

/** A script in a folder of its name counts, too. */
export function readScriptOrFolder(path: string): string | undefined {
  return readScript(path) ?? readScript(join(path, 'index'))
}

/** Only comments that have a line of their own: `//` stands within addresses, too. */
function withoutComments(script: string): string {
  return script.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

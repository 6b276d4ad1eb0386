import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { LANGUAGE_CODE } from '../../util/language-code.ts'
import { isFolder } from './is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'
import { findText, readScriptOrFolder } from './script-values.ts'

/** Its folder is the project's own, or one right below: `docs` as a rule. */
export function recogniseVitePress(root: string): RecognisedSite | undefined {
  for (const folder of ['.', 'docs', ...foldersIn(root)]) {
    const config = readScriptOrFolder(join(root, folder, '.vitepress', 'config'))
    if (config === undefined) continue
    const content = posix.join(folder, findText(config, 'srcDir') ?? '.').replace(/(?<=.)\/$/, '')
    if (!isBelow(content) || !isFolder(join(root, content))) continue
    const languages = foldersIn(join(root, content)).filter((name) => isLocale(config, name))
    return { preset: 'vitepress', content, language: findText(config, 'lang'), languages }
  }
  return undefined
}

function foldersIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .toSorted()
}

/** Whether a folder is that of a language: the configuration has a label for it. */
function isLocale(config: string, name: string): boolean {
  const entry = String.raw`(?<![\w$-])(["'\`]?)${name}\1\s*:\s*\{[^{}]*(?<![\w$])label\s*:`
  return LANGUAGE_CODE.test(name) && new RegExp(entry).test(config)
}

function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/')
}

import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isLanguageCode } from '../../../core/language-code.ts'
import { isFolder } from '../../../core/is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'
import { findText, readScriptOrFolder } from '../../../core/config/script-values.ts'

/** Its folder is the project's own, or one right below: `docs` as a rule. */
export function recogniseVitePress(root: string): RecognisedSite | undefined {
  for (const folder of ['.', 'docs', ...foldersIn(root)]) {
    const config = readScriptOrFolder(join(root, folder, '.vitepress', 'config'))
    if (config === undefined) continue
    const content = posix.join(folder, findText(config, 'srcDir') ?? '.').replace(/(?<=.)\/$/, '')
    if (!isBelow(content) || !isFolder(join(root, content))) continue
    const folders = foldersIn(join(root, content))
    const languages = folders.filter((name) => isLocale(config, name))
    const language = findText(config, 'lang')
    // Its texts may lie in a folder like those of the others, which rewrites take out of addresses.
    const own = languages.length === 0 ? undefined : folders.find((name) => name === baseOf(language))
    return { preset: 'vitepress', content, language: own ?? language, languages }
  }
  return undefined
}

function foldersIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .toSorted()
}

/** `en-US` is `en`. */
function baseOf(language: string | undefined): string | undefined {
  return language?.replace(/-.*$/, '')
}

/** Whether a folder is that of a language: the configuration has a label for it. */
function isLocale(config: string, name: string): boolean {
  const entry = String.raw`(?<![\w$-])(["'\`]?)${name}\1\s*:\s*\{[^{}]*(?<![\w$])label\s*:`
  return isLanguageCode(name) && new RegExp(entry).test(config)
}

function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/')
}

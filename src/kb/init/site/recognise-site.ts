import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { lowerKeys, readHugoConfig, configText } from '../../../core/config/read-hugo-config.ts'
import { findText, readScript, readScriptOrFolder } from '../../../core/config/script-values.ts'
import { isLanguageCode } from '../../../core/language-code.ts'
import { parseLanguage } from '../parse-answers.ts'
import { isFolder } from '../../../core/is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'

/** The site that a folder is, by the configuration of its tool; undefined where it is none that a preset can read. */
export function recogniseSite(root: string): RecognisedSite | undefined {
  if (!isFolder(root)) return undefined
  const site = recogniseDocusaurus(root) ?? recogniseVitePress(root) ?? recogniseHugo(root)
  if (site === undefined) return undefined
  const [language] = languagesOf([site.language ?? ''])
  return { ...site, language, languages: languagesOf(site.languages) }
}

/** Those that can be one here. */
function languagesOf(codes: readonly string[]): string[] {
  return codes.map(parseLanguage).flatMap((parsed) => (parsed.kind === 'value' ? [parsed.value] : []))
}

/** Where Docusaurus keeps documents unless its configuration says otherwise. */
const CONTENT = 'docs'

function recogniseDocusaurus(root: string): RecognisedSite | undefined {
  const config = readScript(join(root, 'docusaurus.config'))
  if (config === undefined || !isFolder(join(root, CONTENT))) return undefined
  // Its translations lie in a folder of their own.
  return {
    preset: 'docusaurus',
    content: CONTENT,
    language: findText(config, 'defaultLocale'),
    languages: [],
  }
}

function recogniseHugo(root: string): RecognisedSite | undefined {
  const config = readHugoConfig(root)?.values
  if (config === undefined) return undefined
  const languages = Object.entries(Object(config.get('languages')) as Record<string, unknown>)
  const content = folderOfLanguages(languages) ?? folderOf(configText(config, 'contentdir') ?? 'content')
  const isOwn = content !== '..' && !content.startsWith('../') && !content.startsWith('/')
  if (!isOwn || !isFolder(join(root, content))) return undefined
  return {
    preset: 'hugo',
    content,
    language: configText(config, 'defaultcontentlanguage'),
    languages: languages.map(([code]) => code),
  }
}

function folderOf(path: string): string {
  return posix.normalize(path).replace(/\/$/, '')
}

/** The folder in which each language has one of its name; undefined where they lie in any other way. */
function folderOfLanguages(languages: readonly (readonly [string, unknown])[]): string | undefined {
  const parents = languages.map(([code, settings]) => {
    const path = configText(lowerKeys(settings), 'contentdir')
    const folder = path === undefined ? '' : folderOf(path)
    return posix.basename(folder) === code ? posix.dirname(folder) : undefined
  })
  return new Set(parents).size === 1 ? parents[0] : undefined
}

/** Its folder is the project's own, or one right below: `docs` as a rule. */
function recogniseVitePress(root: string): RecognisedSite | undefined {
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

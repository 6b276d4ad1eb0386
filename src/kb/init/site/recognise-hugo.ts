import { join, posix } from 'node:path'
import { lowerKeys, readHugoConfig, textOf } from '../../../core/config/read-hugo-config.ts'
import { isFolder } from '../../../core/is-folder.ts'
import type { RecognisedSite } from './recognised-site.ts'

export function recogniseHugo(root: string): RecognisedSite | undefined {
  const config = readHugoConfig(root)?.values
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

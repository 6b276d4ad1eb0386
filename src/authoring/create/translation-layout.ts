import { posix } from 'node:path'
import { foldName } from '../../core/paths.ts'
import type { LocalArticle } from '../../core/model/document.ts'

type TranslationLayout =
  /** `prices.fr.md` beside `prices.md`. */
  | { readonly kind: 'suffix'; readonly separator: string }
  /** In the folder of the original, with a different name. */
  | { readonly kind: 'beside' }
  /** In a folder named after the language: the topmost one, or the one that contains the files. */
  | { readonly kind: 'folder'; readonly at: 'first' | 'last'; readonly hasSameName: boolean }

interface Placed {
  readonly source: string
  /** Language code. */
  readonly language: string
}

type Article = Pick<LocalArticle, 'source' | 'language' | 'original'>

/** Returns the layout of most translations. By default, it is a suffix, unless originals are in a language folder. */
export function learnLayout(articles: readonly Article[], defaultLanguage: string): TranslationLayout {
  const bySource = new Map(articles.map((article) => [article.source, article]))
  const placed = ({ source, language }: Article): Placed => ({
    source,
    language: language ?? defaultLanguage,
  })
  const counts = new Map<string, number>()
  for (const article of articles) {
    const original = article.original === undefined ? undefined : bySource.get(article.original)
    const layout = original === undefined ? undefined : layoutOf(placed(article), placed(original))
    if (layout === undefined) continue
    const key = JSON.stringify(layout)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most === undefined
    ? layoutOfOriginals(articles.map(placed))
    : (JSON.parse(most[0]) as TranslationLayout)
}

function layoutOf(translation: Placed, original: Placed): TranslationLayout | undefined {
  const [own, its] = [partsOf(translation.source), partsOf(original.source)]
  const hasSameName = own.name === its.name
  if (isEqual(own.folders, its.folders)) {
    const suffix = own.name.startsWith(its.name) ? own.name.slice(its.name.length) : ''
    const separator = suffix.charAt(0)
    const isSuffix = '.-_'.includes(separator) && foldName(suffix.slice(1)) === foldName(translation.language)
    return isSuffix ? { kind: 'suffix', separator } : { kind: 'beside' }
  }
  const at = (['first', 'last'] as const).find((place) => {
    const folders = withLanguage(its.folders, original.language, translation.language, place)
    return isEqual(own.folders, folders)
  })
  return at === undefined ? undefined : { kind: 'folder', at, hasSameName }
}

function layoutOfOriginals(articles: readonly Placed[]): TranslationLayout {
  const inFolder = (at: 'first' | 'last') =>
    articles.filter(
      ({ source, language }) => foldName(folderAt(partsOf(source).folders, at) ?? '') === foldName(language),
    )
  const at = (['first', 'last'] as const).find((place) => inFolder(place).length * 2 > articles.length)
  return at === undefined ? { kind: 'suffix', separator: '.' } : { kind: 'folder', at, hasSameName: true }
}

/** Returns the location of a translation. `name` is undefined if it comes from the title. */
export function placeOfTranslation(original: Placed, language: string, layout: TranslationLayout) {
  const { folders, name } = partsOf(original.source)
  switch (layout.kind) {
    case 'suffix':
      return { folder: folders.join('/'), name: `${name}${layout.separator}${language}` }
    case 'beside':
      return { folder: folders.join('/'), name: undefined }
    case 'folder': {
      const folder = withLanguage(folders, original.language, language, layout.at).join('/')
      return { folder, name: layout.hasSameName ? name : undefined }
    }
  }
}

/** Returns the folder for another language; the same folder if languages have none. */
export function folderInLanguage(
  folder: string,
  languages: { readonly from: string; readonly to: string },
  layout: TranslationLayout,
): string {
  if (layout.kind !== 'folder') return folder
  const folders = folder === '' ? [] : folder.split('/')
  return withLanguage(folders, languages.from, languages.to, layout.at).join('/')
}

/** Replaces the language in the folders, if the other language may be there. */
function withLanguage(folders: readonly string[], from: string, to: string, at: 'first' | 'last') {
  const hasOwn = foldName(folderAt(folders, at) ?? '') === foldName(from)
  if (at === 'first') return [to, ...folders.slice(hasOwn ? 1 : 0)]
  return [...folders.slice(0, hasOwn ? -1 : folders.length), to]
}

function folderAt(folders: readonly string[], at: 'first' | 'last'): string | undefined {
  return at === 'first' ? folders[0] : folders.at(-1)
}

function partsOf(source: string): { readonly folders: readonly string[]; readonly name: string } {
  const folders = source.split('/')
  const file = folders.pop() ?? ''
  return { folders, name: file.slice(0, file.length - posix.extname(file).length) }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => foldName(part) === foldName(b[index] ?? ''))
}

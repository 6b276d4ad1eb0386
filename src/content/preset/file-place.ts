import type { FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import { withoutNumber } from './number-prefix.ts'

type Placing = Pick<FrontmatterMapping, 'preset' | 'languages'>

/** What the path of a file says of its article. */
export interface FilePlace {
  /** Undefined: the default language. */
  readonly language: string | undefined
  /** Folders as they are called on disk, the language's left out. */
  readonly folders: readonly string[]
  /** The file's name without language and ending. */
  readonly name: string
  /** Equal for a file and its translations. */
  readonly key: string
  /** Whether it stands for its folder. */
  readonly isIndex: boolean
}

// Translations lie elsewhere, below the name of the plugin that their originals are given to.
const I18N = /^i18n\/([^/]+)\/docusaurus-plugin-content-(docs)(?:-([^/]+))?\/(?:current|version-[^/]+)\/(.+)$/

/** Reads the path of a file as the tool does. Pure. */
export function placeOfFile(source: string, { preset, languages }: Placing): FilePlace {
  const { language, path } = splitLanguage(source.normalize('NFC'), { preset, languages })
  const folders = path.split('/')
  const name = (folders.pop() ?? '').replace(/\.[^.]+$/, '')
  const [defaultLanguage] = languages
  return {
    language: language === defaultLanguage ? undefined : language,
    folders,
    name,
    key: [...folders, name].join('/'),
    isIndex: isIndexName(name, folders.at(-1), preset),
  }
}

/** A folder that is one page has the name of the folder. */
export function pageName({ isIndex, folders, name }: FilePlace): string {
  return isIndex ? (folders.at(-1) ?? '') : name
}

function splitLanguage(source: string, { preset, languages }: Placing) {
  if (preset === 'docusaurus') {
    const [, language, docs, id, path] = I18N.exec(source) ?? []
    return { language, path: path === undefined ? source : `${id ?? docs}/${path}` }
  }
  const [first = '', ...rest] = source.split('/')
  if (rest.length > 0 && languages.includes(first)) return { language: first, path: rest.join('/') }
  if (preset !== 'hugo') return { language: undefined, path: source }
  const suffix = languages.find((each) => new RegExp(`\\.${each}\\.[^./]+$`, 'i').test(source))
  const path = suffix === undefined ? source : source.replace(/\.[^./]+(\.[^./]+)$/, '$1')
  return { language: suffix, path }
}

function isIndexName(
  written: string,
  folder: string | undefined,
  preset: FrontmatterMapping['preset'],
): boolean {
  if (preset === 'hugo' && written === '_index') return true
  if (preset !== 'docusaurus') return written === 'index'
  const name = withoutNumber(written).toLowerCase()
  return (
    name === 'index' ||
    name === 'readme' ||
    (folder !== undefined && name === withoutNumber(folder).toLowerCase())
  )
}

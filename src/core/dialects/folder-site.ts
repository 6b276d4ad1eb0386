import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { isRecord } from '../is-record.ts'
import { entriesOf, pathKind } from '../paths.ts'
import type { Dialect, SiteFile, SiteReader } from './dialect.ts'
import {
  listNavigation,
  type NavigationItem,
  navigationOf,
  sectionItem,
  untitledItem,
} from './site-navigation.ts'
import { foldersIn, isBelow, LANGUAGE_FOLDER, PLAIN_SITE, WIKI_FILE } from './site-folders.ts'
import { columnsOf, withoutEscapes } from './text-lines.ts'
import { groupBy } from '../group-by.ts'
import { tryTo } from '../try-to.ts'

/** Usual names of document folders, the most likely first. */
const USUAL_FOLDERS = ['content', 'docs', 'documentation', 'doc', 'help', 'articles', 'guide', 'wiki']

/** Document folders in which the README.md of a subfolder is a page. */
const FOLDERS_OF_PAGES = new Set([...USUAL_FOLDERS, 'guides', 'handbook', 'kb', 'manual', 'manuals'])

/** Folder names and manifest files of packages, whose README.md describes code. */
const PACKAGES = new Set(['packages', 'apps', 'crates', 'examples', 'libs', 'modules'])
const MANIFESTS = ['package.json', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'composer.json', 'pom.xml']

/** Folders at the root of a repository that contain code, or documents about code. */
const FOLDERS_OF_CODE = new Set([
  ...PACKAGES,
  'src',
  'lib',
  'test',
  'tests',
  'cmd',
  'internal',
  'pkg',
  'tools',
  'scripts',
])

/** Markdown files about the repository itself. */
const ABOUT_REPOSITORY =
  /^(?:readme|changelog|changes|history|licen[cs]e|contributing|code[-_]of[-_]conduct|security|support|governance|authors|maintainers|agents|claude)\b/i

export const folderSite: SiteReader = {
  readSite: ({ root, contentRoot }) => {
    const { file, items, exclude } = readContents(contentRoot)
    const { config, docsPath } = readCollection(contentRoot)
    const contentsFiles = Object.keys(CONTENTS).map((name) => join(contentRoot, name))
    const siblings = contentRoot === root ? [] : foldersIn(dirname(contentRoot)).map((path) => basename(path))
    const beside = (names: readonly string[]) =>
      names.filter((name) => siblings.includes(name)).map((name) => `../${name}`)
    return {
      site: {
        ...PLAIN_SITE,
        docsPath,
        rootFolders: ['.', ...beside(['public', 'static'])],
        imageFolders: beside(['assets', 'images', 'img', 'media']),
        isComplete: false,
        exclude,
        navigation: navigationOf(listNavigation(items), file, contentRoot),
      },
      // Also those that do not exist yet: a new one is no article.
      configFiles: [...contentsFiles, config].filter((path) => path !== undefined),
    }
  },
  readFiles: ({ contentRoot }) => ({ files: wikiPages(contentRoot), sections: [], paths: [] }),
  recognise: (root) => {
    const content = findContent(root)
    if (content === undefined) return undefined
    return { content, ...languagesOf(join(root, content)) }
  },
}

/** Returns the names of the pages of a GitHub wiki, without extension; none elsewhere. */
function wikiPages(folder: string): SiteFile[] {
  const names = entriesOf(folder).map(({ name }) => name)
  if (!names.some((name) => WIKI_FILE.test(name))) return []
  return names.filter(isDocument).map((name) => ({ name: name.replace(/\.mdx?$/, ''), text: '' }))
}

/** Reads where a site of Jekyll publishes a collection, such as `/docs` for `_docs`. */
function readCollection(contentRoot: string) {
  const [, name] = /^_([\w-]+)$/.exec(basename(contentRoot)) ?? []
  const above = dirname(contentRoot)
  const config = [above, dirname(above)].map((folder) => join(folder, '_config.yml')).find(existsSync)
  if (name === undefined || config === undefined) return { config: undefined, docsPath: '' }
  // Each line matches in one way only: a list of pages, with `order`, may be long.
  const start = String.raw`^([ \t]+)(["']?)${name}\2:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n|\1[ \t]+(?![\s#]).*\n)*?`
  const setting = String.raw`${start}\1[ \t]+permalink:[ \t]*["']?(\/[^"'\s#]*)`
  const [, , , permalink = `/${name}/:path`] = new RegExp(setting, 'm').exec(textOf(config)) ?? []
  return { config, docsPath: permalink.replace('/:collection', `/${name}`).replace(/\/[^/:]*:.*$|\/$/, '') }
}

interface Contents {
  readonly items: readonly NavigationItem[]
  readonly exclude: readonly string[]
}

/** The files that list the pages of a site: of Mintlify, of books, of Docsify and of GitHub wikis. */
const CONTENTS: Readonly<Record<string, (text: string) => Contents>> = {
  'docs.json': (text) => ({ items: groupsIn(navigationIn(text)), exclude: NOT_PAGES_OF_MINTLIFY }),
  'mint.json': (text) => ({ items: groupsIn(navigationIn(text)), exclude: NOT_PAGES_OF_MINTLIFY }),
  'SUMMARY.md': (text) => ({ items: summaryItems(text), exclude: ['SUMMARY.md'] }),
  '_sidebar.md': (text) => ({ items: sidebarItems(text), exclude: [] }),
  '_Sidebar.md': (text) => ({ items: sidebarItems(text), exclude: [] }),
}

const NOT_PAGES_OF_MINTLIFY = ['snippets/**', '**/{README,LICENSE,CHANGELOG,CONTRIBUTING}.md']

function readContents(contentRoot: string): Contents & { readonly file: string | undefined } {
  // A system that ignores case would find `summary.md`, too.
  const names = new Set(entriesOf(contentRoot).map(({ name }) => name))
  for (const [name, read] of Object.entries(CONTENTS)) {
    const file = join(contentRoot, name)
    const contents = names.has(name) ? read(textOf(file)) : undefined
    if (contents !== undefined && contents.items.length > 0) return { ...contents, file }
  }
  // Each folder may be a book of its own, as in GitBook. Its contents are no article.
  const exclude = foldersIn(contentRoot)
    .filter(isBookFolder)
    .map((folder) => `${escapeGlob(basename(folder))}/SUMMARY.md`)
  return { items: [], exclude, file: undefined }
}

/** Returns true if the contents of a folder list its pages. An article may have the same name, and frontmatter. */
function isBookFolder(folder: string): boolean {
  const text = textOf(join(folder, 'SUMMARY.md'))
  const pages = text.startsWith('---') ? [] : listNavigation(summaryItems(text))
  return pages.some(({ path }) => pathKind(join(folder, path)) === 'file')
}

/** Returns a pattern that matches exactly this name. */
function escapeGlob(name: string): string {
  return name.replaceAll(/[()[\]{}!*?+@|\\]/g, String.raw`\$&`)
}

/** Returns a text without byte order mark, with line feeds as line ends; '' if it cannot be read. */
function textOf(file: string): string {
  return tryTo(() => readFileSync(file, 'utf8'), '')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
}

function navigationIn(text: string): unknown {
  const config: unknown = tryTo(() => JSON.parse(text), undefined)
  return isRecord(config) ? config['navigation'] : undefined
}

/** Reads tabs and groups with their pages, of one language. */
function groupsIn(value: unknown): NavigationItem[] {
  if (typeof value === 'string') return [untitledItem('page', value)]
  if (Array.isArray(value)) return value.flatMap(groupsIn)
  if (!isRecord(value)) return []
  const { languages } = value
  const lists = ['root', 'pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'products', 'versions', 'menu']
  const items = Array.isArray(languages)
    ? groupsIn(languages[0])
    : lists.flatMap((key) => groupsIn(value[key]))
  const name = ['group', 'tab', 'anchor', 'dropdown', 'product', 'version', 'item']
    .map((key) => value[key])
    .find((each) => typeof each === 'string')
  return name === undefined ? items : [sectionItem(name, items)]
}

/** Reads lists of links, in which an entry without a link and a heading are sections. */
function sidebarItems(text: string): NavigationItem[] {
  return summaryItems(text.split('\n').map(sidebarLine).join('\n'), false)
}

/** Returns a line as in the table of contents of a book; other text is left out. */
function sidebarLine(line: string): string {
  const [, indent = '', mark, written = ''] =
    /^([ \t]*)(#{1,6}|[-+*]|\d{1,9}[.)])[ \t]+(.+)$/.exec(line) ?? []
  const rest = written.replace(
    /\[\[(?:([^[\]|]+)\|)?([^[\]|]+)\]\]/,
    (_, words: string | undefined, page: string) => `[${words ?? page}](${page.trim().replaceAll(' ', '-')})`,
  )
  const plain = rest.trim().replace(/^([*_]{1,2})(.+)\1$/, '$2')
  const [, words = plain, url = ''] = /\[([^[\]]+)\]\(<?([^()<>\s]*)/.exec(rest) ?? []
  const path = url.replace(WIKI_URL, '').replace(/[#?].*$|^\//g, '')
  if (mark === undefined || /^[a-z]+:/i.test(path) || words.includes('[')) return ''
  if (mark.startsWith('#')) return `# ${words}`
  return `${indent}- [${words}](${path === '' || path.endsWith('.md') ? path : `${path.replace(/\/$/, '')}.md`})`
}

const WIKI_URL = /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/wiki(?:\/|$)/

const CHAPTER =
  /^([ \t]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[((?:[^[\]\\]|\\.)+)\]\(<?([^()<>\s#]*)[^()]*\)[ \t]*$/
const PART = /^#{1,6}[ \t]+(.+?)[ \t]*$/

/** Reads parts and nested chapters; a chapter with others below it is their section, too. Only a book has a title. */
function summaryItems(text: string, isBook = true): NavigationItem[] {
  const items: NavigationItem[] = []
  const open: { readonly indent: number; readonly items: NavigationItem[] }[] = [{ indent: -1, items }]
  const lines = text
    .split('\n')
    .map((written, index) => ({ written, line: index + 1 }))
    .filter(({ written }) => written.trim() !== '')
  lines.forEach(({ written, line }, index) => {
    const part = PART.exec(written)?.[1]
    // A heading at the start is the title of the file.
    if (part !== undefined && (index > 0 || !isBook)) {
      const inPart: NavigationItem[] = []
      items.push(sectionItem(withoutEscapes(part), inPart))
      open.splice(0, open.length, { indent: -1, items: inPart })
    }
    const [, space = '', name = '', url = ''] = CHAPTER.exec(written) ?? []
    const path = tryTo(() => posix.normalize(decodeURI(withoutEscapes(url))), url)
    if (name === '' || (url !== '' && (!path.endsWith('.md') || /^[a-z]+:/i.test(url)))) return
    const indent = columnsOf(space)
    while (indent <= (open.at(-1)?.indent ?? -1)) open.pop()
    const position = isBook ? { line, column: space.length + 1 } : undefined
    const page: NavigationItem[] = url === '' ? [] : [{ kind: 'page', path, title: undefined, position }]
    const [, below] = CHAPTER.exec(lines[index + 1]?.written ?? '') ?? []
    const isSection = below !== undefined && columnsOf(below) > indent
    open.at(-1)?.items.push(...(isSection ? [sectionItem(withoutEscapes(name), page)] : page))
    if (isSection) open.push({ indent, items: page })
  })
  return items
}

/** The folders of documents of Mintlify, mdBook, Middleman and Hexo, by the configuration that may name another. */
const FOLDERS_BY_CONFIG: readonly (readonly [file: string, sign: RegExp, folder: string])[] = [
  ['docs.json', /"navigation"/, '.'],
  ['mint.json', /"navigation"/, '.'],
  ['book.toml', /\[/, 'src'],
  ['config.rb', /./, 'source'],
  ['_config.yml', /./, 'source'],
]

function findConfigured(root: string): string | undefined {
  return FOLDERS_BY_CONFIG.flatMap(([file, sign, folder]) => {
    const text = tryTo(() => readFileSync(join(root, file), 'utf8'), '')
    const [, written = folder] = /^[ \t]*(?:src[ \t]*=|set :source,)[ \t]*["']([^"'\n]+)/m.exec(text) ?? []
    return sign.test(text) && isBelow(written) && hasDocuments(join(root, written)) ? [written] : []
  })[0]
}

/**
 * Prefers the folder of a configuration, then the project if it is a book, then a folder with a usual name, then the only
 * one with documents, then the project, then README.md pages.
 */
function findContent(root: string): string | undefined {
  const names = entriesOf(root).filter((entry) => !isLeftOut(entry.name))
  const folders = names.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const named = USUAL_FOLDERS.find((name) => folders.includes(name) && hasDocuments(join(root, name)))
  const book = isBookFolder(root) ? '.' : undefined
  const usual = findConfigured(root) ?? book ?? (named && (findLarger(root, folders, named) ?? named))
  const collection = findCollection(root, usual)
  if (collection !== undefined) return collection
  const found = usual ?? findUnusual(root, folders) ?? findFolderOfPages(root, folders)
  const site = found === undefined || found === '.' ? undefined : join(root, found)
  const inner = site && (findConfigured(site) ?? findCollection(site, '.'))
  const content = found && posix.join(found, inner ?? '.')
  return content === undefined || isWrittenForUs(join(root, content)) ? undefined : content
}

const FEW = 10

/** Returns the folder of ten times as many articles with titles: one with a usual name may only be a guide for authors. */
function findLarger(root: string, folders: readonly string[], named: string): string | undefined {
  const pagesOf = (name: string) => documentsIn(join(root, name), SEVERAL, isDocument)
  const others = folders
    .filter((name) => name !== named && (name === 'src' || !FOLDERS_OF_CODE.has(name)))
    .filter((name) => !/^(?:blog|news|posts)$/i.test(name))
    .map((name) => ({ name, pages: pagesOf(name) }))
  const atRoot = entriesOf(root).filter((entry) => entry.isFile() && isDocument(entry.name))
  const files = [...atRoot.map(({ name }) => join(root, name)), ...others.flatMap(({ pages }) => pages)]
  const least = documentsIn(join(root, named), SEVERAL).length * FEW
  const isTitled = (file: string) => /^\uFEFF?---\r?\n(?:.*\r?\n)*?title:/.test(readStart(file))
  if (files.length < least || files.filter(isTitled).length < least) return undefined
  const most = others.find(({ pages }) => pages.length * 2 > files.length)
  return atRoot.length === 0 && most ? most.name : '.'
}

const FOLDERS_OF_JEKYLL = new Set(['_data', '_drafts', '_includes', '_layouts', '_plugins', '_sass', '_site'])

/**
 * Returns the largest collection of a site of Jekyll or Hexo, if it is larger than another folder. Folders with such names
 * contain no articles otherwise. Posts are news, and count only alone.
 */
function findCollection(root: string, other: string | undefined): string | undefined {
  const config = tryTo(() => readFileSync(join(root, '_config.yml'), 'utf8'), undefined)
  if (config === undefined) return undefined
  const sizeOf = (folder: string) => documentsIn(join(root, folder), Infinity).length
  const [, folder = 'source'] = /^collections_dir:[ \t]*["']?([\w./-]+)/m.exec(config) ?? []
  const [largest] = ['.', folder]
    .filter(isBelow)
    .flatMap((home) =>
      entriesOf(join(root, home))
        .filter(({ name }) => name.startsWith('_') && !FOLDERS_OF_JEKYLL.has(name))
        .map(({ name }) => posix.join(home, name)),
    )
    .map((name) => ({ name, size: sizeOf(name), isNews: basename(name) === '_posts' }))
    .filter(({ size, isNews }) => (other === undefined ? size > 0 : !isNews && size > sizeOf(other)))
    .toSorted((one, two) => Number(one.isNews) - Number(two.isNews) || two.size - one.size)
  return largest?.name
}

function findUnusual(root: string, folders: readonly string[]): string | undefined {
  const isAtRoot = entriesOf(root).some((entry) => entry.isFile() && isDocument(entry.name))
  const [only, ...others] = folders.filter((name) => hasDocuments(join(root, name), root))
  if (isAtRoot || others.length > 0) return '.'
  return only
}

/** Returns the folder with at least two README.md not about code. FOLDERS_OF_PAGES have already been searched. */
function findFolderOfPages(root: string, folders: readonly string[]): string | undefined {
  const candidates = folders.filter(
    (name) => !FOLDERS_OF_CODE.has(name) && !FOLDERS_OF_PAGES.has(name.toLowerCase()),
  )
  const found = candidates
    .map((name) => ({ name, pages: pagesIn(join(root, name), root, FEWEST_PAGES).length }))
    .filter(({ pages }) => pages > 0)
  const [only, ...others] = found
  if (only === undefined || found.reduce((sum, { pages }) => sum + pages, 0) < FEWEST_PAGES) return undefined
  return others.length === 0 ? only.name : '.'
}

const FEWEST_PAGES = 2

/** Returns the README.md files below a folder, except those of packages. `root` itself is not treated as a package. */
function pagesIn(folder: string, root: string, limit: number): string[] {
  return documentsIn(folder, limit, (name, at) => isReadme(name) && !isInPackage(at, root))
}

/** Returns true if a folder chosen by the user has README.md pages, even without other documents. */
export function hasPages(folder: string): boolean {
  return pagesIn(folder, folder, 1).length > 0 && !isWrittenForUs(folder)
}

function isLeftOut(name: string): boolean {
  return /^(?:[._]|(?:node_modules|vendor)$)/.test(name)
}

function isDocument(name: string): boolean {
  return /\.mdx?$/.test(name) && !isLeftOut(name) && !ABOUT_REPOSITORY.test(name)
}

/** @param parent its folder, if README.md files there are pages, too */
function hasDocuments(folder: string, parent = folder): boolean {
  return documentsIn(folder, 1, documentOf(isFolderOfPages(parent) ? parent : folder)).length > 0
}

function isFolderOfPages(folder: string): boolean {
  return FOLDERS_OF_PAGES.has(basename(folder).toLowerCase())
}

/** Returns a test for documents in a content folder, including README.md pages of its subfolders. */
function documentOf(content: string): IsWanted {
  if (!isFolderOfPages(content)) return isDocument
  const isPage = (name: string, folder: string) =>
    isReadme(name) && folder !== content && !isInPackage(folder, content)
  return (name, folder) => isDocument(name) || isPage(name, folder)
}

function isReadme(name: string): boolean {
  return /^readme\.mdx?$/i.test(name)
}

/** Returns true if a folder, or one between it and `root`, is a package. */
function isInPackage(folder: string, root: string): boolean {
  if (folder === root) return false
  const isPackage = PACKAGES.has(basename(folder)) || MANIFESTS.some((name) => existsSync(join(folder, name)))
  return isPackage || isInPackage(dirname(folder), root)
}

/** True if a file with this name in this folder is included. */
type IsWanted = (name: string, folder: string) => boolean

/** Returns the paths of at most `limit` documents (or other matching files) below a folder, topmost first. */
function documentsIn(folder: string, limit: number, isWanted: IsWanted = documentOf(folder)): string[] {
  const found: string[] = []
  const pending = [folder]
  for (let at = pending.shift(); at !== undefined && found.length < limit; at = pending.shift()) {
    for (const entry of entriesOf(at)) {
      if (entry.isDirectory()) {
        if (!isLeftOut(entry.name)) pending.push(join(at, entry.name))
      } else if (isWanted(entry.name, at)) found.push(join(at, entry.name))
    }
  }
  return found.slice(0, limit)
}

const SIGNED_SAMPLE = 200
const FEWEST_SIGNED = 3

/** Returns true if a folder contains documents of a tool, judged by first lines and files that describe folders. */
export function areDocumentsOf({ documentSign, folders: { file } }: Dialect, content: string): boolean {
  if (documentSign === undefined) return false
  const describesFolder = (name: string) => file?.test(name) === true
  const files = documentsIn(content, SIGNED_SAMPLE, (name) => isDocument(name) || describesFolder(name))
  const signed = files.filter((path) => describesFolder(basename(path)) || documentSign.test(readStart(path)))
  return signed.length >= FEWEST_SIGNED
}

const SAMPLE = 40

/** Returns true if the folder has taxonomy files, or most articles name their categories, as in a kb-sync project. */
function isWrittenForUs(content: string): boolean {
  if (existsSync(join(content, '_categories.yml'))) return true
  const documents = documentsIn(content, SAMPLE)
  const own = documents.filter((file) => {
    const [, frontmatter = ''] = /^\uFEFF?---\r?\n([^]*?)\n---/.exec(readStart(file)) ?? []
    return /^title:/m.test(frontmatter) && /^categories:/m.test(frontmatter)
  })
  return own.length * 2 > documents.length
}

function readStart(file: string): string {
  return tryTo(() => readFileSync(file, 'utf8').slice(0, 4000), '')
}

/** Matches codes of languages that are also endings of files with code. */
const OF_CODE = /^(?:cs|go|js|md|py|rb|rs|sh|ts|vb)$/

const FOLDER_INDEX = /^[/\\](?:index|readme)\.mdx?$/i

/** Finds folders named after languages. One must translate a document of another: `cs` and `go` may mean anything. */
function languagesOf(content: string) {
  const all = entriesOf(content).filter((entry) => entry.isDirectory() && !isLeftOut(entry.name))
  const folders = all.map(({ name }) => name).filter((name) => LANGUAGE_FOLDER.test(name))
  const documentsOf = (name: string) =>
    documentsIn(join(content, name), SAMPLE, documentOf(content)).map((file) =>
      file.slice(join(content, name).length),
    )
  const sets = folders.map(documentsOf)
  const isShared = (path: string) => sets.filter((paths) => paths.includes(path)).length > 1
  // The originals may be beside the folders, and any folder may have an index like theirs.
  const translatesRoot = (paths: readonly string[] = []) => {
    const originals = paths.filter((path) => existsSync(join(content, path)))
    return originals.length > 1 && originals.length * 2 > paths.length
  }
  const ofRoot = folders.includes('en') ? [] : folders.filter((_, index) => translatesRoot(sets[index]))
  const proves = (path: string) => isShared(path) && (ofRoot.length === 0 || !FOLDER_INDEX.test(path))
  const inNames = languagesInNames(content)
  const proved = folders.filter((name, index) => ofRoot.includes(name) || sets[index]?.some(proves))
  // Beside them, translations may have translated names.
  const areLanguages = proved.length > 1 && folders.length === all.length
  const inFolders = folders.filter((name) => proved.includes(name) || (areLanguages && !OF_CODE.test(name)))
  const languages = [...new Set([...inFolders, ...inNames])]
  const isEnglish = languages.includes('en') || ofRoot.length > 0 || inNames.length > 0
  return { language: isEnglish ? 'en' : languages[0], languages }
}

const LANGUAGE_NAME = /\.(?!(?:cs|go|js|md|py|rb|rs|sh|ts|vb)\.)([a-z]{2}(?:-[A-Za-z]{2,4})?)(?=\.mdx?$)/
const SEVERAL = 1000

/** Finds the languages of files such as `page.fr.md` beside `page.md`; of code, a file may have another name. */
function languagesInNames(content: string): string[] {
  const files = documentsIn(content, SEVERAL)
  const nameOf = (file: string) => file.replace(LANGUAGE_NAME, '').replace(/\.mdx?$/, '')
  const bases = groupBy(files, nameOf)
  const translated = files.filter(
    (file) => LANGUAGE_NAME.test(file) && (bases.get(nameOf(file)) ?? []).length > 1,
  )
  const counts = groupBy(translated, (file) => LANGUAGE_NAME.exec(file)?.[1] ?? '')
  return [...counts].filter(([, found]) => found.length > 1).map(([language]) => language)
}

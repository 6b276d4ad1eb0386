import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { parseAllDocuments } from 'yaml'
import { isFolder, pathKind, relativePath } from '../paths.ts'
import type { ProjectFolders, SiteFile, SiteFiles, SiteReader } from './dialect.ts'
import { foldersAbove, foldersIn, isBelow, basePathOf, sourcesOf } from './site-folders.ts'
import { tryTo } from '../try-to.ts'

type ConfigValues = ReadonlyMap<string, unknown>

export const hugoSite: SiteReader = {
  readSite: (folders) => {
    const { contentRoot } = folders
    const above = foldersAbove(folders)
    let config: HugoConfig | undefined
    const home = above.find((folder) => (config = readConfig(folder)) !== undefined) ?? dirname(contentRoot)
    const values: ConfigValues = config?.values ?? new Map()
    const assets = textIn(values, 'assetdir') ?? 'assets'
    // Files among the documents have URLs, too, and render hooks look for images in the assets folder.
    const [content, ...others] = sourcesOf(
      [contentRoot, ...(textsIn(values, 'staticdir') ?? ['static']), assets],
      home,
      contentRoot,
    )
    return {
      site: {
        rootFolders: [
          ...others.slice(0, -1),
          ...(content === undefined ? [] : [content]),
          ...others.slice(-1),
        ],
        isComplete: config !== undefined && !hasForeignFolders(home, values),
        basePath: basePathOf(textIn(values, 'baseurl')),
        exclude: [
          ...(textsIn(values, 'ignorefiles') ?? []).map((pattern) => `regexp:${pattern}`),
          ...foldersOfNoLanguage(values, home, contentRoot),
        ],
        docsPath: '',
        versions: [],
        linkHook: findLinkHook(home),
      },
      configFiles: config === undefined ? [] : [join(home, config.file)],
    }
  },
  readFiles: (folders) => {
    const { contentRoot } = folders
    const config = readConfiguration(folders)
    const sources = findSections(contentRoot)
    return {
      ...config,
      sections: sources.flatMap((source) => readIfThere(contentRoot, source)).flatMap(cascadeOf),
      paths: [...config.paths, ...sources.map((source) => join(contentRoot, source))],
    }
  },
  recognise: (root) => {
    const config = readConfig(root)?.values
    if (config === undefined) return undefined
    const languages = languagesIn(config)
    const content = folderOfLanguages(languages) ?? folderOf(textIn(config, 'contentdir') ?? 'content')
    if (!isBelow(content) || !isFolder(join(root, content))) return undefined
    return {
      content,
      name: textIn(config, 'title'),
      language: textIn(config, 'defaultcontentlanguage'),
      languages: languages.map(([code]) => code),
    }
  },
  findConfig: (root) => readConfig(root)?.file,
}

/** Returns true if themes, modules or languages may have their own folders. */
function hasForeignFolders(home: string, values: ConfigValues): boolean {
  const files = ['go.mod', ...Object.keys(PARSERS).map((ending) => `config/_default/module.${ending}`)]
  return (
    values.has('theme') ||
    values.has('module') ||
    /^staticdir\d/m.test([...values.keys()].join('\n')) ||
    /"staticdir\d*"/i.test(JSON.stringify(values.get('languages') ?? '')) ||
    foldersIn(join(home, 'themes')).length > 0 ||
    files.some((file) => existsSync(join(home, file)))
  )
}

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  toml: (text) => getStaticTOMLValue(parseTOML(text)),
  yaml: readYaml,
  yml: readYaml,
  json: (text) => JSON.parse(text) as unknown,
}

/** Reads the first document: the file may end like frontmatter. */
function readYaml(text: string): unknown {
  const [first] = parseAllDocuments(text)
  return first?.errors.length === 0 ? (first.toJS() as unknown) : undefined
}

interface HugoConfig {
  /** Relative to the folder. */
  readonly file: string
  /** Keys in lower case, because Hugo ignores case. */
  readonly values: ConfigValues
}

/** Reads the configuration of a site folder; undefined if it is not a site. */
function readConfig(root: string): HugoConfig | undefined {
  for (const name of ['hugo', 'config', 'config/_default/hugo', 'config/_default/config']) {
    for (const [extension, parse] of Object.entries(PARSERS)) {
      const file = `${name}.${extension}`
      if (!existsSync(join(root, file))) continue
      const text = readFileSync(join(root, file), 'utf8')
      // Hugo itself reports an invalid file.
      const values: ConfigValues = tryTo(() => lowerKeys(parse(text)), new Map())
      // Other tools also have a file with this name.
      if (!name.endsWith('hugo') && !values.has('baseurl')) continue
      const languages = { ...Object(values.get('languages')), ...readLanguages(root) } as object
      return { file, values: new Map([...values, ['languages', languages]]) }
    }
  }
  return undefined
}

/** Reads the files for all languages and for each language, such as `languages.fr.toml`. */
function readLanguages(root: string): Readonly<Record<string, unknown>> {
  const folder = join(root, 'config/_default')
  const files = listIfThere(folder).flatMap((name) => {
    const [, code, ending = ''] = /^languages(?:\.([\w-]+))?\.(toml|ya?ml|json)$/.exec(name) ?? []
    const parse = PARSERS[ending]
    if (parse === undefined) return []
    const values = tryTo(() => parse(readFileSync(join(folder, name), 'utf8')), {})
    return [Object(code === undefined ? values : { [code]: values }) as Record<string, unknown>]
  })
  return Object.assign({}, ...files) as Record<string, unknown>
}

function languagesIn(config: ConfigValues): [code: string, settings: unknown][] {
  return Object.entries(Object(config.get('languages')) as Record<string, unknown>)
}

/** Returns patterns of the folders beside those of the languages, which Hugo does not read. */
function foldersOfNoLanguage(config: ConfigValues, home: string, contentRoot: string): string[] {
  const languages = languagesIn(config)
  const parent = folderOfLanguages(languages)
  // A mount may add any folder.
  const hasMounts = /"mounts"/i.test(JSON.stringify(config.get('module') ?? ''))
  if (parent === undefined || hasMounts || join(home, parent) !== contentRoot) return []
  return foldersIn(contentRoot)
    .map((folder) => basename(folder))
    .filter((name) => languages.every(([code]) => code !== name))
    .map((name) => `${name}/**`)
}

function lowerKeys(value: unknown): ConfigValues {
  const entries = Object.entries(Object(value) as Record<string, unknown>)
  return new Map(entries.map(([key, each]) => [key.toLowerCase(), each]))
}

/** Returns a text or a list of texts as a list, or undefined for other values. */
function textsIn(config: ConfigValues, key: string): string[] | undefined {
  const texts = [config.get(key)].flat().filter((each) => typeof each === 'string' && each !== '')
  return texts.length === 0 ? undefined : (texts as string[])
}

function textIn(config: ConfigValues, key: string): string | undefined {
  const value = config.get(key)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function folderOf(path: string): string {
  return posix.normalize(path).replace(/\/$/, '')
}

/** Returns the folder that contains one folder per language, named after it, or undefined for other layouts. */
function folderOfLanguages(languages: readonly (readonly [string, unknown])[]): string | undefined {
  const parents = languages.map(([code, settings]) => {
    const path = textIn(lowerKeys(settings), 'contentdir')
    const folder = path === undefined ? '' : folderOf(path)
    return posix.basename(folder) === code ? posix.dirname(folder) : undefined
  })
  return new Set(parents).size === 1 ? parents[0] : undefined
}

/** Matches templates that determine the target of a link, not only its appearance. */
const DECIDES = /GetPage|RelRef|\.Ref\b|Resources|resources\.|partial|replace|(?:abs|rel)(?:Lang)?URL/i

/** Finds the render hook for links, in the site or one of its themes. The path is relative to the site. */
function findLinkHook(home: string): string | undefined {
  const homes = ['.', ...foldersIn(join(home, 'themes')).map((theme) => relative(home, theme))]
  const files = homes
    .flatMap((folder) => [`${folder}/layouts/_markup`, `${folder}/layouts/_default/_markup`])
    .map((folder) => join(folder, 'render-link.html'))
  const read = (file: string) => tryTo(() => readFileSync(join(home, file), 'utf8'), '')
  return files.find((file) => DECIDES.test(read(file).replaceAll('safeURL', '')))
}

const ROOT_FILE = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/
const FOLDER_FILE = /\.(?:toml|ya?ml|json)$/
/** Configuration folders of a published site; later ones take precedence. */
const FOLDERS = ['config/_default', 'config/production']

const SECTION_FILE = /^_index(?:\.[\w-]+)?\.(?:md|markdown|mdown)$/i
const FRONTMATTER = /^(?:---(?!-)[^]*?\n---|\+\+\+[^]*?\n\+\+\+|\{[^]*)/

/** Reads the configuration from the nearest folder above the content, up to the project folder. */
function readConfiguration({ root, contentRoot }: ProjectFolders): Omit<SiteFiles, 'sections'> {
  for (let folder = contentRoot; ; folder = dirname(folder)) {
    const names = filesIn(folder)
    const files = names.flatMap((name) => readIfThere(folder, name))
    if (files.length > 0) return { files, paths: files.map(({ name }) => join(folder, name)) }
    const hasAbove = !relative(root, folder).startsWith('..') && folder !== root
    if (!hasAbove || folder === dirname(folder)) return { files: [], paths: [] }
  }
}

function filesIn(folder: string): string[] {
  const [own] = listIfThere(folder)
    .filter((name) => ROOT_FILE.test(name))
    // If both exist, Hugo uses the file with its own name.
    .toSorted((a, b) => (a < b ? 1 : -1))
  const below = FOLDERS.flatMap((name) =>
    listIfThere(join(folder, name))
      .filter((each) => FOLDER_FILE.test(each))
      .toSorted()
      .map((each) => `${name}/${each}`),
  )
  return [...(own === undefined ? [] : [own]), ...below]
}

function findSections(contentRoot: string): string[] {
  if (!isFolder(contentRoot)) return []
  return readdirSync(contentRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SECTION_FILE.test(entry.name))
    .map((entry) => relativePath(contentRoot, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Returns the frontmatter without the text, which does not affect other files. */
function cascadeOf({ name, text }: SiteFile): SiteFile[] {
  const [frontmatter = ''] = FRONTMATTER.exec(text) ?? []
  return /cascade/i.test(frontmatter) ? [{ name, text: `${frontmatter}\n` }] : []
}

function listIfThere(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder) : []
}

function readIfThere(folder: string, name: string): SiteFile[] {
  const path = join(folder, name)
  if (pathKind(path) !== 'file') return []
  return [{ name, text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }]
}

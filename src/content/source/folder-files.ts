import { posix } from 'node:path'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'

/** Returns true for a file in which the tool describes a folder or the tags. */
export function isFolderFile(source: string, preset: PresetName | undefined): boolean {
  if (preset === undefined) return false
  const { file, tagsFile } = dialectOf(preset).folders
  return file?.test(source) === true || tagsFile?.test(source) === true
}

/** Returns true if a file that describes a folder also has a text, which the tool shows on the page of the folder. */
export function isSectionPage(source: string, preset: PresetName | undefined): boolean {
  return preset !== undefined && dialectOf(preset).folders.hasText === true && isFolderFile(source, preset)
}

/** Removes files that belong to the page of another: some tools treat all files beside an `index.md` as its parts. */
export function withoutBundled<File extends { readonly source: string }>(
  files: readonly File[],
  preset: PresetName,
): File[] {
  if (!dialectOf(preset).paths.hasBundles) return [...files]
  const bundles = new Set(files.flatMap(({ source }) => bundleOf(source) ?? []))
  return files.filter(({ source }) => {
    const folders = source.split('/').slice(0, -1)
    return (
      bundleOf(source) !== undefined ||
      !folders.some((_, index) => bundles.has(folders.slice(0, index + 1).join('/')))
    )
  })
}

/** Removes each README.md beside an index of its folder: it describes the files, and the index is the page. */
export function withoutReadmes<File extends { readonly source: string }>(
  files: readonly File[],
  preset: PresetName,
): readonly File[] {
  const { isIndex } = dialectOf(preset).paths
  if (!isIndex('README', undefined) || !isIndex('index', undefined)) return files
  const folders = new Set(files.flatMap(({ source }) => /^((?:.*\/)?)index\.mdx?$/.exec(source)?.[1] ?? []))
  return files.filter(({ source }) => {
    const [, folder] = /^((?:.*\/)?)README\.mdx?$/.exec(source) ?? []
    return folder === undefined || !folders.has(folder)
  })
}

/** Returns the folder of an article's siblings: for a page that is a folder, its parent. */
export function folderBeside(source: string, preset: PresetName | undefined): string {
  const hasBundles = preset !== undefined && dialectOf(preset).paths.hasBundles
  const folder = posix.dirname((hasBundles ? bundleOf(source) : undefined) ?? source)
  return folder === '.' ? '' : folder
}

/** Returns the folder that is a page. */
function bundleOf(source: string): string | undefined {
  const [, folder] = /^(.+)\/index(?:\.[^./]+)?\.md$/.exec(source) ?? []
  return folder
}

/** Returns the placeholder for the HTML of a section's text until links are resolved. */
export function sectionPlaceholder(source: string): string {
  return `section ${source}`
}

/** Returns candidates for the article that a source refers to: a folder refers to its index.md or README.md. */
export function articleCandidates(wanted: string): string[] {
  const source = wanted.normalize('NFC')
  const folder = source === '.' || source === './' ? '' : source.replace(/\/?$/, '/')
  return [source, ...FOLDER_PAGES.map((page) => `${folder}${page}`)]
}

const FOLDER_PAGES = ['index.md', 'README.md', 'readme.md']

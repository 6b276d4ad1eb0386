import { posix } from 'node:path'
import type { PresetName } from '../../core/model/preset-name.ts'

/** Files in which a tool describes a folder, or the tags. */
const FOLDER_FILES: Readonly<Record<PresetName, RegExp | undefined>> = {
  docusaurus: /(?:^|\/)_category_\.(?:json|ya?ml)$|^tags\.ya?ml$/,
  vitepress: undefined,
  hugo: /(?:^|\/)_index(?:\.[^./]+)?\.md$/,
}

/** Whether the tool reads something of a folder, or of the tags, in this file. */
export function isFolderFile(source: string, preset: PresetName | undefined): boolean {
  return preset !== undefined && FOLDER_FILES[preset]?.test(source) === true
}

/** Whether a file that describes a folder has a text as well, which the tool shows on the page of the folder. */
export function isSectionPage(source: string, preset: PresetName | undefined): boolean {
  return preset === 'hugo' && isFolderFile(source, preset)
}

/** Whether a file describes tags rather than a folder. */
export function isTagsFile(source: string): boolean {
  return /^tags\.ya?ml$/.test(source)
}

/**
 * Files without those that belong to the page of another: beside an `index.md`, Hugo takes a file for a part of that
 * page.
 */
export function withoutBundled<File extends { readonly source: string }>(
  files: readonly File[],
  preset: PresetName,
): File[] {
  if (preset !== 'hugo') return [...files]
  const bundles = new Set(files.flatMap(({ source }) => bundleOf(source) ?? []))
  return files.filter(({ source }) => {
    const folders = source.split('/').slice(0, -1)
    return (
      bundleOf(source) !== undefined ||
      !folders.some((_, index) => bundles.has(folders.slice(0, index + 1).join('/')))
    )
  })
}

/** The folder in which other articles lie beside this one: that of a page of Hugo that is a folder is the one above. */
export function folderBeside(source: string, preset: PresetName | undefined): string {
  const folder = posix.dirname((preset === 'hugo' ? bundleOf(source) : undefined) ?? source)
  return folder === '.' ? '' : folder
}

/** The folder that is one page. */
function bundleOf(source: string): string | undefined {
  const [, folder] = /^(.+)\/index(?:\.[^./]+)?\.md$/.exec(source) ?? []
  return folder
}

// Recognises folders that are the site of another tool.
import { basename, join, posix } from 'node:path'
import type { SiteContent } from '../../core/dialects/dialect.ts'
import { dialectOf, PRESET_NAMES, type PresetName } from '../../core/dialects/dialects.ts'
import { areDocumentsOf, hasPages } from '../../core/dialects/folder-site.ts'
import { foldersIn, isBelow } from '../../core/dialects/site-folders.ts'
import { isFolder } from '../../core/paths.ts'
import type { InitAnswers } from './init-answers.ts'
import { parseLanguage } from './parse-answers.ts'

export interface RecognisedSite extends SiteContent {
  readonly preset: PresetName
}

/** Recognises the site in a folder by the configuration of its tool; undefined if no preset supports it. */
export async function recogniseSite(root: string): Promise<RecognisedSite | undefined> {
  if (!isFolder(root)) return undefined
  const tools = PRESET_NAMES.filter((preset) => dialectOf(preset).isGeneric !== true)
  const own = await recogniseAs(tools, root)
  if (own !== undefined) return own
  if ((await findBareSite(root)) !== undefined) return undefined
  const generic = PRESET_NAMES.filter((preset) => dialectOf(preset).isGeneric === true)
  const below = await recogniseBelow(tools, root)
  if (below !== undefined) return below
  const folder = await recogniseAs(generic, root)
  return folder && recogniseDocuments(tools, root, folder)
}

/** Recognises documents that were copied without their site. */
function recogniseDocuments(tools: readonly PresetName[], root: string, folder: RecognisedSite) {
  const { content } = folder
  const preset = tools.find((name) => areDocumentsOf(dialectOf(name), join(root, content)))
  return preset === undefined ? folder : { preset, content, language: undefined, languages: [] }
}

/** Finds the only site in a folder of a repository, such as `website`. Its documents may be beside it. */
async function recogniseBelow(presets: readonly PresetName[], root: string) {
  const folders = foldersIn(root).map((folder) => basename(folder))
  const sites = await Promise.all(
    folders.map(async (folder) => {
      const site = await recogniseAs(presets, join(root, folder))
      return site && { ...site, content: posix.join(folder, site.content) }
    }),
  )
  const [only, ...others] = sites.filter((site) => site !== undefined && isBelow(site.content))
  return others.length === 0 ? only : undefined
}

async function recogniseAs(presets: readonly PresetName[], root: string) {
  for (const preset of presets) {
    const { defaults, loadSite } = dialectOf(preset)
    const site = (await loadSite()).recognise(root, defaults.content)
    if (site === undefined) continue
    const [language] = languagesOf([site.language ?? ''])
    return { ...site, preset, language, languages: languagesOf(site.languages) }
  }
  return undefined
}

function languagesOf(codes: readonly string[]): string[] {
  return codes.map(parseLanguage).flatMap((parsed) => (parsed.kind === 'value' ? [parsed.value] : []))
}

/** A site without documents in its tool's usual folder. */
export interface BareSite {
  readonly preset: PresetName
  /** Path of its configuration, relative to the project. */
  readonly file: string
  /** The usual folder of its documents. */
  readonly content: string
}

/** Finds a site that `recogniseSite` does not recognise although the configuration of a tool exists. */
export async function findBareSite(root: string): Promise<BareSite | undefined> {
  for (const preset of PRESET_NAMES) {
    const { defaults, loadSite } = dialectOf(preset)
    const file = (await loadSite()).findConfig?.(root)
    if (file !== undefined) return { preset, file, content: defaults.content }
  }
  return undefined
}

/** Returns the site that the options refer to: the one in the project folder, else the one in the content folder. */
export async function findSite(root: string, given: GivenSite): Promise<RecognisedSite | undefined> {
  const site = await recogniseSite(root)
  const { content } = given
  if (content === undefined || (site !== undefined && isAboutSite(given, site))) return site
  const inside = (await recogniseSite(join(root, content))) ?? (await findPages(join(root, content)))
  if (inside === undefined) return site
  const isGeneric = dialectOf(inside.preset).isGeneric === true
  return { ...inside, content: isGeneric ? content : posix.join(content, inside.content) }
}

/** Recognises a folder that contains only README.md files, which may be about the repository if it is its root. */
async function findPages(folder: string): Promise<RecognisedSite | undefined> {
  if (!hasPages(folder) || (await findBareSite(folder)) !== undefined) return undefined
  return { preset: 'folder', content: '.', language: undefined, languages: [] }
}

/** The options for the site: none, its tool, or to ignore it. */
interface GivenSite {
  readonly content?: string | undefined
  readonly language?: string | undefined
  readonly preset?: PresetName | 'none' | undefined
}

/** Returns true if the articles are those of the site, according to the options. */
export function isAboutSite({ content, preset }: GivenSite, site: RecognisedSite): boolean {
  if (preset !== undefined && preset !== site.preset) return false
  return (
    content === undefined ||
    site.content === '.' ||
    content === site.content ||
    content.startsWith(`${site.content}/`) ||
    site.content.startsWith(`${content}/`)
  )
}

/** Takes the answers from a site. Options take precedence. */
export function takeSite(
  given: GivenSite,
  site: RecognisedSite | undefined,
): Partial<InitAnswers> & Pick<InitAnswers, 'preset' | 'languages'> {
  const taken = site !== undefined && isAboutSite(given, site) ? site : undefined
  const preset = taken?.preset ?? (given.preset === 'none' ? undefined : given.preset)
  const usual = preset === undefined ? undefined : dialectOf(preset).defaults.content
  // A site within the given folder is a part of it, unless its tool is also given.
  const isWithin = given.preset === undefined && taken?.content.startsWith(`${given.content}/`) === true
  const content = (isWithin ? undefined : given.content) ?? taken?.content ?? usual
  const language = given.language ?? taken?.language
  const languages = taken?.languages.filter((each) => each !== language) ?? []
  return {
    preset,
    languages,
    ...(taken?.name !== undefined && /^.{1,100}$/.test(taken.name) && { name: taken.name }),
    ...(content !== undefined && { content }),
    ...(language !== undefined && { language }),
  }
}

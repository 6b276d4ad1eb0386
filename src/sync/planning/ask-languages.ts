import type { TargetCapabilities } from '../plan/target-capabilities.ts'
import { asksForLanguages, type SplitLanguages, splitLanguages } from '../plan/split-languages.ts'
import { awaitListed } from '../remote/await-listed.ts'
import { createExtensions, type Extensions } from '../remote/extensions.ts'
import { readRemoteLists, type RemoteLists } from '../remote/list-articles.ts'
import type { PlanInput } from './planned-run.ts'

export interface Languages {
  readonly lists: RemoteLists
  readonly extensions: Extensions
  /** Undefined where nothing made it necessary to ask yet. */
  readonly offers: TargetCapabilities | undefined
  /** What the target takes; with `late`, as it turned out after all. */
  readonly split: (late: TargetCapabilities | undefined) => SplitLanguages
}

/** Asks for the lists, and for the extensions where a document in another language is not on the target yet. */
export async function askLanguages(input: PlanInput): Promise<Languages> {
  const { session, state, articles, options } = input
  const extensions = createExtensions(session.client, state, options)
  const knownKeys = new Set(state.articles.map(({ key }) => key))
  const [first, offers] = await Promise.all([
    readRemoteLists(session.client, options.defaultLanguage),
    asksForLanguages(articles, knownKeys, options.isSelected) ? extensions.ask() : undefined,
  ])
  const lists = { ...first, dated: await listSent(first, { session, state, options }) }
  return toLanguages(input, { lists, extensions, offers })
}

/** What is known of a target's languages, however it came to be known. */
export function toLanguages(
  { state, articles }: Pick<PlanInput, 'state' | 'articles'>,
  { lists, extensions, offers }: Omit<Languages, 'split'>,
): Languages {
  const enabled = lists.languages
  const knownKeys = new Set(state.articles.map(({ key }) => key))
  const split = (late: TargetCapabilities | undefined) =>
    splitLanguages(articles, { offers: offers ?? late, enabled, knownKeys })
  return { lists, extensions, offers, split }
}

async function listSent(
  { dated }: RemoteLists,
  {
    session,
    state,
    options: { defaultLanguage, patience },
  }: Pick<PlanInput, 'session' | 'state' | 'options'>,
): Promise<RemoteLists['dated']> {
  return patience === undefined
    ? dated
    : awaitListed(session.client, dated, state, { defaultLanguage, patience })
}

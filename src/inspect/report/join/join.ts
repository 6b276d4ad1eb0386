import { toLanguage } from '../../../sync/remote/to-remote.ts'
import type { Identified } from '../identify/match-files.ts'
import type { Owner, ReportedArticle } from '../../../web/report/report.ts'
import { cutTitle } from './cut-listed.ts'
import type { KnownFile } from './known-files.ts'

/** What a list tells of an article. */
export interface DatedArticle {
  readonly id: string
  readonly title: string | undefined
  readonly isDraft: boolean
  /** Language code. */
  readonly language: string
}

/** Joins what the target lists with the files. */
export interface Join {
  /** The file that owns an article; undefined where none does. */
  readonly fileOf: (id: string) => KnownFile | undefined
  /** Articles that kb-sync created and no file wants. */
  readonly orphanIds: ReadonlySet<string>
  /** Whether the report is about articles of this file, or of none. */
  readonly isOfInterest: (file: KnownFile | undefined) => boolean
  /** Code of the language that a list names. */
  readonly languageOf: (listed: string | undefined) => string
  /** An article as it is listed, with what its file tells. */
  readonly toArticle: (
    listed: DatedArticle,
    file: KnownFile | undefined,
    owners?: readonly Owner[],
  ) => ReportedArticle
}

export interface JoinParts {
  /** By source. */
  readonly files: ReadonlyMap<string, KnownFile>
  readonly identified: Pick<Identified, 'sourceOf' | 'orphans'>
  /** Sources by the ids of articles that are gone. */
  readonly former: ReadonlyMap<string, string>
  /** Undefined: the report is about everything on the target. */
  readonly isSelected: ((source: string) => boolean) | undefined
  readonly defaultLanguage: string
}

const NONE: readonly string[] = []

export function createJoin({ files, identified, former, isSelected, defaultLanguage }: JoinParts): Join {
  return {
    fileOf: (id) => {
      const source = identified.sourceOf.get(id) ?? former.get(id)
      return source === undefined ? undefined : files.get(source)
    },
    orphanIds: new Set(identified.orphans.map(({ id }) => id)),
    isOfInterest: (file) => isSelected === undefined || (file !== undefined && isSelected(file.source)),
    languageOf: (listed) => toLanguage(listed, defaultLanguage) ?? defaultLanguage,
    toArticle: ({ id, title = '', isDraft, language }, file, owners) => ({
      id,
      // People have to call it something.
      title: cutTitle(firstOf(title, file?.document?.title, `Article ${id}`)),
      isDraft,
      language,
      file: file?.file,
      url: file?.url,
      categories: file?.categories ?? NONE,
      ...(owners !== undefined && { owners }),
    }),
  }
}

function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? ''
}

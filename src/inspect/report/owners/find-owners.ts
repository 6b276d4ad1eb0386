import type { LenientAuthoredEntry } from '../../../api/contract/lenient.ts'
import { type FileHistory, UNKNOWN_HISTORIES } from '../../../core/git/read-file-history.ts'
import type { KnownFile } from '../join/join.ts'
import { readCodeowners } from './codeowners.ts'
import { unknownOwners, ownerOfUser, type OwnersOfFiles, toOwner } from './owner.ts'
import type { Owner, OwnerSource, OwnersShown } from '../../../web/report/report.ts'
import type { ReportTask } from '../report-task.ts'

interface FoundOwners {
  /** Undefined if owners are not shown. */
  readonly ownersOf:
    | ((entry: LenientAuthoredEntry, file: KnownFile | undefined) => readonly Owner[])
    | undefined
  /** Returns the reasons why owners are missing. Call it after all articles were processed. */
  readonly notes: () => readonly string[]
}

/** Notes about sources that were readable but name no one. */
const SILENT: Readonly<Record<OwnerSource, string>> = {
  target:
    'No owner is shown: the target does not send who created its articles. --owners-from takes owners from CODEOWNERS or git.',
  codeowners: 'No owner is shown: CODEOWNERS lists none for these files.',
  git: 'No owner is shown: git has no author for these files.',
}

/** Prepares the owners of articles, if requested. */
export async function findOwners({ owners, settings }: ReportTask, past: FileHistory): Promise<FoundOwners> {
  if (owners === undefined) return { ownersOf: undefined, notes: () => [] }
  const { shown, from } = owners
  const { ownersOf, notes } = await ownersBy(from, { shown, root: settings.root, past })
  let [asked, named] = [0, 0]
  return {
    ownersOf: (entry, file) => {
      const found = ownersOf(entry, file)
      // Only the target can know the owners of articles without a file.
      if (from === 'target' || file !== undefined) asked += 1
      named += found.length
      return found
    },
    notes: () => (notes.length === 0 && asked > 0 && named === 0 ? [SILENT[from]] : notes),
  }
}

interface Named {
  readonly ownersOf: NonNullable<FoundOwners['ownersOf']>
  readonly notes: readonly string[]
}

async function ownersBy(
  from: OwnerSource,
  { shown, root, past }: { readonly shown: OwnersShown; readonly root: string; readonly past: FileHistory },
): Promise<Named> {
  switch (from) {
    case 'target':
      return {
        ownersOf: ({ users_articles_created_byTousers: user }) => [ownerOfUser(user, shown) ?? []].flat(),
        notes: [],
      }
    case 'codeowners':
      return namedByFile(await readCodeowners(root, shown), ({ file }) => file)
    case 'git':
      return namedByFile(gitOwners(past, shown), ({ source }) => source)
  }
}

function namedByFile({ ownersOf, notes }: OwnersOfFiles, pathOf: (file: KnownFile) => string): Named {
  return { ownersOf: (_, file) => (file === undefined ? [] : ownersOf(pathOf(file))), notes }
}

/** Maximum number of people named for one file. */
const MOST_AUTHORS = 3

/** Returns up to three people for each file, by its source: those with the most commits to it, except bots. */
export function gitOwners(past: FileHistory, shown: OwnersShown): OwnersOfFiles {
  if (past.kind !== 'whole') return unknownOwners(`Authors are unknown: ${UNKNOWN_HISTORIES[past.kind]}.`)
  return {
    notes: [],
    ownersOf: (source) =>
      past
        .authorsOf(source)
        .filter(({ name }) => !name.endsWith('[bot]'))
        .flatMap((author) => toOwner(author, shown) ?? [])
        .slice(0, MOST_AUTHORS),
  }
}

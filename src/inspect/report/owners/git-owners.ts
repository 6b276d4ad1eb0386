import type { Author } from '../../../core/git/read-log.ts'
import type { Past } from '../../../core/git/read-past.ts'
import type { OwnersShown } from '../../../web/report/report.ts'
import { nobodyKnown, type OwnersOfFiles } from './owners-of-files.ts'
import { toOwner } from './to-owner.ts'

/** People that are named for one file. */
const MOST_AUTHORS = 3

/** Up to three people for each file, by its source: those with the most commits that changed it, programs left out. */
export function gitOwners(past: Past, shown: OwnersShown): OwnersOfFiles {
  switch (past.kind) {
    case 'none':
      return nobodyKnown('Authors are not known: git knows nothing of this folder.')
    case 'shallow':
      return nobodyKnown(
        'Authors are not known: this clone lacks the history (git fetch --unshallow gets it).',
      )
    case 'whole':
      return {
        notes: [],
        ownersOf: (source) =>
          past
            .authorsOf(source)
            .filter(isPerson)
            .flatMap((author) => toOwner(author, shown) ?? [])
            .slice(0, MOST_AUTHORS),
      }
  }
}

function isPerson({ name }: Author): boolean {
  return !name.endsWith('[bot]')
}

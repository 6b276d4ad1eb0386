import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { reasonWithoutPath } from '../../../../core/errors/kb-error.ts'
import { findRepository } from '../../../../core/git/find-repository.ts'
import type { OwnersShown } from '../../../../web/report/report.ts'
import { nobodyKnown, type OwnersOfFiles } from '../owners-of-files.ts'
import { toOwner } from '../to-owner.ts'
import { createOwnerMatcher } from './match-owners.ts'
import { hasSections, parseCodeowners } from './parse-codeowners.ts'

/** In the order in which GitHub looks, then GitLab's own place. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']

/**
 * The owners of files, by their path relative to the project, as the repository's CODEOWNERS names them; handles are
 * names.
 *
 * @param root of the project
 */
export async function readCodeowners(root: string, shown: OwnersShown): Promise<OwnersOfFiles> {
  const repository = findRepository(root) ?? root
  const place = PLACES.find((each) => existsSync(join(repository, each)))
  if (place === undefined)
    return nobodyKnown(`Owners are not known: there is no CODEOWNERS file (${PLACES.join(', ')}).`)
  try {
    const text = await readFile(join(repository, place), 'utf8')
    return ownersBy(text, place, relative(repository, root).split(sep).join('/'), shown)
  } catch (error) {
    return nobodyKnown(`Owners are not known: ${place} could not be read: ${reasonWithoutPath(error)}.`)
  }
}

function ownersBy(text: string, place: string, project: string, shown: OwnersShown): OwnersOfFiles {
  const dialect = place.startsWith('.gitlab/') || hasSections(text) ? 'gitlab' : 'github'
  const matching = createOwnerMatcher(parseCodeowners(text, dialect), dialect)
  return {
    ownersOf: (file) => {
      const path = posix.join(project, file)
      // The content may lie outside of the repository.
      const written = path.startsWith('../') ? [] : matching(path)
      return written.flatMap((name) => toOwner({ name }, shown) ?? [])
    },
    notes: [],
  }
}

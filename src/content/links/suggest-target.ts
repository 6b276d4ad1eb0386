// The problem of a link to a missing file: the hint names what is probably meant, the fix what is certainly meant.
import { posix } from 'node:path'
import type { LinkContext } from './link-context.ts'
import type { Slot } from '../markdown/rendered-body.ts'
import { type LinkOrigin, findTarget, type WrittenAddress } from './find-target.ts'
import type { TextChange } from '../../core/model/diagnostic.ts'
import { fixPath, fixAddress, withPath, decodeAddress } from '../source/link-address.ts'
import { onlyMeant, nearest } from '../../core/nearest.ts'
import { type Complaint, type ResolvedAddress, failed } from './resolved-link.ts'
import { fitsUse } from '../assets/asset-types.ts'

/** Returns the result for a link to a file that does not exist. @param wanted its path in the content folder */
export function missingFile(
  wanted: string,
  address: WrittenAddress,
  origin: LinkOrigin,
  context: LinkContext,
): ResolvedAddress {
  const code = 'link-file-missing'
  if (context.sources().holds(wanted)) {
    const message = `The folder "${address.url}" has no index.md or README.md.`
    return failed({ code, message, hint: 'Link to one of its articles, or add an index.md to the folder.' })
  }
  const name = decodeAddress(address.url.replace(/#.*$/s, ''))
  const isVault = context.site?.dialect.links.areFoundByName === 'first'
  const sourceForFix = once(() => findForFix(wanted, context))
  const findPathFix: Complaint['findFix'] = (slot) => createFindFix(sourceForFix(), origin, context)?.(slot)
  const findFix: Complaint['findFix'] = (slot) =>
    (isVault ? findNameFix(slot, name, origin, context) : undefined) ?? findPathFix(slot)
  if (isVault && !name.includes('/')) return failed({ code, ...missingNote(name, context), findFix })
  const isFile = context.publishes(wanted) && fitsUse(wanted, 'link')
  const hint = once(() => {
    const meant = findForHint(wanted, context)
    return meant === undefined
      ? hintForMissing(wanted, isFile)
      : `Did you mean ${posix.relative(posix.dirname(origin.source), meant)}?`
  })
  const noun = isFile || /\.(?!mdx?$)[a-z]\w*$/i.test(wanted) ? 'file' : 'article'
  const message = `There is no ${noun} "${wanted}".`
  return failed({ code, message, hint, findFix })
}

/** Computes a value only once, because a URL may occur in many places. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined
  return () => (found ??= { value: find() }).value
}

/** Looks for a similar name. A bare name does not say which folder it is in. */
function missingNote(name: string, { sources }: LinkContext): Pick<Complaint, 'message' | 'hint'> {
  const names = sources().all.map((source) => posix.basename(source, '.md'))
  const meant = nearest(name, names)
  return {
    message: `There is no note or file named "${name}".`,
    hint: meant === undefined ? 'Correct the name, or create the note.' : `Did you mean "${meant}"?`,
  }
}

function findForFix(wanted: string, { documents, sources }: LinkContext): string | undefined {
  const source = wanted.normalize('NFC')
  return documents.has(`${source}.md`) ? `${source}.md` : sources().onlyMeant(source)
}

/** Finds the change that makes a link lead to the file `meant`; undefined if the corrected URL would not lead there. */
export function createFindFix(
  meant: string | undefined,
  origin: LinkOrigin,
  context: LinkContext,
): Complaint['findFix'] {
  if (meant === undefined) return undefined
  return (slot) => {
    const fix = fixAddress(slot, (written) => withPath(written, meant, origin.source))
    if (fix === undefined) return undefined
    const target = findTarget({ kind: slot.kind, url: fix.text }, origin, context)
    const leadsThere = (target.kind === 'article' || target.kind === 'asset') && target.source === meant
    return leadsThere ? fix : undefined
  }
}

/** Returns the change of the name in `[[name#heading|words]]`. */
function findNameFix(
  slot: Slot,
  name: string,
  origin: LinkOrigin,
  context: LinkContext,
): TextChange | undefined {
  return fixPath(slot, name, () => {
    const notes = context.sources().all.map((source) => source.replace(/\.md$/, ''))
    const names = name.includes('/') ? notes : notes.map((note) => posix.basename(note))
    const meant = onlyMeant(name, names)
    if (meant === undefined || /[[\]|#^\\]/.test(meant)) return undefined
    const target = findTarget({ kind: slot.kind, url: encodeURI(meant) }, origin, context)
    return target.kind === 'article' ? meant : undefined
  })
}

function hintForMissing(wanted: string, isFile: boolean): string {
  if (isFile) return 'The path is relative to this file, uses /, and is case-sensitive.'
  return wanted.endsWith('.md')
    ? 'The path is relative to this file: correct it, or create that article.'
    : 'Link to an article by its path, relative to this file, and to anything else by its absolute URL.'
}

/** Returns the file that is probably meant by a path without `.md`, with a typo or in another case. */
function findForHint(wanted: string, { documents, sources, findExactly }: LinkContext): string | undefined {
  const withEnding = `${wanted}.md`.normalize('NFC')
  if (documents.has(withEnding)) return withEnding
  const found = findExactly(wanted)
  if (found.kind === 'other-case') return found.source
  return sources().nearest(wanted)
}

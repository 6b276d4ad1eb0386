import { posix } from 'node:path'
import { splitAddress } from '../../content/link-address.ts'
import { decodeAttribute, decodeMarkdown } from '../../content/link-places/decode-address.ts'
import type { LinkPlace } from '../../content/link-places/link-place.ts'
import { spellPath } from '../../content/link-places/spell-path.ts'
import type { FileTree } from './file-tree.ts'
import { type PlaceTarget, resolvePlace } from './resolve-place.ts'

/**
 * What is to be written in `place`, in the file `from`, to lead to `target`, in the author's habits: from the root or from
 * the file, with `./`, to a folder or to its page. Undefined where nothing can be written there that does.
 */
export function respellPlace(
  place: LinkPlace,
  from: string,
  target: PlaceTarget,
  tree: FileTree,
): string | undefined {
  for (const path of pathsTo(place, from, target)) {
    for (const how of ['habit', 'encoded'] as const) {
      const written = spellPath(path, place, how)
      if (leadsTo(written, place, from, target, tree)) return written
    }
  }
  return undefined
}

function pathsTo(place: LinkPlace, from: string, target: PlaceTarget): string[] {
  const path = target.kind === 'file' ? target.source : target.path
  const file = place.url.startsWith('/')
    ? [`/${path}`, relativePath(posix.dirname(from), path)]
    : [relativePath(posix.dirname(from), path)]
  if (target.kind !== 'file' || !target.isFolder) return file
  const slash = /\/(?:[?#]|$)/.test(place.url) ? '/' : ''
  return [`${relativePath(posix.dirname(from), posix.dirname(path))}${slash}`, ...file]
}

/** Like posix.relative, and with paths above the root both are under. */
function relativePath(folder: string, to: string): string {
  const [base, path] = [folder, to].map((each) =>
    each.split('/').filter((part) => part !== '.' && part !== ''),
  )
  const [ups, downs] = [base ?? [], path ?? []]
  const differs = downs.findIndex((part, index) => part !== ups[index])
  const shared = differs === -1 ? Math.min(ups.length, downs.length) : differs
  const parts = [...ups.slice(shared).map(() => '..'), ...downs.slice(shared)]
  const end = to.endsWith('/') && parts.length > 0 ? '/' : ''
  return parts.length === 0 ? '.' : `${parts.join('/')}${end}`
}

function leadsTo(
  written: string,
  place: LinkPlace,
  from: string,
  target: PlaceTarget,
  tree: FileTree,
): boolean {
  const { form, kind } = place
  if (form === 'comment') {
    if (written !== written.trim() || /-->|[\r\n]/.test(written)) return false
    return isSame(resolvePlace({ form, kind, url: written }, from, tree), target)
  }
  const url =
    form === 'bare' || form === 'angle' ? decodeMarkdown(written) : decodeAttribute(withoutQuotes(written))
  if (splitAddress(url).suffix !== splitAddress(place.url).suffix) return false
  return isSame(resolvePlace({ form, kind, url }, from, tree), target)
}

function withoutQuotes(written: string): string {
  return written.replace(/^"(.*)"$/, '$1')
}

/** Whether two addresses lead to the same file, by whichever way. */
export function isSame(a: PlaceTarget | undefined, b: PlaceTarget | undefined): boolean {
  return a !== undefined && b !== undefined && placeKey(a) === placeKey(b)
}

function placeKey(target: PlaceTarget): string {
  const path = target.kind === 'file' ? target.source : target.path.replace(/\/$/, '')
  return `${target.kind} ${path.normalize('NFC')}`
}

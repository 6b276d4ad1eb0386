import { readFileSync, realpathSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { DiagnosticCode } from '../model/diagnostic-codes.ts'
import { digest } from '../util/digest.ts'
import { findFile, isInside } from './find-sources.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

export type ReadAsset =
  /** `source` as the file system has it. */
  | { readonly kind: 'read'; readonly source: string; readonly hash: string; readonly url: string }
  | {
      readonly kind: 'problem'
      readonly code: DiagnosticCode
      readonly message: string
      readonly hint: string
    }

/** Reads an image of the content root into a `data:` address, up to `limitBytes` of file size. */
export function readAsset(contentRoot: string, source: string, limitBytes: number): ReadAsset {
  const type = TYPES[extname(source).toLowerCase()]
  if (type === undefined) return wrongType(source)
  const found = findFile(contentRoot, source)
  if (found === undefined) return missing(source)
  const file = join(contentRoot, found.source)
  // A symbolic link must not carry files from outside the content folder into an article.
  if (!isInside(realpathSync(contentRoot), realpathSync(file))) return outside(source)
  if (found.size > limitBytes) return tooLarge(source, found.size, limitBytes)
  const bytes = readFileSync(file)
  const url = `data:${type};base64,${bytes.toString('base64')}`
  return { kind: 'read', source: found.source, hash: digest(bytes), url }
}

function wrongType(source: string): ReadAsset {
  const known = Object.keys(TYPES).join(', ')
  return {
    kind: 'problem',
    code: 'asset-type',
    message: `"${source}" is not an image of a known type.`,
    hint: `Images end in ${known}.`,
  }
}

function missing(source: string): ReadAsset {
  return {
    kind: 'problem',
    code: 'asset-missing',
    message: `The image "${source}" does not exist.`,
    hint: 'The path is relative to the article, with / and exact upper and lower case.',
  }
}

function outside(source: string): ReadAsset {
  return {
    kind: 'problem',
    code: 'link-outside',
    message: `"${source}" leads to a file outside the content folder.`,
    hint: 'Copy the image into the content folder.',
  }
}

function tooLarge(source: string, size: number, limitBytes: number): ReadAsset {
  return {
    kind: 'problem',
    code: 'asset-too-large',
    message: `The image "${source}" has ${formatKb(size)}; images up to ${formatKb(limitBytes)} are sent inside the article.`,
    hint: 'Make it smaller, raise assets.inlineUnder, or put it on the web and link to it by its address.',
  }
}

function formatKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
}

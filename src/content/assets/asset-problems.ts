// Problems of a file that an article uses, with their messages.
import type { Problem } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'
import { formatBytes } from '../../core/quantities.ts'
import { type AssetUse, endingOf, IMAGE_ENDINGS } from './asset-types.ts'
import type { OpenedInside } from './open-inside.ts'

/** A problem without its position. */
export type AssetProblem = Pick<Problem, 'code' | 'message' | 'hint'>

/** A file in terms of the site: for a folder beside the content, without the path to it. */
export function shownSource(source: string): string {
  return source.replace(/^(?:\.\.\/)+/, '')
}

/** The noun for a file in a message. */
const NOUNS: Readonly<Record<AssetUse, string>> = { image: 'image', media: 'file', link: 'file' }

export function needsBaseUrl(source: string): AssetProblem {
  return {
    code: 'asset-type',
    message: `"${source}" is not an image, so it cannot be sent inside an article.`,
    hint: 'Set assets.baseUrl to publish it with kb assets, or upload it yourself and use its absolute URL.',
  }
}

export function wrongType(source: string, use: AssetUse): AssetProblem {
  if (use === 'image') {
    return {
      code: 'asset-type',
      message: `"${source}" is not an image of a known type.`,
      hint: `Supported image types: ${IMAGE_ENDINGS.join(', ')}.`,
    }
  }
  const ending = endingOf(source)
  return {
    code: 'asset-type',
    message: `Files that ${ending === '' ? 'have no ending' : `end in ${ending}`} are not published: "${source}".`,
    hint: 'Put it into a ZIP file, or upload it yourself and link to its absolute URL.',
  }
}

export function missing(source: string, use: AssetUse): AssetProblem {
  return {
    code: 'asset-missing',
    message: `The ${NOUNS[use]} "${source}" does not exist.`,
    hint: 'The path is relative to the file that contains it, uses /, and is case-sensitive.',
  }
}

export function otherCase(source: string, actual: string): AssetProblem {
  return {
    code: 'asset-missing',
    message: `There is no "${source}", but "${actual}": the case differs.`,
    hint: `Write it as ${fromDifference(source, actual)}; other machines would not find it.`,
  }
}

export function notOpened(
  source: string,
  use: AssetUse,
  opened: Exclude<OpenedInside, { readonly kind: 'opened' }>,
): AssetProblem {
  switch (opened.kind) {
    case 'missing':
      return missing(source, use)
    case 'outside':
      return {
        code: 'link-outside',
        message: `"${source}" points to a file outside the content folder.`,
        hint: `Copy the ${NOUNS[use]} into the content folder.`,
      }
    case 'hidden':
      return {
        code: 'link-outside',
        message: `"${source}" points to a hidden file or folder, which kb-sync never reads.`,
        hint: `Use ${use === 'image' ? 'an image' : 'a file'} without a name that starts with a dot in its path.`,
      }
    case 'no-file':
      return {
        code: 'asset-missing',
        message: `"${source}" is not a file, but a folder, a pipe or a device.`,
        hint: 'Use the path of a file.',
      }
    case 'unreadable':
      return {
        code: 'asset-missing',
        message: `The ${NOUNS[use]} "${source}" could not be read: ${opened.reason}.`,
        hint: 'Make the file readable.',
      }
  }
}

export function tooLarge(
  source: string,
  size: number,
  limits: {
    readonly inlineUnderBytes: number
    readonly baseUrl: string | undefined
    readonly maxSizeBytes: number
  },
): AssetProblem {
  if (limits.baseUrl === undefined) {
    return {
      code: 'asset-too-large',
      message: `The image "${source}" has ${formatBytes(size)}; only images of up to ${formatBytes(limits.inlineUnderBytes)} can be sent inside the article.`,
      hint: 'Make it smaller, raise assets.inlineUnder, or set assets.baseUrl to publish it with kb assets.',
    }
  }
  return {
    code: 'asset-too-large',
    message: `"${source}" has ${formatBytes(size)}; only files of up to ${formatBytes(limits.maxSizeBytes)} are published.`,
    hint: 'Make it smaller, raise assets.maxSize, or upload it yourself and link to its absolute URL.',
  }
}

/** @param total the length of all embedded images of the article */
export function tooMuchEmbedded(
  source: string,
  count: number,
  { total, maximum }: { readonly total: number; readonly maximum: number },
): AssetProblem {
  return {
    code: 'asset-too-large',
    message: `With "${shownSource(source)}" (${pluralize(count, 'time')}), the images embedded in the article total ${formatBytes(total)}; the limit is ${formatBytes(maximum)}.`,
    hint: 'Use the image less often, make it smaller, or publish it with kb assets (assets.baseUrl).',
  }
}

export function activeSvg(source: string, what: string): AssetProblem {
  return {
    code: 'asset-type',
    message: `"${source}" contains ${what}, which would run for anyone who opens the file by its URL.`,
    hint: 'Save it as a plain SVG without scripts, or as another type.',
  }
}

/** @param type as detected in the file; undefined if it is not an image */
export function mismatch(source: string, type: string | undefined): AssetProblem {
  return {
    code: 'asset-type-mismatch',
    message:
      type === undefined
        ? `"${source}" does not match its ending: it is not an image of a known type.`
        : `"${source}" does not match its ending: its type is ${type}.`,
    hint:
      type === undefined
        ? 'Save it again as an image: it may be damaged, or be a web page.'
        : `Rename it, or save it again as ${endingOf(source).slice(1)}.`,
  }
}

/** The end of a path from the first folder, or the file, in which it differs. */
function fromDifference(source: string, actual: string): string {
  const written = source.split('/')
  const parts = actual.split('/')
  return parts.slice(parts.findIndex((part, index) => part !== written[index])).join('/')
}

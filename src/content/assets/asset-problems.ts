// What can be wrong with a file that an article uses, in the words that are shown.
import type { Problem } from '../../core/model/diagnostic.ts'
import { formatBytes } from '../../core/quantities.ts'
import { type AssetUse, endingOf, IMAGE_ENDINGS } from './asset-types.ts'
import type { OpenedInside } from './open-inside.ts'

/** A problem without its place. */
export type AssetProblem = Pick<Problem, 'code' | 'message' | 'hint'>

/** A file as the site sees it: in a folder beside the content, without the way there. */
export function shownSource(source: string): string {
  return source.replace(/^(?:\.\.\/)+/, '')
}

/** How a file is called in a sentence. */
const NOUNS: Readonly<Record<AssetUse, string>> = { image: 'image', media: 'file', link: 'file' }

export function needsBaseUrl(source: string): AssetProblem {
  return {
    code: 'asset-type',
    message: `"${source}" is no image, so it cannot be sent inside an article.`,
    hint: 'Set assets.baseUrl to publish it with kb assets, or put it on the web and use its full address.',
  }
}

export function wrongType(source: string, use: AssetUse): AssetProblem {
  if (use === 'image') {
    return {
      code: 'asset-type',
      message: `"${source}" is not an image of a known type.`,
      hint: `Images end in ${IMAGE_ENDINGS.join(', ')}.`,
    }
  }
  const ending = endingOf(source)
  return {
    code: 'asset-type',
    message: `Files that ${ending === '' ? 'have no ending' : `end in ${ending}`} are not published: "${source}".`,
    hint: 'Pack it into a ZIP file, or put it on the web and link to it by its full address.',
  }
}

export function missing(source: string, use: AssetUse): AssetProblem {
  return {
    code: 'asset-missing',
    message: `The ${NOUNS[use]} "${source}" does not exist.`,
    hint: 'The path is relative to the file it stands in, with / and exact upper and lower case.',
  }
}

export function otherCase(source: string, actual: string): AssetProblem {
  return {
    code: 'asset-missing',
    message: `There is no "${source}", but "${actual}": upper and lower case differ.`,
    hint: `Write it as ${lastPart(actual)}; on other machines it would not be found.`,
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
        message: `"${source}" leads to a file outside the content folder.`,
        hint: `Copy the ${NOUNS[use]} into the content folder.`,
      }
    case 'hidden':
      return {
        code: 'link-outside',
        message: `"${source}" leads to a hidden file or folder, and these are never read.`,
        hint: `Name ${use === 'image' ? 'an image' : 'a file'} whose path has no name that begins with a dot.`,
      }
    case 'no-file':
      return {
        code: 'asset-missing',
        message: `"${source}" is no file, but a folder, a pipe or a device.`,
        hint: 'Name a file.',
      }
    case 'unreadable':
      return {
        code: 'asset-missing',
        message: `The ${NOUNS[use]} "${source}" could not be read: ${opened.reason}.`,
        hint: 'Make it readable for you.',
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
      message: `The image "${source}" has ${formatBytes(size)}; images up to ${formatBytes(limits.inlineUnderBytes)} are sent inside the article.`,
      hint: 'Make it smaller, raise assets.inlineUnder, or set assets.baseUrl to publish it with kb assets.',
    }
  }
  return {
    code: 'asset-too-large',
    message: `"${source}" has ${formatBytes(size)}; files up to ${formatBytes(limits.maxSizeBytes)} are published.`,
    hint: 'Make it smaller, raise assets.maxSize, or put it on the web and link to it by its full address.',
  }
}

export function activeSvg(source: string, what: string): AssetProblem {
  return {
    code: 'asset-type',
    message: `"${source}" holds ${what}, which would run for anyone who opens the file by its address.`,
    hint: 'Save it without scripts (as a plain SVG), or as another type.',
  }
}

/** @param type as found in the file; undefined for no image */
export function mismatch(source: string, type: string | undefined): AssetProblem {
  return {
    code: 'asset-type-mismatch',
    message:
      type === undefined
        ? `"${source}" does not hold what its name says: it is no image of a known type.`
        : `"${source}" does not hold what its name says: it is of type ${type}.`,
    hint:
      type === undefined
        ? 'Save it again as an image; it may be damaged, or a web page in its place.'
        : `Rename it, or save it again as ${endingOf(source).slice(1)}.`,
  }
}

function lastPart(source: string): string {
  return source.slice(source.lastIndexOf('/') + 1)
}

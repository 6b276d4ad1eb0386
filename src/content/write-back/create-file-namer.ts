import filenamify from 'filenamify'

// With `.md` and a number, the name stays below 100 bytes.
const LIMIT_BYTES = 90
/** For these names, the slug comes from the folder. */
const FOLDER_PAGE = /^(?:index|readme)$/i
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\p{Surrogate}]/gu

/**
 * Returns a function that names files, without `.md`, for articles by slug. The names are valid on Linux, macOS and
 * Windows, are those of articles (no leading `_` or `.`), are not the page of a folder, and are unique in any case or
 * Unicode form.
 *
 * @param taken names, without `.md`, of existing files
 */
export function createFileNames(taken: Iterable<string>): (slug: string) => string {
  const used = new Set(Array.from(taken, fold))
  // The first number of a name that is not known to be taken.
  const numbers = new Map<string, number>()
  return (slug) => {
    const base = usable(slug)
    const key = fold(base)
    let name = base
    while (used.has(fold(name)) || FOLDER_PAGE.test(name)) {
      const number = numbers.get(key) ?? 2
      numbers.set(key, number + 1)
      name = `${base}-${number}`
    }
    used.add(fold(name))
    return name
  }
}

function usable(slug: string): string {
  const plain = slug.normalize('NFC').replaceAll(UNSEEN, '').replaceAll(/\s+/gu, '-')
  const name = cut(filenamify(plain, { replacement: '-', maxLength: Number.MAX_SAFE_INTEGER }))
    .replace(/^[._\s-]+/u, '')
    .replace(/[.\s-]+$/u, '')
  // A device name of Windows is reserved with every extension, and cutting may have created one.
  return name === '' ? 'article' : RESERVED.test(name) ? `article-${name}` : name
}

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** Returns the first characters of `name` that fit, without splitting one. */
function cut(name: string): string {
  let bytes = 0
  let end = 0
  for (const { segment, index } of new Intl.Segmenter('en').segment(name)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > LIMIT_BYTES) return name.slice(0, end)
    end = index + segment.length
  }
  return name
}

function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}

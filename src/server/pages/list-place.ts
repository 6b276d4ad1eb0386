import { LIST_START, type ListedArticle, type ListPlace } from '../store/reader-data.ts'

/** Longer ones were not made here. */
const LONGEST = 4000

/** A place in a list of articles, as it stands in an address. */
export function writePlace({ order, name, id }: ListedArticle): string {
  return Buffer.from(JSON.stringify([order, name, id])).toString('base64url')
}

/** The start of the list where the text names no place. */
export function readPlace(text: string | undefined): ListPlace {
  if (text === undefined || text.length > LONGEST) return LIST_START
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(place)) return LIST_START
    const [order, name, id] = place as unknown[]
    const isPlace = typeof order === 'number' && typeof name === 'string' && typeof id === 'string'
    return isPlace ? { order, name: name.toWellFormed(), id: id.toWellFormed() } : LIST_START
  } catch {
    return LIST_START
  }
}

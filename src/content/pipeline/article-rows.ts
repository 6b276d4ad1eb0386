// Facts about articles as JSON lines, sorted by source. A run for a few articles decodes only the lines it needs.
import { findLines, lineAround } from '../../core/find-lines.ts'
import type { AddressedDocument } from '../links/link-context.ts'

/** The facts about an article that others need. Everything else is in the render cache. */
export interface IndexedArticle extends AddressedDocument {
  /** Digest of the bytes of its file. */
  readonly hash: string
  /** Sources of the articles that it links to. */
  readonly linksTo: readonly string[]
  /** Source of the document that it translates. */
  readonly original?: string | undefined
  /** Index in `ArticleIndex.assigned`. */
  readonly assigned?: number
}

/** An article whose file or links have changed since the lines were written. */
type EditedRow = Pick<IndexedArticle, 'linksTo'> & { readonly hash: string | undefined }

export function formatRow(row: IndexedArticle): string {
  return `${JSON.stringify(row)}\n`
}

export class ArticleRows {
  readonly #bytes: Buffer
  readonly #edits: ReadonlyMap<string, EditedRow>
  /** Decoded lines, by offset. */
  readonly #decoded = new Map<number, IndexedArticle>()

  /** @param bytes the results of `formatRow`, sorted by source */
  constructor(bytes: Buffer, edits: ReadonlyMap<string, EditedRow>) {
    this.#bytes = bytes
    this.#edits = edits
  }

  get(source: string): IndexedArticle | undefined {
    let [low, high] = [0, this.#bytes.length]
    while (low < high) {
      const { start, end } = lineAround(this.#bytes, Math.floor((low + high) / 2))
      const row = this.#decode(start, end)
      if (row.source === source) return this.#renew(row)
      if (row.source < source) low = end + 1
      else high = start
    }
    return undefined
  }

  all(): IndexedArticle[] {
    const lines = this.#bytes.toString('utf8').split('\n').slice(0, -1)
    return lines.map((line) => this.#renew(JSON.parse(line) as IndexedArticle))
  }

  /** Returns the articles with links to one of `sources`, in their order. */
  linkingTo(sources: ReadonlySet<string>): IndexedArticle[] {
    const lines = [...sources].flatMap((source) => findLines(this.#bytes, JSON.stringify(source)))
    const named = lines.map((line) => (JSON.parse(line) as IndexedArticle).source)
    const rows = [...new Set([...named, ...this.#edits.keys()])].flatMap((source) => this.get(source) ?? [])
    return rows
      .filter(({ linksTo }) => linksTo.some((to) => sources.has(to)))
      .toSorted((a, b) => (a.source < b.source ? -1 : 1))
  }

  #decode(start: number, end: number): IndexedArticle {
    const known = this.#decoded.get(start)
    if (known !== undefined) return known
    const row = JSON.parse(this.#bytes.toString('utf8', start, end)) as IndexedArticle
    this.#decoded.set(start, row)
    return row
  }

  #renew(row: IndexedArticle): IndexedArticle {
    const edit = this.#edits.get(row.source)
    return edit === undefined ? row : { ...row, linksTo: edit.linksTo, hash: edit.hash ?? row.hash }
  }
}

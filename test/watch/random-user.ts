// A random user who edits files like editors, file managers and git.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { ARTICLE_SOURCES, type ContentChange, contentChange, makeChange } from '../support/random-content.ts'

/** The ways to write the new text of a file. */
const WAYS = ['in place', 'emptied first', 'renamed over', 'removed first'] as const

export type Deed =
  | { readonly kind: 'change'; readonly change: ContentChange; readonly way: (typeof WAYS)[number] }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  /** Removes and restores a folder, or all of the content. */
  | { readonly kind: 'remake'; readonly folder: string }
  /** Changes many files at once. */
  | { readonly kind: 'checkout'; readonly count: number }
  /** Time passes. */
  | { readonly kind: 'pause'; readonly ms: number }

const FOLDERS = ['guides', 'faq', 'guides/deep', 'moved', '.'] as const

export const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      change: contentChange({ mistakes: true }),
      way: fc.constantFrom(...WAYS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('copy' as const),
      from: fc.constantFrom(...ARTICLE_SOURCES, 'guides'),
      to: fc.constantFrom('copied', 'faq/copied', 'guides/copied.md'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remake' as const), folder: fc.constantFrom(...FOLDERS) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('checkout' as const), count: fc.nat(60) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.constantFrom(0, 3, 20, 70, 250) }),
  },
)

/** Executes it in the content folder `root`, as far as possible. */
export async function doDeed(
  root: string,
  done: Deed,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  switch (done.kind) {
    case 'change':
      return changeBy(root, done, pause)
    case 'copy':
      return copy(root, done.from, done.to)
    case 'remake':
      return remake(root, done.folder)
    case 'checkout':
      return checkOut(root, done.count)
    case 'pause':
      return void (await pause(done.ms))
  }
}

async function changeBy(
  root: string,
  { change, way }: Extract<Deed, { readonly kind: 'change' }>,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const file = 'source' in change ? join(root, change.source) : ''
  // A folder may have the name of an article.
  const isThere = change.kind === 'write' && isFile(file)
  if (isThere && way === 'emptied first') truncateSync(file)
  if (isThere && way === 'removed first') rmSync(file)
  if (isThere && way !== 'in place') await pause(2)
  makeChange(root, change)
  if (way !== 'renamed over' || !isThere) return
  writeFileSync(`${file}.new`, readFileSync(file))
  renameSync(`${file}.new`, file)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function copy(root: string, from: string, to: string): void {
  if (!existsSync(join(root, from)) || existsSync(join(root, to)) || isFile(dirname(join(root, to)))) return
  if (from.endsWith('.md') !== to.endsWith('.md') || to.startsWith(`${from}/`)) return
  cpSync(join(root, from), join(root, to), { recursive: true })
}

function remake(root: string, folder: string): void {
  const path = join(root, folder)
  if (!existsSync(path) || isFile(path)) return
  const aside = join(root, '..', 'aside')
  cpSync(path, aside, { recursive: true })
  rmSync(path, { recursive: true })
  mkdirSync(path, { recursive: true })
  cpSync(aside, path, { recursive: true })
  rmSync(aside, { recursive: true })
}

function checkOut(root: string, count: number): void {
  const folder = join(root, 'branch')
  if (existsSync(folder)) rmSync(folder, { recursive: true })
  mkdirSync(folder)
  for (let number = 0; number < count; number++) {
    writeFileSync(
      join(folder, `page-${number}.md`),
      `---\ntitle: Page ${number}\ncategories: [Guides]\n---\n\nPage ${number} of ${count}.\n`,
    )
  }
}

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { contentFolder, writeFiles } from '../../content/load-files.ts'
import { openLive } from './live-project.ts'

const EDITS = 2000

const textOf = (edit: number) =>
  `---\ntitle: A\ncategories: [Guides]\n---\n\nEdit ${edit}, and [itself](a.md#more).\n\n## More\n\n${'Words. '.repeat(200)}\n`

test('templates of removed texts do not accumulate', { timeout: 120_000 }, async () => {
  const root = contentFolder({ 'a.md': textOf(0), 'b.md': textOf(-1).replace('title: A', 'title: B') })
  const live = openLive(root)
  await live.refresh()
  const rows: number[] = []
  const cacheFile = join(root, '.kb', 'rendered.db')
  const database = new Database(cacheFile, { readonly: true })
  for (let edit = 1; edit <= EDITS; edit++) {
    writeFiles(root, { 'a.md': textOf(edit) })
    const edited = await live.edit('a.md')
    expect(edited?.article.excerpt).toBe(`Edit ${edit}, and itself.`)
    if (edit % 100 === 0)
      rows.push((database.prepare('SELECT count(*) AS n FROM compiled').get() as { n: number }).n)
  }
  database.close()
  // The cache keeps twice what is in use plus a thousand, and is pruned after 500 edits.
  expect(Math.max(...rows)).toBeLessThanOrEqual(1600)
  expect(statSync(cacheFile).size).toBeLessThan(20_000_000)
  const content = live.current()
  const [first] = content?.articles ?? []
  expect(first && content?.readHtml(first)).toContain(`Edit ${EDITS}, and <a href="/en/a#more">`)
  live.close()
})

test('content before an edit or a scan is released', async () => {
  const root = contentFolder({ 'a.md': textOf(0), 'b.md': textOf(-1).replace('title: A', 'title: B') })
  const live = openLive(root)
  const gone: WeakRef<object>[] = []
  const note = () => {
    const content = live.current()
    if (content !== undefined) gone.push(new WeakRef(content))
  }
  await live.refresh()
  for (let round = 1; round <= 3; round++) {
    note()
    writeFiles(root, { 'a.md': textOf(round) })
    expect(await live.edit('a.md')).toBeDefined()
    note()
    writeFiles(root, { 'a.md': textOf(round).replace('## More', '## Most') })
    await live.refresh()
    note()
    writeFiles(root, { 'a.md': textOf(round) })
    await live.refresh()
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // A weak reference keeps its object alive until the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(gone.flatMap((content) => content.deref() ?? [])).toEqual([])
  live.close()
})

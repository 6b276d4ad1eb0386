// After any changes of the files, incremental loading has the same result as a full load.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContentOptions } from '../../../src/content/pipeline/content-options.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import type { RuleSeverities } from '../../../src/core/model/diagnostic-codes.ts'
import type { LiveContent } from '../../../src/watch/live-content/live-content.ts'
import {
  type ContentChange,
  contentChange,
  makeChange,
  startingContent,
} from '../../support/random-content.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { contentFolder } from '../../content/load-files.ts'
import { mappingOf } from '../../content/preset/mapping.ts'
import { createStamper, loadAnew, openLive, wholeOf } from './live-project.ts'

const RUNS = readRuns('HISTORIES', 40)

/** All rules report. */
const RULES: RuleSeverities = {
  'article-orphaned': 'warning',
  'tag-used-once': 'warning',
  'excerpt-missing': 'warning',
  'review-date-missing': 'warning',
}

function markdownOf(preset: PresetName): ContentOptions['markdown'] {
  const frontmatter = mappingOf({ preset })
  return { parser: 'native', remarkPlugins: [], allow: {}, dialect: preset, frontmatter }
}

type Step = ContentChange | { readonly kind: 'look' }

const steps = (mistakes: boolean) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: contentChange({ mistakes }) },
      { weight: 2, arbitrary: fc.constant<Step>({ kind: 'look' }) },
    ),
    { minLength: 3, maxLength: 25 },
  )

const settings = fc.constantFrom<Partial<ContentOptions>>(
  { rules: RULES },
  { rules: RULES, assets: { inlineUnderBytes: 101, baseUrl: 'https://cdn.example', maxSizeBytes: 1500 } },
  { markdown: { parser: 'remark', remarkPlugins: [], allow: {} } },
  // All files together define the categories.
  ...(['folder', 'hugo'] as const).map((preset) => ({ preset, rules: RULES, markdown: markdownOf(preset) })),
)

/** Young stamps prove nothing and old ones everything; both are tested. */
const ages = fc.constantFrom(0, 60_000)

test('any history of changes, scans and edits', timeoutOf(RUNS, 3000), async () => {
  let edits = 0
  await fc.assert(
    fc.asyncProperty(fc.boolean().chain(steps), settings, ages, async (history, changes, ageMs) => {
      const root = contentFolder({})
      const stamp = createStamper(root)
      const live = openLive(root, changes, () => Date.now() + ageMs)
      for (const first of startingContent()) stamp(makeChange(root, first))
      try {
        await look(live, root, changes)
        for (const step of history) {
          if (step.kind === 'look') await look(live, root, changes)
          else edits += await change(live, root, step, stamp)
        }
        await look(live, root, changes)
      } finally {
        live.close()
      }
    }),
    { ...RUNS },
  )
  // The fast path must be used to be tested.
  expect(edits).toBeGreaterThan(RUNS.numRuns / 4)
})

/** Changes a file and offers it as an edit. Returns 1 if it was accepted. */
async function change(
  live: LiveContent,
  root: string,
  step: ContentChange,
  stamp: (sources: readonly string[]) => void,
): Promise<number> {
  const written = makeChange(root, step)
  stamp(written)
  const [source = ''] = written
  const edited = await live.edit(source)
  if (edited === undefined) return 0
  const content = live.current()
  expect(content?.articles).toContain(edited.article)
  expect(content?.diagnostics).toEqual(expect.arrayContaining([...edited.diagnostics]))
  return 1
}

async function look(live: LiveContent, root: string, changes: Partial<ContentOptions>): Promise<void> {
  const before = live.current()
  const { content, touched } = await live.refresh()
  expect(live.current()).toBe(content)
  const [now, fresh] = [wholeOf(content), await loadAnew(root, changes)]
  expect(now.diagnostics).toEqual(fresh.diagnostics)
  const accepted = new Set(fresh.articles.map(({ source }) => source))
  for (const source of live.faulty()) expect(accepted.has(source)).toBe(false)
  if (live.faulty().size === 0) expect(now).toEqual(fresh)
  else
    expect(withoutLinks(now.articles.filter(({ source }) => accepted.has(source)))).toEqual(
      withoutLinks(fresh.articles),
    )
  if (touched.length === 0) {
    expect(content.taxonomy).toBe(before?.taxonomy)
    expect(content.articles).toEqual(before?.articles)
  }
}

/** Removes links to faulty articles, whose URLs only the last valid version knows. */
function withoutLinks(articles: Awaited<ReturnType<typeof loadAnew>>['articles']) {
  return articles.map((article) => ({ ...article, contentHash: '', projectionHash: '', original: undefined }))
}

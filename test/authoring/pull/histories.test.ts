// Random edits on both sides, then a pull and a sync: no edit is lost, and both sides become equal.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { article } from '../../support/project.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { startStrictService } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

const RUNS = readRuns('HISTORIES', 30)

const PARAGRAPHS = ['Alpha is the first.', 'Beta is the second.', 'Gamma is the third.']

/** The change of an article on one side; undefined: unchanged. */
interface Change {
  readonly title: string | undefined
  readonly order: number | undefined
  /** Index of the rewritten paragraph. */
  readonly paragraph: number | undefined
}

const change = (side: string): fc.Arbitrary<Change> =>
  fc.record({
    title: fc.option(fc.constantFrom(`Title of the ${side}`, 'Title of both'), { nil: undefined }),
    order: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    paragraph: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  })

const bodyOf = ({ paragraph }: Change, side: string) =>
  PARAGRAPHS.map((text, index) => (index === paragraph ? `Written anew by the ${side}.` : text))

const fileOf = (edit: Change) =>
  article(edit.title ?? 'Title', { order: edit.order ?? 0, body: bodyOf(edit, 'file').join('\n\n') })

test(
  'a pull takes what only the target changed, and a sync then sends what only the file changed',
  async () => {
    await fc.assert(
      fc.asyncProperty(change('file'), change('target'), fc.boolean(), async (file, target, inPlace) => {
        const service = await startStrictService(inPlace ? { extensions: ['update'] } : {})
        const project = createPullProject(service.url, { 'content/a.md': fileOf({} as Change) })
        expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
        project.write({ 'content/a.md': fileOf(file) })
        const { content } = service.articleAt('a')
        const edited = PARAGRAPHS.reduce(
          (html, text, index) => html.replace(text, bodyOf(target, 'target')[index] ?? ''),
          content,
        )
        service.edit('a', {
          content: edited,
          ...(target.title !== undefined && { title: target.title }),
          ...(target.order !== undefined && { order: target.order }),
        })
        const isConflict =
          (file.title !== undefined && target.title !== undefined && file.title !== target.title) ||
          (file.order !== undefined && target.order !== undefined && file.order !== target.order) ||
          (file.paragraph !== undefined && target.paragraph !== undefined)
        const before = project.read('content/a.md')
        const { summary } = await project.pull()
        expect(summary.conflicts).toBe(isConflict ? 1 : 0)
        if (isConflict) {
          expect(project.read('content/a.md')).toBe(before)
          return
        }
        expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
        expect((await project.sync()).summary).toMatchObject({ conflicts: 0, failed: 0 })
        expect(outcomeOf(await project.sync({ verify: true }))).toEqual({ unchanged: 1 })
        expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
        const held = service.articleAt('a')
        expect(held.title).toBe(target.title ?? file.title ?? 'Title')
        expect(held.order).toBe(target.order ?? file.order ?? 0)
        if (target.paragraph !== undefined) expect(held.content).toContain('Written anew by the target.')
        if (file.paragraph !== undefined) expect(held.content).toContain('Written anew by the file.')
      }),
      RUNS,
    )
  },
  timeoutOf(RUNS, 2000).timeout,
)

// A review date is a day in the calendar: the clock and the time zone of a machine never move it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCheck } from '../../src/inspect/check/run-check.ts'
import { createPullProject, pullOutcome } from '../authoring/pull/pull-project.ts'
import { article, configFile, createProject, type Files } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { outcomeOf } from '../support/sync-project.ts'

/** The furthest apart that there are, and where summer time begins and ends. */
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati']

/** The first and the last moment of a day in UTC: elsewhere it is the day before, or the next one. */
const MOMENTS = ['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z']

const FILES: Files = {
  'content/quoted.md': article('Quoted', { reviewDate: '2026-03-01' }),
  'content/plain.md': '---\ntitle: Plain\ncategories: [Guides]\nreviewDate: 2026-03-01\n---\n\nText.\n',
  'content/leap.md': '---\ntitle: Leap\ncategories: [Guides]\nreviewDate: 2028-02-29\n---\n\nText.\n',
  'content/past.md': '---\ntitle: Past\ncategories: [Guides]\nreviewDate: 2026-02-28\n---\n\nText.\n',
  'content/never.md': article('Never', { reviewDate: 'never' }),
  'content/later.md': article('Later'),
}

const SENT = {
  quoted: '2026-03-01',
  plain: '2026-03-01',
  leap: '2028-02-29',
  past: '2026-02-28',
  never: '9999-12-31',
  later: '2026-08-28',
}

describe.each(ZONES)('in %s', (zone) => {
  const before = process.env['TZ']
  beforeEach(() => {
    process.env['TZ'] = zone
  })
  afterEach(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  test('the zone is in force here', () => {
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
    const noon = new Date('2026-03-01T12:00:00Z')
    expect(noon.getHours()).toBe(Number(hour.format(noon)))
  })

  test.each(MOMENTS)(
    'dates are sent, read, compared and pulled as they are written at %s',
    async (moment) => {
      const now = () => new Date(moment)
      const service = await startStrictService({ extensions: ['update'] })
      const project = createPullProject(service.url, FILES)
      expect(outcomeOf(await project.sync({ now }))).toMatchObject({ created: 6 })
      const sent = service.articles().map(({ slug, reviewDate }) => [slug, reviewDate.slice(0, 10)])
      expect(Object.fromEntries(sent)).toEqual(SENT)
      expect(outcomeOf(await project.plan({ now, verify: true }))).toEqual({ unchanged: 6 })
      project.forgetState()
      expect(outcomeOf(await project.plan({ now }))).toEqual({ unchanged: 6 })

      service.edit('quoted', { reviewDate: '2026-12-31' })
      expect(pullOutcome(await project.pull({ now }))).toMatchObject({
        updated: 1,
        unchanged: 5,
        files: ['update content/quoted.md done [reviewDate]'],
      })
      expect(project.read('content/quoted.md')).toMatch(/^reviewDate: "?2026-12-31"?$/m)
      expect(outcomeOf(await project.sync({ now }))).not.toHaveProperty('failure')
    },
  )

  test.each(MOMENTS)('only what was due before that day in UTC is overdue at %s', async (moment) => {
    const { settings } = createPullProject('http://127.0.0.1:9', FILES)
    const { diagnostics } = await runCheck({ settings, now: () => new Date(moment), env: {} })
    const overdue = diagnostics.filter(({ code }) => code === 'review-overdue')
    expect(overdue.map(({ file }) => file)).toEqual(['content/past.md'])
  })
})

test('what is sent from one zone is unchanged in all others', { timeout: 120_000 }, async () => {
  const project = createProject({
    ...FILES,
    'kb.config.ts': configFile({ project: 'demo', rules: { 'review-overdue': 'off' } }),
    'content/_categories.yml': '- name: Guides\n',
  })
  const [first = '', ...others] = ZONES
  const sync = async (zone: string) => (await project.run(['sync', '--json'], { env: { TZ: zone } })).json
  expect(await sync(first)).toMatchObject({ summary: { created: 6 } })
  for (const [index, zone] of others.entries()) {
    const command = index === 1 ? ['pull', '--json'] : ['plan', '--verify', '--json']
    const { json } = await project.run(command, { env: { TZ: zone } })
    expect({ zone, json }).toMatchObject({ zone, json: { summary: { unchanged: 6, updated: 0 } } })
  }
})

test.each([
  ['2027-01-31', []],
  ['"2027-01-31"', []],
  ["'2027-01-31'", []],
  ['never', []],
  ['2027-01-31T00:00:00Z', ['date-invalid']],
  ['2027-01-31 12:00:00', ['date-invalid']],
  ['2027-02-29', ['date-invalid']],
  ['2027-1-31', ['date-invalid']],
  ['31.01.2027', ['date-invalid']],
  ['!!timestamp 2027-01-31', ['frontmatter-value']],
  ['20270131', ['frontmatter-value']],
])('reviewDate: %s', async (written, codes) => {
  const { settings } = createPullProject('http://127.0.0.1:9', {
    'content/one.md': `---\ntitle: One\ncategories: [Guides]\nreviewDate: ${written}\n---\n\nText.\n`,
  })
  const { diagnostics } = await runCheck({ settings, now: () => new Date('2026-03-01T00:00:00Z'), env: {} })
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes)
})

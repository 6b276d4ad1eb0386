import { mkdirSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/find-barriers.ts'
import { article } from '../../support/project.ts'
import { useEditorScript } from './editor-script.ts'
import { openPreviewProject, type PreviewProject } from './preview-project.ts'

const GOOD = article('One', { body: 'The good text.' })
/** An error of the file itself: its last valid version is shown. */
const FAULTY = '---\ntitle: One\ncategories: [Guides]\nreviewDate: 2027-02-30\n---\n\nThe faulty text.\n'
/** An error of one link: the text is shown as it is. */
const BROKEN = article('One', { body: 'The new text with a [link](nowhere.md).' })

async function openPage(
  project: PreviewProject,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await (await (await openBrowser()).newContext(options)).newPage()
  await page.goto(project.url(path))
  return page
}

const panel = (page: Page) => page.getByRole('region', { name: 'Problems of this article' })
const notice = (page: Page) => page.locator('.kb-notice')

describe('the problems of an article', () => {
  test('appear on its open page over its last valid version, and disappear', async () => {
    const project = await openPreviewProject({ 'content/one.md': GOOD })
    const page = await openPage(project, '/articles/one')
    expect(await panel(page).count()).toBe(0)

    await project.save({ 'content/one.md': FAULTY })
    await panel(page).waitFor()
    expect({
      panel: await panel(page).locator('summary, p, code').allInnerTexts(),
      buttons: await panel(page)
        .getByRole('button', { name: 'Open content/one.md:4:13 in your editor' })
        .count(),
      text: await page.locator('.kb-content').innerText(),
      said: await notice(page).innerText(),
      line: await page.locator('.kb-problems-line').innerText(),
    }).toEqual({
      panel: [
        '1 error',
        'You see its last version without errors; it is not sent until they are fixed.',
        'Error: reviewDate must be an existing date, such as 2027-01-31, or never.',
        'Use an existing date as YYYY-MM-DD, such as 2027-01-31.',
        'date-invalid',
      ],
      buttons: 1,
      text: 'The good text.',
      said: 'This article: 1 error.',
      line: '1 error',
    })

    await project.save({ 'content/one.md': article('One', { body: 'The mended text.' }) })
    await page.getByText('The mended text.').waitFor()
    expect({
      panels: await panel(page).count(),
      lines: await page.locator('.kb-problems-line').count(),
      said: await notice(page).innerText(),
    }).toEqual({ panels: 0, lines: 0, said: 'No problems left in this article.' })
  })

  test('in its links do not affect its text', async () => {
    const project = await openPreviewProject({ 'content/one.md': GOOD })
    const page = await openPage(project, '/articles/one')
    await project.save({ 'content/one.md': BROKEN })
    await page.getByText('The new text').waitFor()

    expect(await panel(page).locator('.kb-problems-shown').innerText()).toBe(
      'It is not sent until its errors are fixed.',
    )
  })

  test('in a snippet that it includes are shown, too', async () => {
    const project = await openPreviewProject({
      'content/one.md': article('One', { body: '<!-- include: _note.md -->' }),
      'content/_note.md': 'A note.\n',
    })
    const page = await openPage(project, '/articles/one')
    await page.getByText('A note.').waitFor()
    await project.save({ 'content/_note.md': 'A note with a [link](nowhere.md).\n' })
    await panel(page).waitFor()

    expect(
      await panel(page).getByRole('button', { name: 'Open content/_note.md:1:22 in your editor' }).count(),
    ).toBe(1)
  })

  test('are the only content if it never had a valid version', async () => {
    const project = await openPreviewProject({ 'content/one.md': FAULTY, 'content/two.md': article('Two') })
    const page = await openPage(project, '/status')
    await page.getByRole('main').getByRole('link', { name: 'one', exact: true }).click()
    expect(await panel(page).locator('.kb-problems-shown').innerText()).toBe(
      'It cannot be shown yet: it has had errors since the watch started.',
    )
    await project.save({ 'content/one.md': GOOD })

    await page.getByText('The good text.').waitFor()
    expect(await panel(page).count()).toBe(0)
  })

  test('in other files are one line that links to all of them', async () => {
    const project = await openPreviewProject({ 'content/one.md': GOOD, 'content/two.md': article('Two') })
    const page = await openPage(project, '/articles/two')
    await project.save({ 'content/one.md': FAULTY })
    await page.getByRole('link', { name: '1 error' }).click()
    await page.getByRole('heading', { name: 'Problems in the files: 1 error' }).waitFor()

    expect(new URL(page.url()).pathname).toBe('/status')
    expect(await panel(page).count()).toBe(0)
  })
})

describe('by keyboard only', () => {
  test('the problems can be collapsed, stay collapsed, and open the editor', async () => {
    const editor = useEditorScript()
    const project = await openPreviewProject({ 'content/one.md': BROKEN })
    const page = await openPage(project, '/articles/one')
    const summary = panel(page).locator('summary')
    const details = panel(page).locator('details')
    await summary.focus()
    await page.keyboard.press('Enter')
    await project.save({
      'content/one.md': article('One', { body: 'Now [one](nowhere.md) and [another](either.md).' }),
    })
    await panel(page).getByText('2 errors').waitFor()
    expect({
      isOpen: await details.evaluate((element) => element.hasAttribute('open')),
      isFocused: await summary.evaluate((element) => element.matches(':focus')),
    }).toEqual({ isOpen: false, isFocused: true })

    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await editor.started
    await page.getByText('Opened in your editor.').waitFor()
    expect(editor.calls()).toEqual([[project.path('content/one.md'), '6', '11']])
  })
})

describe('without scripts', () => {
  const options = { javaScriptEnabled: false }

  test('the problems are part of the page, and the button works', async () => {
    const editor = useEditorScript()
    const project = await openPreviewProject({ 'content/one.md': BROKEN })
    const page = await openPage(project, '/articles/one', options)
    await panel(page).getByRole('button').click()
    await editor.started

    expect({ calls: editor.calls(), url: page.url() }).toEqual({
      calls: [[project.path('content/one.md'), '6', '28']],
      url: project.url('/articles/one'),
    })
  })

  test('if no editor opens, a page explains what to do', async () => {
    vi.stubEnv('LAUNCH_EDITOR', 'vim')
    const project = await openPreviewProject({ 'content/one.md': BROKEN })
    const page = await openPage(project, '/articles/one', options)
    await panel(page).getByRole('button').click()
    await page.getByRole('heading', { name: 'The file was not opened' }).waitFor()
    vi.unstubAllEnvs()

    expect(await page.getByRole('main').innerText()).toContain('set LAUNCH_EDITOR to its command')
  })
})

describe('everyone can use them', () => {
  test.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['on a telephone', { viewport: { width: 360, height: 640 }, colorScheme: 'dark' }],
  ])('%s', async (name, options) => {
    const project = await openPreviewProject({
      'content/one.md': article('One', { body: `${'Text. '.repeat(500)} [link](nowhere.md) ![](x.png)` }),
    })
    const page = await openPage(project, '/articles/one', options)
    await shoot(page, name)
    const barriers = await findBarriers(page)
    await page.goto(project.url('/status'))
    await shoot(page, `status ${name}`)

    expect({ article: barriers, status: await findBarriers(page) }).toEqual({ article: [], status: [] })
  })
})

/** Takes pictures if the environment names a folder for them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['KB_TEST_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/problems ${name}.png` })
}

import { symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request as startRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startPreview } from '../../../src/watch/preview/start-preview.ts'
import { contentPrefix } from '../../../src/core/paths.ts'
import { openBrowser } from '../../support/browser.ts'
import { article, createProject } from '../../support/project.ts'
import { useEditorScript } from './editor-script.ts'
import { openPreviewProject, type PreviewProject } from './preview-project.ts'

const FILES = {
  'content/one.md': article('First steps', { body: 'Read [two](two.md).\n\nText of one.' }),
  'content/two.md': article('Two'),
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** fetch sets the headers that are tested here, so this does not use it. */
function ask(
  project: PreviewProject,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = startRequest(project.url(path), { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject).end(body)
  })
}

/** Reads the token from a page of the preview. */
async function readToken(project: PreviewProject): Promise<string> {
  const { body } = await ask(project, '/articles/one')
  return /name="token"\s+value="([^"]+)"/.exec(body)?.[1] ?? ''
}

describe('requests that no page of ours sends', () => {
  test('are rejected completely', async () => {
    const project = await openPreviewProject(FILES)
    const statuses = await Promise.all([
      ask(project, '/articles/one', { headers: { Host: 'evil.example' } }),
      ask(project, '/articles/one', { headers: { Origin: 'http://evil.example' } }),
      ask(project, '/_kb/events', { headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' } }),
      ask(project, '/articles/one', { method: 'DELETE' }),
      ask(project, '/articles/one', { headers: { Host: hostname() } }),
    ])

    expect(statuses.map(({ status, body }) => [status, body.includes('Text of one')])).toEqual([
      [403, false],
      [403, false],
      [403, false],
      [405, false],
      [200, true],
    ])
  })

  test("a page of another origin in the reader's browser can neither read anything nor press the button", async () => {
    const editor = useEditorScript()
    const project = await openPreviewProject(FILES)
    const page = await (await openBrowser()).newPage()
    await page.goto(await foreignSite())
    const tried = await page.evaluate(
      async ({ url, token }) => {
        const attempt = (path: string, init?: RequestInit) =>
          fetch(new URL(path, url), init).then(
            (response) => response.type,
            () => 'failed',
          )
        const form = new URLSearchParams({ token, file: 'content/one.md', line: '1', column: '1' })
        const events = new EventSource(new URL('/_kb/events', url))
        const stream = new Promise((resolve) => {
          events.addEventListener('open', () => resolve('open'))
          events.addEventListener('error', () => resolve('failed'))
        })
        return [
          await attempt('/articles/one'),
          await attempt('/_kb/open', { method: 'POST', body: form }),
          await attempt('/_kb/open', { method: 'POST', body: form, mode: 'no-cors' }),
          await stream,
        ]
      },
      { url: project.url('/'), token: await readToken(project) },
    )

    expect({ tried, opened: editor.calls() }).toEqual({
      // An opaque response reveals nothing. The editor shows that it had no effect either.
      tried: ['failed', 'failed', 'opaque', 'failed'],
      opened: [],
    })
  })
})

/** A site on another port: for browsers the same site, but another origin. */
async function foreignSite(): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<title>Foreign</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a HEAD request for updates leaves no open stream', async () => {
  const project = await openPreviewProject(FILES)
  expect(await ask(project, '/_kb/events', { method: 'HEAD' })).toEqual({ status: 204, body: '' })
})

test('links created by a function lead to the pages, whatever the slug', async () => {
  const articleUrl = ({ slug }: { slug: string }) => (slug.startsWith('x') ? `/x/${slug}` : `/kb/${slug}`)
  const files = {
    ...FILES,
    'content/all.md': article('All', { slug: '100%', body: 'Text of all.' }),
    'content/x.md': article('X', { slug: 'x-ray', body: 'Text of x.' }),
  }
  const project = await openPreviewProject(files, { config: { links: { article: articleUrl } } })
  const follow = async (path: string) => {
    const response = await fetch(project.url(path), { redirect: 'follow' })
    return [response.status, new URL(response.url).pathname, (await response.text()).includes('Text of')]
  }
  expect(await Promise.all(['/kb/one', '/kb/100%', '/x/x-ray', '/'].map(follow))).toEqual([
    [200, '/kb/one', true],
    [200, '/kb/100%25', true],
    [200, '/kb/x-ray', true],
    [200, '/', false],
  ])
  expect(project.failures).toEqual([])
})

describe('the button for the editor', () => {
  afterEach(() => vi.unstubAllEnvs())

  const press = async (project: PreviewProject, fields: Record<string, string>): Promise<Answer> => {
    const form = new URLSearchParams({ token: await readToken(project), line: '3', column: '7', ...fields })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }
    return ask(project, '/_kb/open', { method: 'POST', headers, body: form.toString() })
  }

  test('opens a file at its position, whatever its name', async () => {
    const editor = useEditorScript()
    const name = 'content/a; touch $(x) & "b".md'
    const project = await openPreviewProject({ ...FILES, [name]: article('Odd') })
    const answer = await press(project, { file: name })
    await editor.started

    expect({ status: answer.status, calls: editor.calls() }).toEqual({
      status: 204,
      calls: [[project.path(name), '3', '7']],
    })
  })

  test('opens a file of content outside of the project', async () => {
    const editor = useEditorScript()
    const outside = createProject({ 'one.md': article('One') })
    const project = await openPreviewProject({}, { config: { content: outside.root } })
    const file = `${contentPrefix(project.settings)}one.md`
    expect((await press(project, { file })).status).toBe(204)
    await editor.started

    expect(editor.calls()).toEqual([[outside.path('one.md'), '3', '7']])
  })

  test('an invalid position means the beginning', async () => {
    const editor = useEditorScript()
    const project = await openPreviewProject(FILES)
    await press(project, { file: 'content/one.md', line: '-1', column: '1e9' })
    await editor.started

    expect(editor.calls()).toEqual([[project.path('content/one.md'), '1', '1']])
  })

  test.each([
    ['../outside.md', 404],
    ['content', 404],
    ['content/none.md', 404],
    ['/etc/hostname', 404],
    ['link-out.md', 404],
    ['content/one.md\0.md', 404],
    ['', 404],
  ])('opens nothing for %j', async (file, status) => {
    useEditorScript()
    const project = await openPreviewProject(FILES)
    symlinkSync('/etc/hostname', project.path('link-out.md'))
    writeFileSync(join(project.root, '..', 'outside.md'), '')

    expect((await press(project, { file })).status).toBe(status)
  })

  test.each(['', 'wrong', '00000000-0000-0000-0000-000000000000'])(
    'with the token %j opens nothing',
    async (token) => {
      const editor = useEditorScript()
      const project = await openPreviewProject(FILES)
      const answer = await press(project, { file: 'content/one.md', token })

      expect({ answer, calls: editor.calls() }).toEqual({
        answer: {
          status: 403,
          body: JSON.stringify({
            message: 'The page is older than the running kb watch. Reload it and try again.',
          }),
        },
        calls: [],
      })
    },
  )

  test.each([
    ['vim', 'vim runs in a terminal and cannot be started from a page.'],
    ['/nowhere/no-editor', '/nowhere/no-editor could not be started.'],
  ])('explains what to configure if the editor is %s', async (command, reason) => {
    vi.stubEnv('LAUNCH_EDITOR', command)
    const project = await openPreviewProject(FILES)
    const answer = await press(project, { file: 'content/one.md' })

    expect({
      status: answer.status,
      message: (JSON.parse(answer.body) as { message: string }).message,
    }).toEqual({
      status: 503,
      message: `${reason} Start the editor first, or set LAUNCH_EDITOR to its command before you start kb watch, for example LAUNCH_EDITOR=code.`,
    })
  })

  test('a form that is too large is not read', async () => {
    const project = await openPreviewProject(FILES)

    expect((await press(project, { file: 'x'.repeat(20_000) })).status).toBe(413)
  })
})

describe('the port', () => {
  const options = async (port: number, isPortRequired: boolean) => {
    const { settings } = await openPreviewProject(FILES)
    return {
      settings,
      host: '127.0.0.1',
      port,
      isPortRequired,
      now: () => new Date(),
      onFailure: () => undefined,
    }
  }
  const start = async (port: number, isPortRequired: boolean) => {
    const preview = await startPreview(await options(port, isPortRequired))
    onTestFinished(() => preview.close())
    return preview
  }

  test('is the next free one if the usual one is taken', async () => {
    const first = await start(0, false)
    const taken = Number(new URL(first.url).port)
    const second = await start(taken, false)

    expect(first.portTaken).toBe(undefined)
    expect(second.portTaken).toBe(taken)
    expect(Number(new URL(second.url).port)).toBeGreaterThan(taken)
    expect((await fetch(second.url)).status).toBe(503)
  })

  test('is never replaced if it was requested', async () => {
    const first = await start(0, false)
    const taken = Number(new URL(first.url).port)

    await expect(start(taken, true)).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
    await expect(
      startPreview({ ...(await options(0, false)), host: 'no.such.host.invalid' }),
    ).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
  })

  test('is free again as soon as the preview is closed, even with open streams', async () => {
    const preview = await startPreview(await options(0, false))
    const stream = await fetch(new URL('/_kb/events', preview.url))
    const reader = stream.body?.getReader()
    await reader?.read()
    await preview.close()

    expect((await reader?.read().catch(() => ({ done: true })))?.done).toBe(true)
    expect((await start(Number(new URL(preview.url).port), true)).url).toBe(preview.url)
  })
})

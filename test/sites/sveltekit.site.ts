// SvelteKit builds the client within the build of the server, renders the pages, and only then its adapter runs.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startBuiltinService } from '../support/builtin-service.ts'
import { article } from '../support/project.ts'
import { useSite } from '../support/site.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

const site = useSite('sveltekit')

test('is set up as the guide shows it', () => {
  const page = fileURLToPath(new URL('../../content/automation/vite.md', import.meta.url))
  expect(readFileSync(page, 'utf8')).toContain(`\n${site.copy().read('vite.config.js')}`)
})

test('has the articles in its pages, and sends them once, when all of it is through', async () => {
  const service = await startBuiltinService()
  const copy = site.copy({
    'content/fr/mot-de-passe.md': article('Mot de passe', {
      language: 'fr',
      body: 'See [how](../reset-password.md).',
    }),
  })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vite', ['build'], { env })
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('3 created') })
  expect(output.match(/\[kb-sync\]/g)).toHaveLength(1)
  expect(output.indexOf('Wrote site to')).toBeLessThan(output.indexOf('[kb-sync]'))
  expect(copy.read('build/help/reset-password.html')).toContain('The link in the message works for one hour.')
  expect(copy.read('build/index.html')).toContain('<a href="/help/change-email">Change your email</a>')
  expect(copy.read('build/help/fr/mot-de-passe.html')).toContain('<a href="/help/reset-password"')
  expect(await service.articles()).toHaveLength(3)
  await service.close()
})

test('sends nothing when a page cannot be rendered', async () => {
  const service = await startBuiltinService()
  const copy = site.copy({
    'src/routes/help/[...id]/+page.svelte': '{(() => { throw new Error("broken on purpose") })()}\n',
  })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vite', ['build'], { env })
  expect([code, output.includes('broken on purpose'), await service.articles()]).toEqual([1, true, []])
  await service.close()
})

test('with check: warn, makes the site, and fails where it was to be sent', async () => {
  const service = await startBuiltinService()
  const copy = site.copy({
    'content/second.md': article('Second', { status: 'public' }),
    'vite.config.js': site.copy().read('vite.config.js').replace('kb({', "kb({ check: 'warn',"),
  })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1' }
  const { code, output } = await copy.run('vite', ['build'], { env })
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('Nothing was sent because of 1 problem in the content, shown above.'),
  })
  expect(output).toContain('content/second.md:4:9 error frontmatter-value')
  expect(copy.read('build/help/reset-password.html')).toContain('The link in the message works for one hour.')
  expect(await service.articles()).toEqual([])
  await service.close()
})

test('fails for a broken article, with its place', async () => {
  const copy = site.copy({ 'content/second.md': article('Second', { status: 'public' }) })
  const { code, output } = await copy.run('vite', ['build'])
  expect([code, output]).toEqual([1, expect.stringContaining(`${copy.path('content/second.md')}:4:9`)])
})

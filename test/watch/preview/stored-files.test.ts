import { expect, test } from 'vitest'
import { article } from '../../support/project.ts'
import { openPreviewProject } from './preview-project.ts'

test('the preview shows the files that the target stores', async () => {
  const project = await openPreviewProject(
    {
      'content/one.md': article('One', { body: '[Prices](prices.csv)' }),
      'content/prices.csv': 'a,b',
      'content/other.csv': 'c,d',
    },
    { config: { target: { url: 'https://kb.example.com' }, pages: { url: 'http://127.0.0.1/help' } } },
  )
  const [file] = project.view().content?.articles[0]?.files ?? []
  const look = async (name = '') => {
    const response = await fetch(project.url(`/files/${name}`))
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  const missing = { status: 404, text: 'There is no such file.\n' }
  expect(await look(file?.name)).toEqual({ status: 200, type: 'text/csv; charset=utf-8', text: 'a,b' })
  expect(await look('other.csv')).toMatchObject(missing)
  // Another content has another URL.
  project.write({ 'content/prices.csv': 'e,f' })
  expect(await look(file?.name)).toMatchObject(missing)
})

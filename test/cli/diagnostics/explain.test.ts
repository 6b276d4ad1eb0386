import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { explain } from '../../../src/cli/commands/explain.ts'
import { createSectionReader, guideUrl } from '../../../src/cli/diagnostics/guide-sections.ts'
import { ERRORS } from '../../../src/core/errors/catalogue.ts'
import { DIAGNOSTICS } from '../../../src/core/model/diagnostic-codes.ts'
import { collectingTerminal } from '../../support/collecting-terminal.ts'
import { createProject } from '../../support/project.ts'

async function run(code: string | undefined, options: object = {}): Promise<string> {
  const terminal = collectingTerminal()
  const { root } = createProject()
  await explain(code === undefined ? [] : [code], { cwd: root, ...options }, terminal)
  return terminal.output()
}

describe('kb explain CODE', () => {
  test('shows the section of the guide as text', async () => {
    expect(await run('frontmatter-missing')).toBe(
      [
        'frontmatter-missing error',
        '',
        'The file does not start with a line of three hyphens. This must be the very',
        'first line, without a blank line before it.',
        '',
        '    # Prices',
        '',
        '    Text without frontmatter.',
        '',
        'To fix it: start the file with `---`, then `title: …`, then `---`. To send',
        'Markdown without frontmatter, set the preset `folder`. Frontmatter between two',
        'lines `+++` is that of Hugo.',
        '',
        `In the guide: ${guideUrl('frontmatter-missing')}`,
        '',
      ].join('\n'),
    )
  })

  test('knows failures, and ignores case', async () => {
    expect(await run('locked')).toMatch(/^LOCKED ends the command with exit code 1\n\nAnother `kb` process/)
  })

  test('shows the severity of a rule in the project', async () => {
    const { root } = createProject({ 'kb.config.ts': "export default { rules: { 'bare-url': 'off' } }\n" })
    const [head] = (await run('bare-url', { cwd: root })).split('\n')
    expect(head).toBe("bare-url off; a rule: set rules['bare-url'] in kb.config.ts")
  })

  test('is one JSON document with --json', async () => {
    const { markdown, ...entry } = JSON.parse(await run('frontmatter-value', { json: true })) as {
      markdown: string
    }
    expect(entry).toEqual({
      version: 1,
      code: 'frontmatter-value',
      severity: 'error',
      isRule: false,
      summary: DIAGNOSTICS['frontmatter-value'].summary,
      url: guideUrl('frontmatter-value'),
    })
    expect(markdown).not.toMatch(/\]\(\.\./)
  })

  test('suggests a code if there is none with that name', async () => {
    await expect(run('slug-invlid')).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Did you mean "slug-invalid"?',
    })
    await expect(run('slug-')).rejects.toMatchObject({
      hint: 'Did you mean slug-invalid or slug-duplicate or slug-changed?',
    })
    await expect(run('zzzzzzzzzzzz')).rejects.toMatchObject({ hint: 'kb explain lists all codes.' })
  })

  test('without a code lists all of them, with their severities in the project', async () => {
    const { root } = createProject({ 'kb.config.ts': "export default { rules: { 'bare-url': 'off' } }\n" })
    const output = await run(undefined, { cwd: root })
    const lines = output.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    // A summary may continue on another line.
    const rows = lines.filter((line) => !line.startsWith(' ')).map((line) => line.split(/ {2,}/))
    expect(rows[0]).toEqual(['CODE', 'SEVERITY', 'WHAT IS WRONG'])
    const codes = [...Object.keys(DIAGNOSTICS), ...Object.keys(ERRORS)]
    expect(rows.slice(1, codes.length + 1).map(([code]) => code)).toEqual(codes)
    expect(rows.find(([code]) => code === 'bare-url')?.[1]).toBe('off')
    const json = JSON.parse(await run(undefined, { cwd: root, json: true })) as { codes: { code: string }[] }
    expect(json.codes.map(({ code }) => code)).toEqual(codes)
  })
})

test('each code of the catalogues has a section that is more than its heading', () => {
  const readSection = createSectionReader()
  for (const code of [...Object.keys(DIAGNOSTICS), ...Object.keys(ERRORS)]) {
    expect([code, (readSection(code) ?? '').length > 20]).toEqual([code, true])
  }
  expect(readSection('nothing')).toBeUndefined()
})

test('the output contains no raw Markdown and is not too wide, except for code', async () => {
  for (const code of Object.keys(DIAGNOSTICS)) {
    const lines = (await run(code)).split('\n').filter((line) => !line.startsWith('    '))
    expect(lines.join('\n').replace(/(`+)[^]*?\1/g, '')).not.toMatch(/\]\(|^```|\*\*/m)
    for (const line of lines.slice(1)) {
      if (!line.startsWith('In the guide')) expect(line.length).toBeLessThanOrEqual(80)
    }
  }
})

test('the guide is linked on the web if the program has a home page', () => {
  expect(guideUrl('slug-invalid', 'https://kb.example/help/')).toBe(
    'https://kb.example/help/articles/diagnostics#slug-invalid',
  )
  expect(guideUrl('LOCKED', 'https://kb.example')).toBe('https://kb.example/articles/errors#locked')
  const installed = new URL(guideUrl('slug-invalid', undefined))
  if (installed.protocol === 'file:') expect(readFileSync(installed, 'utf8')).toContain('### `slug-invalid`')
})

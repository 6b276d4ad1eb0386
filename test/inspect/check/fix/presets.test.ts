// Fixes in the folder of another tool: its keys and its syntax stay.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fixContent } from '../../../../src/inspect/check/fix/fix-content.ts'
import { settingsOf } from '../../../authoring/authoring-project.ts'
import { PRESET_NAMES, type PresetName } from '../../../../src/core/dialects/dialects.ts'
import { temporaryFolder } from '../../../support/folder.ts'

async function fix(
  preset: PresetName,
  name: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
) {
  const root = temporaryFolder()
  const file = join(root, 'content', name)
  for (const [each, content] of Object.entries({ ...others, [name]: text })) {
    mkdirSync(dirname(join(root, 'content', each)), { recursive: true })
    writeFileSync(join(root, 'content', each), content)
  }
  const { fixed, diagnostics } = await fixContent({
    settings: settingsOf(root, { preset, content: 'content' }),
  })
  return {
    text: readFileSync(file, 'utf8'),
    fixed: fixed.map(({ line, code }) => `${line} ${code}`),
    left: diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`),
  }
}

test('our own keys are fixed among those of the tool, which do not count as typos', async () => {
  const head = (date: string) =>
    `---\nsidebar_positon: 3 # not ours\nsidebar_position: 2\ntitel: their own\nreviewDate: ${date} # soon\npagination_next: null\ntags: []\n---\n`
  expect(await fix('docusaurus', 'a.md', `${head('2027/1/31')}\n# A\n\nText \n`)).toEqual({
    text: `${head('2027-01-31')}\n# A\n\nText\n`,
    fixed: ['5 date-invalid', '12 trailing-space'],
    left: [],
  })
})

test.each(PRESET_NAMES)(
  '%s: a misspelled key of a draft is corrected, unless the key exists',
  async (preset) => {
    const page = (...lines: string[]) => `---\ntitle: A\nexcerpt: E\n${lines.join('\n')}\n---\n\nText.\n`
    for (const [written, key] of [
      ['sttaus: draft', 'status: draft'],
      ['drfat: true', 'draft: true'],
    ] as const)
      expect(await fix(preset, 'a.md', page(written))).toMatchObject({
        text: page(key),
        fixed: ['4 frontmatter-unknown-key'],
      })
    const twice = page('draft: false', 'drfat: true')
    expect(await fix(preset, 'a.md', twice)).toMatchObject({
      text: twice,
      left: ['5:1 frontmatter-unknown-key'],
    })
  },
)

test('a value derived from another one is not written into it', async () => {
  const text = '---\nsidebar_position: 1.5\nslug: /a b/c\ndescription: [a]\nimage: ./local.png\n---\n\n# A\n'
  expect(await fix('docusaurus', 'a.md', text)).toEqual({ text, fixed: [], left: ['4:14 frontmatter-value'] })
})

test('fixes in TOML are never written as YAML', async () => {
  const text = "+++\ntitle = 'A'\nreviewDate = '2027/1/31'\nweight = 2\n+++\nText.\n"
  expect(await fix('hugo', 'a.md', text)).toEqual({ text, fixed: [], left: ['3:14 date-invalid'] })
})

test('JSON stays JSON', async () => {
  const text = (date: string) => `{\n  "title": "A",\n  "reviewDate": "${date}"\n}\nText.\n`
  expect(await fix('hugo', 'a.md', text('2027/1/31'))).toEqual({
    text: text('2027-01-31'),
    fixed: ['3 date-invalid'],
    left: [],
  })
})

test('names in wiki links are corrected, and the rest of the link stays', async () => {
  const others = {
    'Coffee/Espresso.md': '## How to\n',
    'Deep/Flat white.md': 'Text.\n',
    'a/Same one.md': 'A.\n',
    'b/Same one.md': 'B.\n',
  }
  const text = (espresso: string, path: string, white: string) =>
    `[[${espresso}]] and [[ ${espresso}#How to|how]], [[${path}|x]], [[${white}]] [y](${espresso}).\n\n[[Sane one]] [z](Flat%20whit) [[#Nowhere]]\n`
  expect(await fix('obsidian', 'Note.md', text('Expresso', 'coffee/espreso', 'Flat whit'), others)).toEqual({
    text: text('Espresso', 'Coffee/Espresso', 'Flat white'),
    fixed: Array.from({ length: 5 }, () => '1 link-file-missing'),
    left: [
      '1:1 excerpt-from-title',
      '3:3 link-file-missing',
      '3:18 link-file-missing',
      '3:33 link-heading-missing',
    ],
  })
})

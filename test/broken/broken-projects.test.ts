// What kb check says of projects that are broken in many ways, to the letter: as text of 80 columns, and as a terminal
// shows it. The projects are data; UPDATE_EXPECTED=1 writes down anew what is expected, to be read before it is kept.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import xterm from '@xterm/headless'
import pc from 'picocolors'
import { describe, expect, test } from 'vitest'
import { checkContent } from '../../src/cli/commands/check.ts'
import { type CollectingTerminal, collectingTerminal } from '../support/collecting-terminal.ts'
import { temporaryFolder } from '../support/folder.ts'

const COLUMNS = 80
const PROJECTS = fileURLToPath(new URL('projects', import.meta.url))
const NAMES = readdirSync(PROJECTS).filter((name) => !name.startsWith('.'))
const isUpdate = process.env['UPDATE_EXPECTED'] === '1'

async function check(
  name: string,
  isColorful: boolean,
): Promise<{ terminal: CollectingTerminal; code: number }> {
  const root = temporaryFolder()
  cpSync(join(PROJECTS, name), root, { recursive: true })
  const terminal = collectingTerminal({ columns: COLUMNS, colors: pc.createColors(isColorful) })
  const code = await checkContent([], { cwd: root }, terminal)
  return { terminal, code }
}

/** The lines of a terminal to which `text` was written; those that went on in another one are marked. */
async function screen(text: string): Promise<readonly string[]> {
  const lines = text.split('\n').length
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: lines + 1,
    convertEol: true,
    allowProposedApi: true,
  })
  await new Promise<void>((done) => terminal.write(text, done))
  const { active } = terminal.buffer
  return Array.from({ length: active.length }, (_, index) => {
    const line = active.getLine(index)
    return `${line?.isWrapped === true ? 'WRAPPED ' : ''}${line?.translateToString(true) ?? ''}`
  })
}

describe.each(NAMES)('%s', (name) => {
  const file = join(PROJECTS, name, 'expected.txt')

  test('is reported to the letter', async () => {
    const { terminal, code } = await check(name, false)
    const report = `${terminal.output()}exit code ${code}\n`
    if (isUpdate) writeFileSync(file, report)
    expect(report).toBe(readFileSync(file, 'utf8'))
  })

  test('fits a terminal, with and without colour', async () => {
    const plain = (await check(name, false)).terminal.output()
    const colorful = (await check(name, true)).terminal.output()
    const shown = await screen(plain)
    expect(shown.filter((line) => line.startsWith('WRAPPED'))).toEqual([])
    expect(shown.join('\n').trimEnd()).toBe(plain.trimEnd())
    expect(await screen(colorful)).toEqual(shown)
  })
})

test('no text reaches the terminal that could repaint it', async () => {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
  for (const name of NAMES) expect((await check(name, false)).terminal.output()).not.toMatch(unsafe)
})

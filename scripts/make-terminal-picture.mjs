// Draws docs/terminal.svg from a real run: a copy of this project's own content is checked, synced twice, edited and
// synced again with the built binary, and what it printed becomes the picture.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const project = mkdtempSync(join(tmpdir(), 'kb-picture-'))
const EDITED = 'content/getting-started/quick-start.md'

const LINE_HEIGHT = 20
const CHAR_WIDTH = 8.4
const COLUMNS = 80
const PADDING = 20

const ESCAPE = '\u001b['
/** A colour or style as ECMA-48 writes it. */
const SGR = new RegExp(`(${ESCAPE.replace('[', '\\[')}\\d+m)`)

const COLORS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 90: '#8b949e' }

try {
  for (const name of ['content', 'kb.config.ts', 'package.json']) {
    cpSync(join(root, name), join(project, name), { recursive: true })
  }
  const lines = [
    ...run('npx kb check'),
    ...run('npx kb sync'),
    ...run('npx kb sync'),
    ...edit(`echo 'One more line.' >> ${EDITED}`),
    ...run('npx kb sync'),
  ]
  writeFileSync(join(root, 'docs', 'terminal.svg'), draw(lines))
} finally {
  rmSync(project, { recursive: true, force: true })
}

/** The command as typed, what it printed, and an empty line. */
function run(command) {
  const args = [join(root, 'dist/cli/bin.js'), ...command.split(' ').slice(2)]
  const env = { ...process.env, FORCE_COLOR: '1', CI: '' }
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with exit code ${status}:\n${stdout}`)
  return [prompt(command), ...stdout.trimEnd().split('\n'), '']
}

function edit(command) {
  appendFileSync(join(project, EDITED), '\nOne more line.\n')
  return [prompt(command)]
}

function prompt(command) {
  return `\u001b[32m$\u001b[39m \u001b[1m${command}\u001b[22m`
}

function draw(lines) {
  const height = lines.length * LINE_HEIGHT + 2 * PADDING
  const width = Math.round(COLUMNS * CHAR_WIDTH + 2 * PADDING)
  const text = lines.map((line, index) => drawLine(line, PADDING + (index + 0.75) * LINE_HEIGHT)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal: kb check finds no problems, kb sync creates every article, a second run has nothing to do, and after an edit exactly one article is replaced.">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${text}
</g>
</svg>
`
}

/** One line of text with its colours (SGR sequences) as spans, each at its own column so that fonts cannot drift. */
function drawLine(line, y) {
  let style = {}
  let column = 0
  const spans = line.split(SGR).flatMap((part) => {
    const code = part.startsWith(ESCAPE) ? part.slice(2, -1) : undefined
    if (code !== undefined) {
      style = applyCode(style, Number(code))
      return []
    }
    if (part === '') return []
    const x = PADDING + column * CHAR_WIDTH
    column += part.length
    return [`<tspan x="${x.toFixed(1)}"${attributes(style)}>${escapeXml(part)}</tspan>`]
  })
  return `<text y="${y}" xml:space="preserve">${spans.join('')}</text>`
}

function applyCode(style, code) {
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, color: COLORS[90] }
  if (code === 22) return { ...style, bold: false, color: undefined }
  if (code === 39) return { ...style, color: undefined }
  return code in COLORS ? { ...style, color: COLORS[code] } : style
}

function attributes({ bold, color }) {
  return `${bold ? ' font-weight="700"' : ''}${color === undefined ? '' : ` fill="${color}"`}`
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'

/** A value as TOML, in the way that `like` is written in `toml` where that can hold it. */
export function formatToml(value: unknown, toml: string, like: AST.TOMLContentNode | undefined): string {
  if (typeof value !== 'string' || like?.type !== 'TOMLValue') return plainToml(value)
  const written = writtenLike(value, toml, like)
  return written !== undefined && readsAs(written, value) ? written : plainToml(value)
}

/** A value as TOML: a JSON text is a basic string of TOML as well, but for one character. */
function plainToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainToml).join(', ')}]`
  if (typeof value === 'string') return basicToml(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${plainToml(inner)}`)
  return `{ ${pairs.join(', ')} }`
}

function basicToml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`)
}

function writtenLike(text: string, toml: string, like: AST.TOMLValue): string | undefined {
  if (like.kind === 'local-date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined
  if (like.kind !== 'string') return undefined
  if (!like.multiline) return like.style === 'literal' ? `'${text}'` : undefined
  const source = toml.slice(...like.range)
  const quotes = source.slice(0, 3)
  // A line end behind the quotes is no part of the text.
  const lead = /^\r?\n/.exec(source.slice(3))?.[0] ?? ''
  const inner = like.style === 'literal' ? text : basicLines(text)
  return `${quotes}${lead}${inner}${quotes}`
}

/** As a basic string, with its line feeds as they are; of quotes only those that might end it are escaped. */
function basicLines(text: string): string {
  const inner = basicToml(text).slice(1, -1)
  return inner.replaceAll(/\\(.)/g, (whole, char: string, offset: number) => {
    if (char === 'n') return '\n'
    const rest = inner.slice(offset + whole.length, offset + whole.length + 2)
    return char === '"' && rest !== '' && rest !== String.raw`\"` ? char : whole
  })
}

function readsAs(written: string, value: string): boolean {
  try {
    const read = getStaticTOMLValue(parseTOML(`v = ${written}\n`))['v']
    return read instanceof Date || read === value
  } catch {
    return false
  }
}

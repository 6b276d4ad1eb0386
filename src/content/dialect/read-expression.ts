// What stands in braces is JavaScript, which is never run. Some of it says by itself what comes out.

/** What an expression shows: nothing for a comment, its words for a literal; undefined where only running it tells. */
export function readExpression(code: string): string | undefined {
  // Behind the last end there is none to look for.
  const end = code.lastIndexOf('*/') + 1
  const bare = `${code.slice(0, end + 1).replace(/\/\*[\s\S]*?\*\//g, '')}${code.slice(end + 1)}`.trim()
  const meant = bare.startsWith('//') ? bare.replace(/^[^\S\n]*\/\/.*$/gm, '').trim() : bare
  if (meant === '' || /^(?:null|undefined|true|false)$/.test(meant)) return ''
  if (/^\d+(?:\.\d+)?$/.test(meant)) return meant
  return readString(meant)
}

/** The address of a file in an attribute: written, imported where it is used, or put below the address of the site. */
export function readAddressExpression(code: string): string | undefined {
  const loaded = /^require\(\s*(['"`])([^'"`]+)\1\s*\)(?:\.default)?$/.exec(code.trim())?.[2]
  // `!` ends the name of what webpack reads the file with.
  if (loaded !== undefined) return loaded.replace(/^.*!(?=.)/s, '')
  const based = /^useBaseUrl\(\s*(['"`])([^'"`]+)\1\s*(?:,[^()]*)?\)$/.exec(code.trim())?.[2]
  // It puts a path below the root of the site, with a slash at its beginning or without; other addresses it leaves alone.
  return based === undefined || /^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(based) ? based : `/${based}`
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readString(code: string): string | undefined {
  const quoted = /^(['"`])((?:\\[^ux\d]|(?!\1)[^\\])*)\1$/s.exec(code)
  if (quoted === null) return undefined
  const [, quote, text = ''] = quoted
  if (quote === '`' && /(?<!\\)\$\{/.test(text)) return undefined
  return text.replace(/\\([\s\S])/g, (_, char: string) => (char === '\n' ? '' : (ESCAPES[char] ?? char)))
}

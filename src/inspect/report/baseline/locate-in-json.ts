import { JSONParser } from '@streamparser/json'
import { LineCounter, parseDocument } from 'yaml'

/** The line (1-based) in which a text stops being JSON. */
export function lineOfFault(text: string): number {
  const lines = text.split('\n')
  const parser = new JSONParser()
  parser.onValue = () => undefined
  let isFaulty = false
  parser.onError = () => (isFaulty = true)
  const index = lines.findIndex((line) => {
    parser.write(`${line}\n`)
    return isFaulty
  })
  // Where nothing is wrong, the end is missing.
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return Math.max(index === -1 ? last : index, 0) + 1
}

/** The line (1-based) in which a value of a JSON text begins; of its nearest parent where it is missing. */
export function lineOfValue(json: string, path: readonly PropertyKey[]): number {
  const lineCounter = new LineCounter()
  // All JSON is YAML, and this parser knows where things stand.
  const document = parseDocument(json, { lineCounter })
  const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined
  const start = node?.range?.[0]
  if (start !== undefined) return lineCounter.linePos(start).line
  return path.length === 0 ? 1 : lineOfValue(json, path.slice(0, -1))
}

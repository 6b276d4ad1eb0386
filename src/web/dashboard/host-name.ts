import { escapeControlInLine } from '../../core/escape-control.ts'

/** A host as people read it; links within the knowledge base have none. */
export function hostName(host: string): string {
  return host === '' ? 'this knowledge base' : escapeControlInLine(host)
}

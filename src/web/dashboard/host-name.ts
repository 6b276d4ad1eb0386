import { printableLine } from '../../core/printable.ts'

/** A host as people read it; links within the knowledge base have none. */
export function hostName(host: string): string {
  return host === '' ? 'this knowledge base' : printableLine(host)
}

import type { PresetName } from '../../core/model/preset-name.ts'
import { ownSyntaxOf } from './source-tokens.ts'

/** A new body, and what stood in the file of the blocks that it has. */
export interface MadeBody {
  readonly body: string
  readonly origin: string
}

/** What only the tool knows and the author had written, and is not in the new body, in words, each once. */
export function lostSyntax({ body, origin }: MadeBody, dialect: PresetName | undefined): string[] {
  if (dialect === undefined) return []
  const left = ownSyntaxOf(body, dialect)
  const lost = ownSyntaxOf(origin, dialect).filter((written) => {
    const index = left.indexOf(written)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
  return [...new Set(lost)].map((written) => `the file's own ${written.replaceAll(/\s+/g, ' ')}`)
}

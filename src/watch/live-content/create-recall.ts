import type { RecallCompiled } from '../../content/compile-sources.ts'
import type { BuiltArticle } from './known-content.ts'

/** Recalls what a file compiled to, as long as its bytes and those of what it includes are the same. */
export function createRecall(
  compiled: ReadonlyMap<string, BuiltArticle>,
  lost: ReadonlySet<string>,
): RecallCompiled {
  return (source, sourceHash, hashOf) => {
    const known = compiled.get(source)?.article
    if (known === undefined || known.sourceHash !== sourceHash || lost.has(known.inputKey)) return undefined
    const { includes = [] } = known.meta
    return includes.every(([included, hash]) => hashOf(included) === hash) ? known : undefined
  }
}

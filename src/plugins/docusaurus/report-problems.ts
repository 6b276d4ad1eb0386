import type { Compiler } from './docusaurus-types.ts'
import { withoutStack } from './tool-error.ts'

/** Problems as the development server shows them. */
export interface ShownProblems {
  readonly kind: 'error' | 'warning'
  readonly message: string
}

/**
 * Adds the problems of the content to those of the bundle: so the development server prints them, shows them over the
 * page, and takes them away when they are mended.
 *
 * @param watchedFile written anew whenever the problems change, which makes the bundler look again
 */
export function problemReporter(
  problems: () => ShownProblems | undefined,
  watchedFile: () => string | undefined,
): { apply(compiler: Compiler): void } {
  return {
    apply: (compiler) => {
      compiler.hooks.afterCompile.tap('kb-sync', (compilation) => {
        // The frame of the pages is a compilation of its own, within this one: with errors in it there is no page at all.
        if (compilation.compiler !== compiler) return
        const file = watchedFile()
        if (file !== undefined) compilation.fileDependencies.add(file)
        const found = problems()
        if (found === undefined) return
        const list = found.kind === 'error' ? compilation.errors : compilation.warnings
        list.push(withoutStack(found.message))
      })
    },
  }
}

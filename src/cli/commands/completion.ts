import { resolve } from 'node:path'
import type { Command } from 'commander'
import { KbError } from '../../core/errors/kb-error.ts'
import { didYouMean } from '../../core/nearest.ts'
import { complete } from '../completion/complete.ts'
import { COMPLETION_SCRIPTS, type Shell } from '../completion/completion-script.ts'
import { createValueFinder, SHELLS } from '../completion/find-values.ts'
import { formatForBash, formatWithDescriptions, splitShellLine } from '../completion/shell-words.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CommonFlags } from './run-on-project.ts'

/**
 * `kb completion`: prints the script for a shell. The script runs it with `words` to get the completions: bash passes
 * its word breaks and its line, other shells the words after the program's name.
 *
 * @throws KbError USAGE
 */
export function completionOf(program: Command) {
  return async (
    [shell = '', ...words]: readonly string[],
    { cwd = '.' }: CommonFlags,
    terminal: Terminal,
  ): Promise<void> => {
    if (!isShell(shell)) throw unknownShell(shell)
    const text =
      words.length === 0 ? COMPLETION_SCRIPTS[shell] : await answer(shell, words, program, resolve(cwd))
    terminal.out(text)
  }
}

/** An incomplete command line may be invalid, which is not an error. */
async function answer(
  shell: Shell,
  words: readonly string[],
  program: Command,
  cwd: string,
): Promise<string> {
  const findValues = createValueFinder(cwd)
  try {
    if (shell !== 'bash') {
      const asWritten = shell === 'fish' ? [...words.slice(0, -1), unquote(words.at(-1) ?? '')] : words
      return formatWithDescriptions(await complete(program, asWritten, findValues))
    }
    const [breaks = '', text = ''] = words
    const line = splitShellLine(text, breaks)
    return formatForBash(await complete(program, line.words.slice(1), findValues), line)
  } catch {
    return ''
  }
}

/** fish passes the word at the cursor as written. */
function unquote(word: string): string {
  return word.replace(/^['"]/, '').replace(/\\(.)/g, '$1')
}

function isShell(shell: string): shell is Shell {
  return Object.hasOwn(COMPLETION_SCRIPTS, shell)
}

function unknownShell(shell: string): KbError {
  return new KbError('USAGE', `There is no completion for "${shell}".`, {
    hint: didYouMean(shell, SHELLS) ?? `The shells are: ${SHELLS.join(', ')}.`,
  })
}

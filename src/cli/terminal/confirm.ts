import type { Readable, Writable } from 'node:stream'
import { KbError } from '../../core/errors/kb-error.ts'

export interface PromptStreams {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
}

/** Returns the terminal of this process. Results go to stdout, everything else to stderr. */
export function processStreams(): PromptStreams {
  return { input: process.stdin, output: process.stderr }
}

/**
 * Asks before something is deleted.
 *
 * @param question what will happen, a sentence that ends with a question mark
 * @throws KbError NOT_CONFIRMED if the answer is no, or there is no user to ask: nothing may be done
 */
export async function confirm(question: string, { input, output }: PromptStreams): Promise<void> {
  if (input.isTTY !== true || output.isTTY !== true) {
    throw new KbError(
      'NOT_CONFIRMED',
      `${question} kb cannot ask for confirmation here, so nothing was changed.`,
      { hint: 'To confirm, run the command with --yes.' },
    )
  }
  const prompts = await import('@clack/prompts')
  const answer = await prompts.confirm({ message: question, initialValue: false, input, output })
  if (answer !== true) throw new KbError('NOT_CONFIRMED', 'Not confirmed. Nothing was changed.')
}

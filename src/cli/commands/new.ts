import type { CategoryChoice } from '../../authoring/create/create-options.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { NewArticleOptions } from '../../kb/options.ts'
import { formatCreated, formatCreatedJson } from '../results/format-created.ts'
import { type PromptStreams, processStreams } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommonFlags, runOnProject } from './run-on-project.ts'

export type NewFlags = CommonFlags & Omit<NewArticleOptions, 'title' | 'signal' | 'chooseCategory'>

export async function runNew(
  [title = '']: readonly string[],
  options: NewFlags,
  terminal: Terminal,
  conversation: PromptStreams = processStreams(),
): Promise<ExitCode> {
  const { json = false, quiet = false } = options
  const chooseCategory = json ? undefined : askCategory(conversation, terminal)
  return runOnProject([], options, terminal, async ({ kb, signal }) => {
    const created = await kb.newArticle({ ...options, title, signal, chooseCategory })
    terminal.out(json ? formatCreatedJson(created) : formatCreated(created, quiet, terminal))
    return EXIT.done
  })
}

/** Returns a question for the terminal, or undefined if there is no user to ask. */
function askCategory(streams: PromptStreams, terminal: Terminal): NewArticleOptions['chooseCategory'] {
  const { input, output } = streams
  if (input.isTTY !== true || output.isTTY !== true) return undefined
  return async (choices) => {
    terminal.status('')
    const prompts = await import('@clack/prompts')
    const answer = await prompts.select({
      message: 'Which category is it in?',
      options: choices.map(toOption),
      maxItems: 12,
      input,
      output,
    })
    if (!prompts.isCancel(answer)) return answer
    throw new KbError('INTERRUPTED', 'Stopped before anything was written.', {
      hint: 'Set it with --category.',
    })
  }
}

function toOption({ reference, path, articles }: CategoryChoice) {
  return { value: reference, label: escapeControlInLine(path), hint: pluralize(articles, 'article') }
}

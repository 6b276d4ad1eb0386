import { createArticle } from '../../authoring/create/create-article.ts'
import type { CategoryChoice, CreateOptions } from '../../authoring/create/create-options.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { CommonOptions } from './common-options.ts'
import type { Conversation } from '../terminal/confirm.ts'
import { formatCreated, formatCreatedJson } from '../results/format-created.ts'
import { runOnProject } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface NewCommandOptions extends CommonOptions {
  readonly category?: readonly string[]
  readonly tag?: readonly string[]
  readonly language?: string
  readonly translationOf?: string
  readonly slug?: string
  readonly dir?: string
  readonly dryRun?: boolean
}

/** `kb new TITLE` */
export async function runNew(
  title: string,
  options: NewCommandOptions,
  terminal: Terminal,
  conversation: Conversation,
): Promise<ExitCode> {
  const { category, tag, dir, json = false, quiet = false } = options
  const ask = json ? undefined : askCategory(conversation, terminal)
  return runOnProject([], options, terminal, async ({ settings, cwd, signal }) => {
    const created = await createArticle({
      ...options,
      settings,
      cwd,
      signal,
      title,
      categories: category,
      tags: tag,
      folder: dir,
      chooseCategory: ask,
    })
    terminal.out(json ? formatCreatedJson(created) : formatCreated(created, quiet, terminal))
    return EXIT.done
  })
}

/** A question on the terminal; undefined where nobody can be asked. */
function askCategory({ input, output }: Conversation, terminal: Terminal): CreateOptions['chooseCategory'] {
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
      hint: 'Name it with --category.',
    })
  }
}

function toOption({ reference, path, articles }: CategoryChoice) {
  return { value: reference, label: escapeControlInLine(path), hint: pluralize(articles, 'article') }
}

import { CommanderError } from 'commander'
import { KbError } from '../../core/errors/kb-error.ts'

/** A usage error in which it can be told what was meant; undefined for any other failure. */
export function explainUsage(error: unknown, argv: readonly string[]): KbError | undefined {
  if (!(error instanceof CommanderError)) return undefined
  const hint = hintFor(error, argv)
  return hint === undefined
    ? undefined
    : new KbError('USAGE', error.message.replace(/^error: /, ''), { hint })
}

function hintFor({ code, message }: CommanderError, argv: readonly string[]): string | undefined {
  const [first = ''] = argv
  const isUnknown = code === 'commander.unknownOption'
  if (message.includes('(Did you mean')) return undefined
  if (code === 'commander.unknownCommand')
    return `${first === 'admin' ? 'kb admin' : 'kb'} --help lists the commands.`
  if (code === 'commander.missingArgument') return `See kb ${first} --help.`
  if (isUnknown && first.startsWith('-')) return 'Flags stand behind the command, as in kb check --cwd docs.'
  if (first !== 'new') return undefined
  if (code === 'commander.excessArguments') return 'Put the title in quotes: kb new "Reset your password".'
  const isTitle = isUnknown && /\s/.test(message.replace(/^error: unknown option /, ''))
  return isTitle ? 'Put -- before a title that begins with a hyphen: kb new -- "- and so on".' : undefined
}

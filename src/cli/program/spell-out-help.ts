import type { Command } from 'commander'

/**
 * `admin help keys add` as `admin keys add --help`: commander's own help command looks one word deep, and answers a name
 * that it does not know with the help of all.
 */
export function spellOutHelp(argv: readonly string[], { commands }: Command): readonly string[] {
  const at = argv[0] === 'admin' ? 1 : 0
  const words = argv.slice(at + 1)
  const [name] = words
  if (argv[at] !== 'help' || name === undefined) return argv
  const isKnown = at === 1 || commands.some((command) => command.name() === name)
  return [...argv.slice(0, at), ...words, ...(isKnown ? ['--help'] : [])]
}

/** `admin help keys add` as `admin keys add --help`: commander's own help command looks one word deep. */
export function spellOutHelp(argv: readonly string[]): readonly string[] {
  const at = argv[0] === 'admin' ? 1 : 0
  const words = argv.slice(at + 1)
  return argv[at] === 'help' && words.length > 1 ? [...argv.slice(0, at), ...words, '--help'] : argv
}

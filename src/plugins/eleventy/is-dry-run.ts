/** Whether the command of Eleventy was told to write nothing; it does not tell its plugins. */
export function isDryRun(argv: readonly string[]): boolean {
  return argv.some((argument) => argument === '--dryrun' || argument === '--dryrun=true')
}

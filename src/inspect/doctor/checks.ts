/** The areas that findings are grouped by, in the order in which they are looked at. */
export const AREAS = {
  program: 'Program',
  configuration: 'Configuration',
  files: 'Files',
  workspace: 'Workspace',
  state: 'State',
  database: 'Database',
  connection: 'Connection',
  target: 'Target',
  probe: 'Probe',
} as const

/** Every check of `kb doctor` by name, with what it looks at. The guide lists each one; a test holds both together. */
export const CHECKS = {
  'program.version': 'the versions of kb-sync and Node.js',
  'program.parser': 'which Markdown parser runs',
  'configuration.file': 'whether kb.config.ts is found and valid',
  'configuration.project': 'the project name, by which articles are told apart',
  'configuration.preset':
    'whose frontmatter and Markdown the files have, where they are not those of kb-sync',
  'configuration.environment': 'the variables that begin with KB_',
  'configuration.target': 'which target this is about, and its address',
  'configuration.key': 'where the API key comes from',
  'files.content': 'the content folder and its articles',
  'files.problems': 'errors and warnings of kb check',
  'workspace.folder': 'whether .kb can be written',
  'workspace.ignored': 'whether git ignores .kb',
  'workspace.space': 'free disk space',
  'workspace.key-file': 'who may read .kb/api-key',
  'state.file': 'what the last run knew',
  'state.lock': 'whether another kb is at work',
  'state.journal': 'whether the last run was cut off',
  'database.file': 'the database of the built-in server',
  'connection.proxy': 'whether a proxy is in the way',
  'connection.answer': 'whether the target answers, as documented, and accepts the key',
  'connection.write': 'whether the key may write',
  'connection.clock': 'the clock of the target against the one here',
  'target.known': 'whether it still has the articles that the state knows',
  'target.limit': 'the article limit',
  'target.update': 'whether articles can be changed in place',
  'target.languages': 'whether the languages of the files can be sent',
  'target.comments': 'whether HTML comments, and with them our markers, are kept',
  'target.slugs': 'whether two articles may have one slug',
  'target.categories': 'categories of _categories.yml that the target lacks',
  'target.tags': 'tags of _tags.yml that the target lacks',
  'probe.run': 'whether the probe came to its end',
  'probe.leftovers': 'articles of an earlier probe that was cut off',
  'probe.create': 'whether an article can be created',
  'probe.listed': 'how long it takes until a new article is listed',
  'probe.comments': 'whether the marker comes back',
  'probe.fields': 'whether all fields come back as sent',
  'probe.content': 'whether the HTML comes back as sent',
  'probe.excerpt': 'whether 160 characters are 160 characters, emoji too',
  'probe.slugs': 'what becomes of a second article with the same slug',
  'probe.update': 'whether an update in place does what it says',
  'probe.languages': 'whether a translation keeps its language and its original',
  'probe.removed': 'whether everything the probe made is gone again',
} as const

export type CheckName = keyof typeof CHECKS

export type Area = keyof typeof AREAS

export function areaOf(check: CheckName): Area {
  return check.slice(0, check.indexOf('.')) as Area
}

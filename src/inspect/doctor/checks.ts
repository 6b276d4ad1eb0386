/** The groups of findings, in the order of the checks. */
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

/** Every check of `kb doctor` by name, with its description. A test compares the list with the guide. */
export const CHECKS = {
  'program.version': 'the versions of kb-sync and Node.js',
  'program.parser': 'which Markdown parser runs',
  'program.git': 'whether git can be found, in a git repository',
  'configuration.file': 'whether kb.config.ts exists and is valid',
  'configuration.project': 'the project name, which identifies the articles',
  'configuration.preset': 'the preset for the frontmatter and Markdown of another tool',
  'configuration.environment': 'the variables that start with KB_',
  'configuration.target': 'the target and its URL',
  'configuration.key': 'the source of the API key',
  'configuration.password': 'whether the password of the pages is in the configuration',
  'files.content': 'the content folder and its articles',
  'files.problems': 'errors and warnings of kb check',
  'workspace.folder': 'whether .kb can be written',
  'workspace.ignored': 'whether git ignores .kb',
  'workspace.space': 'free disk space',
  'workspace.key-file': 'who may read .kb/api-key',
  'state.file': 'the state of the last run',
  'state.lock': 'whether another kb is running',
  'state.journal': 'whether the last run was interrupted',
  'database.file': 'the database of the built-in server',
  'connection.proxy': 'whether a proxy is used',
  'connection.answer': 'whether the target responds as documented and accepts the key',
  'connection.write': 'whether the key may write',
  'connection.clock': 'whether the clocks of the target and of this machine agree',
  'target.known': 'whether it still has the articles in the state',
  'target.limit': 'the article limit',
  'target.update': 'whether articles can be updated in place',
  'target.languages': 'whether the languages of the files can be sent',
  'target.comments': 'whether the target keeps HTML comments, including markers',
  'target.slugs': 'whether two articles may have the same slug',
  'target.categories': 'categories of _categories.yml that the target lacks',
  'target.tags': 'tags of _tags.yml that the target lacks',
  'probe.run': 'whether the probe was complete',
  'probe.leftovers': 'articles of an earlier, interrupted probe',
  'probe.create': 'whether an article can be created',
  'probe.listed': 'the delay until a new article is listed',
  'probe.comments': 'whether the marker is kept',
  'probe.fields': 'whether all fields are stored as sent',
  'probe.content': 'whether the HTML is stored as sent',
  'probe.excerpt': 'whether an excerpt may have 160 characters, including emoji',
  'probe.slugs': 'what happens to a second article with the same slug',
  'probe.update': 'whether an update in place takes effect',
  'probe.languages': 'whether a translation keeps its language and its original',
  'probe.removed': 'whether everything that the probe created was removed',
} as const

export type CheckName = keyof typeof CHECKS

export type Area = keyof typeof AREAS

export function areaOf(check: CheckName): Area {
  return check.slice(0, check.indexOf('.')) as Area
}

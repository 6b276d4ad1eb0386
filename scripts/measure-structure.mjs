// Figures of a folder of TypeScript sources, made from their text alone.
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

const SMALL_FILE_LINES = 60
const LONG_FUNCTION_LINES = 60

export function measureStructure(texts) {
  const files = Object.entries(texts).map(([path, text]) => readSource(path, text))
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const exportedTypes = files.reduce((sum, file) => sum + file.exportedTypes, 0)
  return {
    lines: { value: lines, of: [] },
    files: { value: files.length, of: [] },
    'files under 60 lines beside their one importer': listed(smallFilesBesideOneImporter(files)),
    rooms: listed([...new Set(files.map(({ path }) => roomOf(path)))].filter((room) => !room.includes('.'))),
    'arrows between rooms': listed(arrowsBetweenRooms(files)),
    'names exported twice': listed(namesExportedTwice(files)),
    'functions over 60 lines': listed(files.flatMap((file) => file.longFunctions)),
    'exported types per 1,000 lines': { value: Math.round((exportedTypes / lines) * 10_000) / 10, of: [] },
  }
}

function listed(of) {
  return { value: of.length, of: of.toSorted() }
}

/** The folder below src/; index.ts is its own. */
function roomOf(path) {
  return path.split('/')[1]
}

function smallFilesBesideOneImporter(files) {
  const importersOf = groupBy(
    files.flatMap(({ path, imports }) => imports.map((imported) => [imported, path])),
  )
  return files.flatMap(({ path, lines }) => {
    const [importer, ...others] = new Set(importersOf.get(path))
    const isBeside = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path)
    return isBeside && lines < SMALL_FILE_LINES ? [`${path} (${lines} lines, for ${importer})`] : []
  })
}

function arrowsBetweenRooms(files) {
  const arrows = files.flatMap(({ path, imports }) =>
    imports.map(roomOf).flatMap((room) => (room === roomOf(path) ? [] : [`${roomOf(path)} -> ${room}`])),
  )
  return [...new Set(arrows)]
}

/** What users import may be called as a tool wants it: several build tools know their plugin as `kb`. */
function namesExportedTwice(files) {
  const isEntryPoint = ({ path }) => /^src\/(?:index|plugins\/\w+)\.ts$/.test(path)
  const published = new Set(files.filter(isEntryPoint).flatMap((file) => [...file.defined, ...file.passedOn]))
  const definitions = groupBy(files.flatMap(({ path, defined }) => defined.map((name) => [name, path])))
  return [...definitions]
    .filter(([name, paths]) => paths.length > 1 && !published.has(name))
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}

function groupBy(pairs) {
  const groups = new Map()
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value])
  return groups
}

function readSource(path, text) {
  const source = {
    path,
    lines: text.split('\n').length - 1,
    imports: [],
    defined: [],
    passedOn: [],
    exportedTypes: 0,
    longFunctions: [],
  }
  if (path.endsWith('.ts') && !path.endsWith('.d.ts')) readModule(source, text)
  return source
}

function readModule(source, text) {
  const follow = ({ source: from }) => {
    if (from?.value?.startsWith('.') === true) source.imports.push(join(dirname(source.path), from.value))
  }
  const measure = ({ start, end, id }) => {
    const length = text.slice(start, end).split('\n').length
    if (length <= LONG_FUNCTION_LINES) return
    const line = text.slice(0, start).split('\n').length
    source.longFunctions.push(`${source.path}:${line} ${id?.name ?? 'without a name'} (${length} lines)`)
  }
  new Visitor({
    ImportDeclaration: follow,
    ImportExpression: follow,
    ExportAllDeclaration: follow,
    ExportNamedDeclaration(node) {
      follow(node)
      source.passedOn.push(...node.specifiers.map(({ exported }) => exported.name))
      const { declaration } = node
      if (declaration === null) return
      source.defined.push(...(declaration.declarations ?? [declaration]).map(({ id }) => id.name))
      if (/^TS(?:Interface|TypeAlias)/.test(declaration.type)) source.exportedTypes += 1
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(source.path, text).program)
}

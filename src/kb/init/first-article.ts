import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'

/** Names of what the first article is filed under. */
export interface FirstArticlePlace {
  readonly category: string
  readonly tag: string | undefined
  /** What runs kb in the project, such as `npx kb`. */
  readonly kb: string
}

/** An article about articles: what it says is how it is made. */
export function firstArticleText({ category, tag, kb }: FirstArticlePlace): string {
  return `---
title: How to write an article
categories: [${yamlText(category)}]
${tag === undefined ? '' : `tags: [${yamlText(tag)}]\n`}excerpt: An article is a Markdown file with a few lines of YAML at its head. This one shows both.
status: published
---

An article is a Markdown file. The lines between the two \`---\` describe it: \`title\` and \`categories\` are needed, and all
else has a default. Its file name becomes the last part of its address.

${ADVICE}

> [!TIP]
> Without the line \`status: published\`, an article is a draft, which only editors see.

${linkingText(kb)}`
}

/** The same in the folder of a site, in the words of its tool. */
export function siteArticleText({
  preset,
  kb,
}: {
  readonly preset: PresetName
  readonly kb: string
}): string {
  return `---
title: How to write an article
description: An article is a Markdown file with a few lines of YAML at its head. This one shows both.
---

An article is a Markdown file. The lines between the two \`---\` describe it in the words of ${dialectOf(preset).label}, and its folder is
its category. Its file name becomes the last part of its address.

${ADVICE}

${linkingText(kb)}`
}

const ADVICE = `## Say what readers want to do

Give each article one task, and put the task into the title, in the words that readers search for: *Reset your password*
rather than *Password management*.

1. Begin with what most readers need.
2. Write steps as a numbered list, one action in each.
3. Name things as they stand on the screen, in **bold**.`

function linkingText(kb: string): string {
  return `## Link to other articles

Link to files, as in [say what readers want to do](#say-what-readers-want-to-do) or \`[prices](prices.md)\`. kb-sync makes the
address of it, and reports a link that leads nowhere.

| you want to | run |
| --- | --- |
| begin another article | \`${kb} new "Reset your password"\` |
| find every mistake | \`${kb} check\` |
| publish what has changed | \`${kb} sync\` |
`
}

function yamlText(text: string): string {
  return /^[\p{L}][\p{L}\p{N} _-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text.trimEnd()
    : JSON.stringify(text)
}

// Titles, file names, slugs and headings in any script, linked to from another article, with both parsers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltinService, startBuiltinService } from '../support/builtin-service.ts'
import { article } from '../support/project.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

let service: BuiltinService

beforeAll(async () => {
  service = await startBuiltinService()
})
afterAll(() => service.close())

interface Sample {
  /** File name without its ending, and slug. */
  readonly name: string
  readonly title: string
  readonly heading: string
  /** The heading's id, as GitHub makes it. */
  readonly id: string
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  Cyrillic: {
    name: 'сброс-пароля',
    title: 'Сброс пароля',
    heading: 'Если почта недоступна',
    id: 'если-почта-недоступна',
  },
  Chinese: { name: '重置密码', title: '重置密码', heading: '如果无法登录', id: '如果无法登录' },
  Japanese: {
    name: 'パスワード',
    title: 'パスワードの再設定',
    heading: 'メールが届かない',
    id: 'メールが届かない',
  },
  Korean: {
    name: '비밀번호',
    title: '비밀번호 재설정',
    heading: '메일이 오지 않으면',
    id: '메일이-오지-않으면',
  },
  Arabic: {
    name: 'كلمة-المرور',
    title: 'إعادة تعيين كلمة المرور',
    heading: 'إذا لم يصل البريد',
    id: 'إذا-لم-يصل-البريد',
  },
  Hebrew: { name: 'איפוס-סיסמה', title: 'איפוס סיסמה', heading: 'אם הדואר לא הגיע', id: 'אם-הדואר-לא-הגיע' },
  Thai: { name: 'รหัสผ่าน', title: 'ตั้งรหัสผ่านใหม่', heading: 'ถ้าไม่ได้รับอีเมล', id: 'ถ้าไม่ได้รับอีเมล' },
  Devanagari: { name: 'पासवर्ड', title: 'पासवर्ड रीसेट करें', heading: 'यदि मेल न मिले', id: 'यदि-मेल-न-मिले' },
  Turkish: {
    name: 'ışık-İzmir',
    title: 'Işık ve İzmir',
    heading: 'Şifre değişikliği',
    id: 'şifre-değişikliği',
  },
  German: {
    name: 'straße-groß',
    title: 'Straße: GROẞ und groß',
    heading: 'Maße & Gewichte',
    id: 'maße--gewichte',
  },
  Vietnamese: {
    name: 'mật-khẩu',
    title: 'Đặt lại mật khẩu',
    heading: 'Không nhận được thư',
    id: 'không-nhận-được-thư',
  },
  emoji: { name: '👩‍🚀-start', title: '👩‍🚀 Start 🇩🇪', heading: 'Los 🚀 gehts', id: 'los--gehts' },
}

async function sync(parser: 'native' | 'remark', number: string): Promise<SyncProject> {
  const files = Object.values(SAMPLES).map(({ name, title, heading }) => [
    `content/${number}${name}.md`,
    article(title, { status: 'published', body: `Text.\n\n## ${heading}\n\nMore.` }),
  ])
  const links = Object.values(SAMPLES).flatMap(({ name, heading, id }) => [
    `- [${heading}](<${number}${name}.md#${id}>)`,
    `- [${heading}](${encodeURI(`${number}${name}.md#${id}`)})`,
  ])
  const project = createSyncProject(
    service.url,
    {
      ...(Object.fromEntries(files) as Record<string, string>),
      [`content/${number}links.md`]: article(`Links ${number}`, { body: links.join('\n') }),
    },
    { project: `demo-${number}`, markdown: { parser } },
  )
  expect(outcomeOf(await project.sync())).toEqual({ created: 13, operations: expect.any(Array) as unknown })
  return project
}

describe.each([
  ['native', '1'],
  ['remark', '2'],
] as const)('with the %s parser', (parser, number) => {
  test('each article has its slug and its heading, and is linked to by both', async () => {
    const project = await sync(parser, number)
    const articles = new Map((await service.articles()).map((each) => [each.slug, each]))
    const hrefs = [...(articles.get(`${number}links`)?.content ?? '').matchAll(/href="([^"]*)"/g)]
    for (const [index, { name, title, id }] of Object.values(SAMPLES).entries()) {
      const slug = `${number}${name}`
      const found = articles.get(slug)
      expect({ slug, title: found?.name }).toEqual({ slug, title })
      expect(found?.content).toContain(` id="${id}"`)
      const address = `/articles/${encodeURIComponent(slug)}#${encodeURI(id)}`
      expect([hrefs[2 * index]?.[1], hrefs[2 * index + 1]?.[1]]).toEqual([address, address])
    }
    expect(outcomeOf(await project.plan({ verify: true }))).toEqual({ unchanged: 13 })
    project.forgetState()
    expect(outcomeOf(await project.plan())).toEqual({ unchanged: 13 })
  })
})

test('both parsers make the same HTML of all of them', async () => {
  const articles = new Map((await service.articles()).map((each) => [each.slug, each.content]))
  const withoutMarker = (slug: string) => articles.get(slug)?.replace(/<!--.*?-->/s, '')
  expect(articles.size).toBe(26)
  for (const { name } of Object.values(SAMPLES))
    expect(withoutMarker(`1${name}`)).toBe(withoutMarker(`2${name}`))
})

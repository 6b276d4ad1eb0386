import { readFileSync } from 'node:fs'
import { htmlOf, inputOf, rendererOf } from '../../content/markdown/renderers.ts'
import type { MemoryArticle, MemoryBase } from './memory-source.ts'

export const ADDRESSES = {
  article: '/articles/{slug}',
  category: '/categories/{slug}',
  tag: '/tags/{slug}',
  origins: ['https://help.example.com'],
}

/** Everything that an article may contain, rendered like in a sync. */
export async function renderShowcase(): Promise<string> {
  const text = readFileSync(new URL('./showcase.md', import.meta.url), 'utf8')
  return htmlOf((await rendererOf({ highlight: true }))(inputOf(text)))
}

const ARABIC = `<h2 id="a">الخطوة الأولى</h2><p>افتح <strong>الإعدادات</strong> ثم اختر «الأشخاص». استخدم الأمر <code>kb sync</code> أو
اضغط <kbd>Ctrl</kbd> + <kbd>K</kbd>.</p><pre><code class="language-bash">kb sync --target production</code></pre>
<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>تُحفظ التغييرات تلقائيًا.</p></div>
<h2 id="b">الخطوة الثانية</h2><ul><li>أضف العنوان</li><li>أرسل الدعوة</li></ul>
<h2 id="c">جدول</h2><table><thead><tr><th>الدور</th><th>القراءة</th></tr></thead><tbody><tr><td>قارئ</td><td>نعم</td></tr></tbody></table>
<blockquote><p>اقتباس قصير.</p></blockquote>`

const TITLES = [
  'Create your account',
  'Invite people',
  'Reset your password',
  'Sign in with a company account',
  'Change your e-mail address',
  'Use two-factor authentication',
  'Close your account',
]

/** A knowledge base with some of everything. */
export async function sampleBase(): Promise<MemoryBase> {
  const plain = TITLES.map((title, index): MemoryArticle => ({
    title,
    slug: title.toLowerCase().replaceAll(' ', '-'),
    category: index < 4 ? 'accounts' : 'security',
    excerpt: `How to ${title.toLowerCase()}, step by step, and what to do when it does not work.`,
    html: `<p>How to ${title.toLowerCase()}.</p>`,
    order: index,
    editedDate: '2026-02-03T10:00:00Z',
    tags: ['start'],
  }))
  return {
    name: 'Acme Help',
    languages: ['en', 'fr', 'ar'],
    categories: [
      {
        slug: 'guides',
        name: 'Guides',
        description: 'From the first step to the last, in the order in which you will need it.',
      },
      {
        slug: 'accounts',
        name: 'Accounts',
        parent: 'guides',
        description: 'Signing up, signing in, and the people you work with.',
        translations: {
          fr: { name: 'Comptes', slug: 'comptes' },
          ar: { name: 'الحسابات', slug: 'الحسابات' },
        },
      },
      { slug: 'security', name: 'Security', parent: 'guides' },
      { slug: 'billing', name: 'Billing', description: 'Invoices, cards and taxes.' },
      { slug: 'empty', name: 'Nothing here', description: 'A category without articles.' },
    ],
    tags: [
      { slug: 'start', name: 'Getting started' },
      { slug: 'all', name: 'Everything' },
    ],
    articles: [
      ...plain,
      {
        title: 'Everything an article can hold',
        slug: 'showcase',
        category: 'accounts',
        html: await renderShowcase(),
        excerpt: 'Tables, code, alerts and the rest.',
        tags: ['start', 'all'],
        order: 1,
        editedDate: '2026-02-28T10:00:00Z',
      },
      {
        title: 'Inviter des personnes',
        slug: 'inviter',
        language: 'fr',
        translationOf: 'invite-people',
        category: 'accounts',
        html: '<p>Comment inviter des personnes.</p>',
        editedDate: '2026-02-28T10:00:00Z',
      },
      {
        title: 'دعوة الأشخاص',
        slug: 'دعوة',
        language: 'ar',
        translationOf: 'invite-people',
        category: 'accounts',
        html: ARABIC,
        excerpt: 'كيف تدعو الأشخاص.',
        editedDate: '2026-02-28T10:00:00Z',
      },
      {
        title: 'Pay by card',
        slug: 'pay-by-card',
        category: 'billing',
        excerpt: 'Cards that are taken, and when they are charged.',
      },
      {
        title: 'A plan that nobody knows yet',
        slug: 'secret',
        category: 'billing',
        isDraft: true,
        tags: ['all'],
        html: '<p>Hush.</p>',
      },
    ],
  }
}

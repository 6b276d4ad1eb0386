// Takes the pictures of content/service/branding.md from the real pages: the two examples of that page are projects with
// a few articles here, which the built program syncs and serves.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { chromium as browserType } from 'playwright-core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const guide = join(root, 'content', 'service')
const [helpCentre, twoLanguages] = readFileSync(join(guide, 'branding.md'), 'utf8')
  .split('```')
  .filter((block) => block.startsWith('ts\n'))
  .map((block) => block.slice('ts\n'.length))

const icon = (path) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0f766e" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round"><path d="${path}"/></svg>`)}`

const article = (title, category, body, more = '') =>
  `---\ntitle: ${title}\ncategories: [${category}]\nstatus: published\nreviewDate: never\n${more}---\n\n${body}\n`

const wordmark = (fill) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="32" viewBox="0 0 150 32"><text x="0" y="23" font-family="Georgia, serif" font-size="24" letter-spacing="1" fill="${fill}">Nordwind</text></svg>`

const PROJECTS = [
  {
    picture: 'help-centre.webp',
    path: '/',
    scheme: 'light',
    files: {
      'kb.config.ts': helpCentre,
      'brand/logo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" rx="10" fill="#0f766e"/><path d="M12 28 20 10l8 18M15 22h10" fill="none" stroke="#fff" stroke-width="3.5"/></svg>',
      'brand/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>',
      'content/_categories.yml': `- name: Accounts\n  slug: accounts\n  description: Signing up, signing in, and the people you work with.\n  iconUrl: ICON0\n- name: Billing\n  slug: billing\n  description: Invoices, cards and taxes.\n  iconUrl: ICON1\n- name: Reports\n  slug: reports\n  description: What your team did, as tables and charts.\n  iconUrl: ICON2\n`,
      'content/create-your-account.md': article(
        'Create your account',
        'Accounts',
        'It takes a minute, and no card.',
      ),
      'content/invite-people.md': article(
        'Invite people',
        'Accounts',
        'One by one, or with a list of addresses.',
      ),
      'content/reset-your-password.md': article(
        'Reset your password',
        'Accounts',
        'If you forgot it, or shared it.',
      ),
      'content/pay-by-card.md': article(
        'Pay by card',
        'Billing',
        'Which cards are accepted, and when they are charged.',
      ),
      'content/export-a-report.md': article(
        'Export a report',
        'Reports',
        'As a table, or as a document to print.',
      ),
    },
    icons: [
      'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6',
      'M3 6h18v12H3zM3 10h18M6 15h4',
      'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
    ],
  },
  {
    picture: 'two-languages.webp',
    path: '/articles/rueckgabe?lang=de',
    scheme: 'dark',
    files: {
      'kb.config.ts': twoLanguages,
      'brand/wordmark.svg': wordmark('#7c2d92'),
      'brand/wordmark-dark.svg': wordmark('#d8a6ea'),
      'brand/pages.css': ':root { --kb-font: Georgia, "Liberation Serif", serif; --kb-radius: 0 }',
      'content/_categories.yml':
        '- name: Orders\n  slug: orders\n  translations:\n    de: { name: Bestellungen, slug: bestellungen }\n',
      'content/returns.md': article('Return a parcel', 'Orders', 'Within 30 days.'),
      'content/rueckgabe.md': article(
        'Ein Paket zurückgeben',
        'Orders',
        'Innerhalb von **30 Tagen** nehmen wir alles zurück, was nicht benutzt ist.\n\n> [!TIP]\n> Die Marke für das Paket finden Sie in Ihrem Konto.\n\n## Vorbereiten\n\n1. Öffnen Sie die Bestellung.\n2. Wählen Sie **Zurückgeben**.\n\n## Abgeben\n\nIn jeder [Filiale](https://nordwind.example).',
        'language: de\ntranslationOf: returns\n',
      ),
    },
    icons: [],
  },
]

const browser = await browserType.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } })
  for (const project of PROJECTS) await takePicture(page, project)
} finally {
  await browser.close()
}

async function takePicture(page, { picture, path, scheme, files, icons }) {
  const folder = mkdtempSync(join(tmpdir(), 'kb-pages-'))
  let server
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(
        join(folder, name),
        text.replaceAll(/ICON(\d)/g, (_, index) => `https://icons.invalid/${index}.svg`),
      )
    }
    kb(folder, 'sync')
    server = spawn(
      process.execPath,
      [join(root, 'dist/cli/bin.js'), 'serve', '--pages', '--port', '0', '--json'],
      { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const [line] = await once(server.stdout, 'data')
    const { pages } = JSON.parse(String(line))
    await page.route('https://icons.invalid/*', (route) => {
      const svg = decodeURIComponent(
        icon(icons[Number(/(\d)\.svg$/.exec(route.request().url())?.[1])]).split(',')[1],
      )
      return route.fulfill({ contentType: 'image/svg+xml', body: svg })
    })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(new URL(path, pages).href, { waitUntil: 'networkidle' })
    const session = await page.context().newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
    writeFileSync(join(guide, picture), Buffer.from(data, 'base64'))
    await page.unroute('https://icons.invalid/*')
  } finally {
    server?.kill()
    if (server?.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

function kb(cwd, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/bin.js'), ...args], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`kb ${args.join(' ')} ended with exit code ${status}:\n${stderr}`)
}

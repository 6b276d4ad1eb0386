import { describe, expect, test } from 'vitest'
import { detectImage } from '../../../src/content/assets/asset-types.ts'
import { findSvgScript } from '../../../src/content/assets/find-svg-script.ts'
import { assetAddress, nameAsset } from '../../../src/content/assets/create-asset-reader.ts'
import { png, webpOf } from '../../support/images.ts'

const svg = (inner: string, attributes = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${inner}</svg>`)
const avif = (brand: string) => Buffer.from(`\0\0\0\x1cftyp${brand}\0\0\0\0mif1avifmiaf`, 'latin1')
const JPEG = Buffer.from('ffd8ffe000104a4649460001', 'hex')
const GIF = Buffer.from('474946383961010001000000', 'hex')
const BMP = Buffer.from('424d46000000000000003600000028000000010000000100000001001800', 'hex')

describe('the contents of an image', () => {
  test.each([
    ['a.png', png()],
    ['a.PNG', png()],
    ['a.webp', webpOf(100)],
    ['a.jpg', JPEG],
    ['a.jpeg', JPEG],
    ['a.gif', GIF],
    ['a.avif', avif('avif')],
    ['a.avif', avif('avis')],
    ['a.svg', svg('')],
    ['a.svg', Buffer.from(`<!-- ${'x'.repeat(2000)} -->\n<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`)],
  ])('of %s match the extension', (source, bytes) => {
    expect(detectImage(source, bytes)).toEqual({ kind: 'fits' })
  })

  test.each([
    ['a.png', JPEG, 'jpg'],
    ['a.jpg', png(), 'png'],
    ['a.gif', webpOf(100), 'webp'],
    ['a.webp', GIF, 'gif'],
    ['a.png', svg(''), 'svg'],
    ['a.svg', png(), 'png'],
    ['a.jpg', BMP, 'bmp'],
    ['a.png', Buffer.from('<!doctype html><title>Not found</title>'), undefined],
    ['a.png', Buffer.from(''), undefined],
    ['a.png', Buffer.alloc(100), undefined],
    ['a.svg', Buffer.from('<html>'), undefined],
  ])('of %s do not match the extension', (source, bytes, type) => {
    expect(detectImage(source, bytes)).toEqual({ kind: 'other', type })
  })
})

describe('an SVG', () => {
  test.each([
    '',
    '<path d="M0 0"/><a href="https://example.com">x</a><style>a{fill:red}</style>',
    '<image href="data:image/png;base64,AA"/><use xlink:href="#a"/><title>onload</title>',
    '<animate attributeName="x" from="0" to="10" values="0;5;10"/><text>javascript: no script</text>',
    '<!-- <script>alert(1)</script> --><![CDATA[<script>]]>',
    '<font-face/><metadata><x:on xmlns:x="y"/></metadata>',
  ])('with %s does nothing', (inner) => {
    expect(findSvgScript(svg(inner))).toBe(undefined)
  })

  test('can declare its encoding and document type', () => {
    const head =
      '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n'
    expect(findSvgScript(Buffer.from(`\uFEFF${head}<svg/>`))).toBe(undefined)
  })

  test.each([
    ['<script>alert(1)</script>', 'a <script>'],
    ['<SCRIPT href="x.js"/>', 'a <script>'],
    ['<h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script>', 'a <script>'],
    ['<foreignObject><iframe src="x"/></foreignObject>', 'a <iframe>'],
    ['<g onclick="x"/>', 'the attribute onclick'],
    ['<g\nONLOAD=x>', 'the attribute onload'],
    ['<a href="javascript:alert(1)"/>', 'a script in the attribute href'],
    ['<a xlink:href=" java&#x73;cript&#58;alert(1)"/>', 'a script in the attribute href'],
    ['<a href="java\nscript:alert(1)"/>', 'a script in the attribute href'],
    ['<a href="data:text/html,x"/>', 'a script in the attribute href'],
    ['<use href="data:image/svg+xml,x#a"/>', undefined],
    ['<set attributeName="href" to="javascript:alert(1)"/>', 'a script in the attribute to'],
    ['<animate attributeName="href" values="#a;javascript:alert(1)"/>', 'a script in the attribute values'],
  ])('with %s has what runs', (inner, what) => {
    expect(findSvgScript(svg(inner))).toBe(what)
  })

  test('that could hide something counts as active', () => {
    const text = svg('').toString()
    expect(findSvgScript(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "<script/>">]>${text}`))).toBe(
      'entity definitions',
    )
    expect(findSvgScript(Buffer.from(`<?xml-stylesheet href="x.xsl"?>${text}`))).toBe(
      'an external style sheet',
    )
    expect(findSvgScript(Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${text}`))).toBe(
      'the encoding UTF-7',
    )
    expect(findSvgScript(Buffer.from(`<?xml version="1.0" encoding=x encoding="UTF-8"?>${text}`))).toBe(
      'the encoding UTF-8',
    )
    expect(findSvgScript(Buffer.from(text, 'utf16le'))).toBe('text that is not UTF-8')
    expect(findSvgScript(Buffer.from(`${text}\xff`, 'latin1'))).toBe('text that is not UTF-8')
  })
})

// A browser and a lenient parser read these differently: each would run a script that the parser does not find.
describe('an SVG that two parsers read differently', () => {
  const run = '<script>alert(1)</script>'
  test.each([
    [
      `<!DOCTYPE svg SYSTEM "a>b" [<!ENTITY x "<s:script xmlns:s='http://www.w3.org/2000/svg'>alert(1)</s:script>">]>`,
      '&x;',
      'a document type that may define entities',
    ],
    [
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x>y" [<!ENTITY x "${run}">]>`,
      '&x;',
      'a document type that may define entities',
    ],
    [
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">',
      '<a href="javascript&colon;alert(1)"/>',
      'a document type that may define entities',
    ],
    ['', `<!-- --!><!-- -->${run}`, 'a comment that is not valid in XML'],
    ['', `<![cdata[${run}]]>`, 'entity definitions'],
    ['', `<?x ><!-- ?>${run}<!-- -->`, 'a <script>'],
  ])('%s %s is refused', (head, inner, what) => {
    expect(findSvgScript(Buffer.from(`${head}${svg(inner).toString()}`))).toBe(what)
  })

  test.each([
    '<!DOCTYPE svg>',
    '<!doctype svg:svg PUBLIC "-//W3C//DTD SVG 20010904//EN"\n  "http://www.w3.org/TR/x.dtd" >',
    "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1 Tiny//EN'>",
    "<?xml version='1.0' encoding='utf-8'?><!-- Made - by hand --><?xpacket begin='' id='x'?><!---->",
  ])('%s is plain', (head) => {
    expect(findSvgScript(Buffer.from(`${head}${svg('').toString()}`))).toBe(undefined)
  })
})

describe('the name of a published file', () => {
  const hash = '0123456789abcdef0123456789abcdef'
  test.each([
    ['img/logo.png', 'logo-0123456789abcdef.png'],
    ['Logo 1.PNG', 'Logo 1-0123456789abcdef.png'],
    ['a/b.tar.gz', 'b.tar-0123456789abcdef.gz'],
    ['u\u0308.png', '\u00FC-0123456789abcdef.png'],
    ['図.webp', '図-0123456789abcdef.webp'],
    ['a:b*c?.pdf', 'a-b-c--0123456789abcdef.pdf'],
    ['con.pdf', expect.stringMatching(/^con.*-0123456789abcdef\.pdf$/)],
    [`${'ü'.repeat(120)}.pdf`, `${'ü'.repeat(100)}-0123456789abcdef.pdf`],
  ])('%s', (source, name) => {
    expect(nameAsset(source, hash)).toEqual(name)
    expect(Buffer.byteLength(nameAsset(source, hash))).toBeLessThan(256)
  })

  test('is encoded in its URL', () => {
    expect(assetAddress('https://f.example/x', 'ü b#1.png')).toBe('https://f.example/x/%C3%BC%20b%231.png')
  })
})

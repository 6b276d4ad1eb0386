import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentStyles, accentWarnings } from '../../../../src/web/pages/brand/accent.ts'

/** Returns the contrast of two colours as defined by WCAG. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The backgrounds of the page, of boxes and menus, and of alerts, as mixed in pages.css and article.css. */
const BACKGROUNDS = {
  light: ['#ffffff', '#f6f7f9', '#edf4ef', '#f5f1eb', '#f9eeed', '#f3f0f9'],
  dark: ['#14171c', '#1c2027', '#20252d', '#1c2525', '#252322', '#272225', '#22222d'],
}

const valueOf = (css: string, name: string) => new RegExp(`${name}: (#[0-9a-f]+);`).exec(css)?.[1] ?? ''

test('without colours there are no styles and no warnings', () => {
  expect([accentStyles({}), accentWarnings({})]).toEqual(['', []])
})

test('a readable colour is used on light pages, and one derived from it on dark pages', () => {
  expect(accentStyles({ accent: '#0f766e' })).toBe(
    ':root { --kb-accent: #0f766e; --kb-accent-soft: #ecf4f3; --kb-on-accent: #ffffff; }\n' +
      '@media screen and (prefers-color-scheme: dark) { :root { --kb-accent: #469f96; --kb-accent-soft: #1c2d30; --kb-on-accent: #000000; } }\n',
  )
  expect(accentWarnings({ accent: '#0f766e' })).toEqual([])
})

test('both colours can be set', () => {
  const css = accentStyles({ accent: '#05a', dark: { accent: '#9cf' } })
  expect(css.match(/--kb-accent: #\w+/g)).toEqual(['--kb-accent: #05a', '--kb-accent: #9cf'])
  expect(accentStyles({ dark: { accent: '#9cf' } })).toMatch(
    /^@media screen and \(prefers-color-scheme: dark\)/,
  )
})

test('a colour that is hard to read gets a warning with the nearest readable one', () => {
  expect(accentWarnings({ accent: '#f5a623', dark: { accent: '#0b5cad' } })).toEqual([
    'pages.colours.accent: text in #f5a623 is hard to read on light pages: its contrast is 1.7:1, and WCAG AA requires 4.5:1. ' +
      'The nearest colour that passes is #976300.',
    'pages.colours.dark.accent: text in #0b5cad is hard to read on dark pages: its contrast is 2.3:1, and WCAG AA requires 4.5:1. ' +
      'The nearest colour that passes is #4b93e8.',
  ])
})

test('whatever the colour, the suggested one passes on every background, and buttons are readable', () => {
  const colour = fc
    .integer({ min: 0, max: 0xff_ff_ff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, fc.constantFrom('light' as const, 'dark' as const), (given, mode) => {
      const asked = (accent: string) => (mode === 'light' ? { accent } : { dark: { accent } })
      const proposed = /passes is (#\w+)/.exec(accentWarnings(asked(given)).join(''))?.[1] ?? given
      const css =
        accentStyles(asked(proposed))
          .split('@media')
          .at(mode === 'light' ? 0 : -1) ?? ''
      const backs = BACKGROUNDS[mode]
      for (const back of [...backs, valueOf(css, '--kb-accent-soft')])
        expect(contrast(proposed, back)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(proposed, valueOf(css, '--kb-on-accent'))).toBeGreaterThanOrEqual(4.5)
      expect(accentWarnings(asked(proposed))).toEqual([])
    }),
  )
})

// The accent colour of the pages: the rules that set it, and its contrast. Conversions between sRGB and OKLCH follow
// CSS Color 4, contrast follows WCAG 2.2.

type Mode = 'light' | 'dark'

type Triple = readonly [number, number, number]

interface AccentColours {
  readonly accent?: string | undefined
  readonly dark?: { readonly accent?: string | undefined } | undefined
}

/** The backgrounds of text in the accent colour: `--kb-back`, `--kb-surface` and `--kb-raised` of pages.css. */
const BACKGROUNDS = {
  light: ['#ffffff', '#f6f7f9', '#ffffff'],
  dark: ['#14171c', '#1c2027', '#20252d'],
} as const

/** The colours of alerts: `--kb-good`, `--kb-warn`, `--kb-bad` and `--kb-important` of pages.css. */
const ALERTS = {
  light: ['#1a7038', '#875300', '#b3261e', '#6f42b5'],
  dark: ['#74c98c', '#e3b262', '#ff9b92', '#c3a4f2'],
} as const

/** Share of an alert's colour in its background. */
const ALERT_SHARE = 0.08

/** Share of the accent colour in its soft form, the background of selected items. */
const SOFT_SHARE = { light: 0.08, dark: 0.16 } as const

/** Contrast required by level AA for text. */
const REQUIRED = 4.5

/** CSS that sets the accent colour; '' without one. A missing colour for dark pages is derived from the other. */
export function accentStyles({ accent, dark }: AccentColours): string {
  const darkAccent = dark?.accent ?? (accent && nearestReadable(accent, 'dark'))
  const light = accent === undefined ? '' : `:root { ${variables(accent, 'light')} }\n`
  return darkAccent === undefined
    ? light
    : `${light}@media screen and (prefers-color-scheme: dark) { :root { ${variables(darkAccent, 'dark')} } }\n`
}

/** Returns warnings about colours in which text is hard to read. @param field the setting with these colours */
export function accentWarnings({ accent, dark }: AccentColours, field = 'pages.colours'): readonly string[] {
  const given = [
    { key: `${field}.accent`, colour: accent, mode: 'light' },
    { key: `${field}.dark.accent`, colour: dark?.accent, mode: 'dark' },
  ] as const
  return given.flatMap(({ key, colour, mode }) => {
    if (colour === undefined || contrastIn(colour, mode) >= REQUIRED) return []
    // Rounded up, 4.496 would look sufficient.
    const shown = Math.floor(contrastIn(colour, mode) * 10) / 10
    return [
      `${key}: text in ${colour} is hard to read on ${mode} pages: its contrast is ${shown}:1, and WCAG AA requires ${REQUIRED}:1. ` +
        `The nearest colour that passes is ${nearestReadable(colour, mode)}.`,
    ]
  })
}

function variables(accent: string, mode: Mode): string {
  const on = contrast(accent, '#ffffff') >= contrast(accent, '#000000') ? '#ffffff' : '#000000'
  return `--kb-accent: ${accent}; --kb-accent-soft: ${softened(accent, mode)}; --kb-on-accent: ${on};`
}

/** Returns the lowest contrast of text in this colour. */
function contrastIn(colour: string, mode: Mode): number {
  const alerts = ALERTS[mode].map((tone) => softened(tone, mode, ALERT_SHARE))
  const backs = [...BACKGROUNDS[mode], ...alerts, softened(colour, mode)]
  return Math.min(...backs.map((back) => contrast(colour, back)))
}

/** Returns the colour with the nearest lightness that passes, in the same hue, and as vivid as sRGB allows. */
function nearestReadable(colour: string, mode: Mode): string {
  const [lightness, chroma, hue] = toOklch(colour)
  const step = mode === 'light' ? -0.002 : 0.002
  for (let at = lightness; at >= 0 && at <= 1; at += step) {
    const candidate = at === lightness ? colour : fromOklch([at, chroma, hue])
    if (contrastIn(candidate, mode) >= REQUIRED) return candidate
  }
  return mode === 'light' ? '#000000' : '#ffffff'
}

function softened(colour: string, mode: Mode, share: number = SOFT_SHARE[mode]): string {
  const back = toRgb(BACKGROUNDS[mode][0])
  return toHex(toRgb(colour).map((value, index) => value * share + (back[index] ?? 0) * (1 - share)))
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = toRgb(colour).map(toLinear) as unknown as Triple
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param colour `#rgb` or `#rrggbb` @returns components from 0 to 1 */
function toRgb(colour: string): Triple {
  const digits = colour.length === 4 ? colour.slice(1).replaceAll(/./g, '$&$&') : colour.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as unknown as Triple
}

function toHex(parts: readonly number[]): string {
  const digits = parts.map((part) =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${digits.join('')}`
}

function toLinear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function fromLinear(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
}

function toOklch(colour: string): Triple {
  const [red, green, blue] = toRgb(colour).map(toLinear) as unknown as Triple
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return [lightness, Math.hypot(a, b), Math.atan2(b, a)]
}

/** Returns the nearest colour of sRGB with this lightness and hue. */
function fromOklch([lightness, chroma, hue]: Triple): string {
  const linearAt = (vividness: number): Triple => {
    const [a, b] = [vividness * Math.cos(hue), vividness * Math.sin(hue)]
    const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    return [
      4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    ]
  }
  const isInGamut = (parts: Triple) => parts.every((part) => part >= -0.0001 && part <= 1.0001)
  let [low, high] = [0, chroma]
  if (!isInGamut(linearAt(chroma))) {
    for (let round = 0; round < 20; round++) {
      const middle = (low + high) / 2
      if (isInGamut(linearAt(middle))) low = middle
      else high = middle
    }
    high = low
  }
  return toHex(linearAt(high).map((part) => fromLinear(Math.min(1, Math.max(0, part)))))
}

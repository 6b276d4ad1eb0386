const NUMBERED = /^(\d+)([.)])([ \t]*)/

export function numberOf(item: string): number {
  return Number.parseInt(item, 10)
}

/**
 * An item of an ordered list with another number. Where that is wider or narrower, what belongs to the item keeps its
 * place behind it.
 */
export function changeNumber(item: string, number: number, eol: string): string {
  const [marker = '', digits = '', sign = '', space = ''] = NUMBERED.exec(item) ?? []
  if (marker === '' || digits === String(number)) return item
  const [first = '', ...others] = item.slice(marker.length).split(eol)
  const wider = String(number).length - digits.length
  const isOneLine = others.length === 0 || space.includes('\t')
  const fill = isOneLine ? space.length : Math.min(Math.max(space.length - wider, 1), 4)
  const shift = isOneLine ? 0 : wider + fill - space.length
  const pad = ' '.repeat(Math.max(shift, 0))
  const rest = others.map((line) => (line.trim() === '' ? line : pad + line))
  return [`${number}${sign}${isOneLine ? space : ' '.repeat(fill)}${first}`, ...rest].join(eol)
}

const QUOTE = 'Put text in quotes if it contains a colon or a #, or starts with a quote, a bracket or a *.'
const ALIGN = 'Indent each key as the key above it.'

/** By the parser's message, which is written for programmers. The first match is used. */
const EXPLANATIONS: readonly (readonly [pattern: RegExp, message: string, hint: string])[] = [
  [
    /alias count/,
    'its aliases expand to too much data',
    'Write the values out instead of repeating them with * and &.',
  ],
  [/^Unresolved alias/, 'the name after * is defined nowhere', QUOTE],
  [/^Unresolved tag/, 'the tag that starts with ! is not known', 'Put text in quotes if it starts with a !.'],
  [/^Nested mappings/, 'the value contains a colon, or the next line is indented too far', QUOTE],
  [/^Missing closing/, 'a quote is opened and not closed', 'Close it, or leave the opening quote out.'],
  [/^Missing , /, 'a comma is missing between [ and ], or between { and }', 'Put a comma between every two.'],
  [
    /end with a [\]}]|^Flow (?:map|sequence)/,
    'a bracket is opened and not closed',
    'Close every [ and { on the line where it is opened.',
  ],
  [/^Tabs? /, 'the line is indented with a tab', 'Indent with spaces.'],
  [/^Map keys must be unique/, 'the key was written before', 'Keep one of the two lines.'],
  [/^Sequence item without/, 'the line is neither a new list entry nor part of the one above', ALIGN],
  [/column|indent/i, 'the line is not indented like the one above', ALIGN],
  [
    /^Implicit (?:map )?keys/,
    'the line has no colon with a space after it',
    'Write one `key: value` a line, or put a longer text in quotes.',
  ],
  [
    /^Plain value cannot start/,
    'the text starts with a character that needs quotes',
    'Put the text in quotes.',
  ],
  [
    /^Invalid escape/,
    'a backslash is followed by a character that makes no escape',
    'Use single quotes, in which a backslash is only a backslash.',
  ],
  [/multiple documents/, 'a second document begins here', 'Delete the line ---.'],
]

/** By the text before the error on its line, where the parser's message does not help. */
const AFTER: typeof EXPLANATIONS = [
  [/^\s*\t\s*$/, 'the line is indented with a tab', 'Indent with spaces.'],
  [
    /'\s*$/,
    'text follows the closing quote',
    "Write an apostrophe in single quotes twice, as in 'It''s', or use double quotes.",
  ],
  [
    /"\s*$/,
    'text follows the closing quote',
    'Put the whole text in quotes, and write \\" for a double quote in it.',
  ],
  [/[\]}]\s*$/, 'text follows the closing bracket', 'Put text that starts with a bracket in quotes.'],
]

const LIST = 'Put the list below a key of its own, such as tags:, and indent the next key as that one.'

/** By two lines, where the parser stops at the start of the second one and reports how it tried to continue. */
const BETWEEN: typeof EXPLANATIONS = [
  [/\n-[^\s-]/, 'a space is missing after the -', 'Write each entry of a list with a space, as in - one.'],
  [/^\s*- (?![\w ]+:\s).*\n[^#-].*:(?:\s|$)/, 'a key follows an entry of a list', LIST],
  [/^(?=.*\n-(?:\s|$))\s*[^\s#-].*:\s/, 'an entry of a list follows a key with a value', LIST],
]

/** The parser's message for a line that does not fit the one above. */
const UNFIT = /^Implicit keys|same column|node end/

const OTHER = { message: 'this is not allowed here', hint: QUOTE }

/**
 * Explains a syntax error for authors, with a fix.
 *
 * @param reason message of the parser
 * @param before text before the error on its line
 * @param lines the line above the error, and the line itself without indentation if the error is at its start
 */
export function explainYaml(reason: string, before = '', lines = '') {
  const [, message, hint] =
    (UNFIT.test(reason) ? BETWEEN.find(([pattern]) => pattern.test(lines)) : undefined) ??
    EXPLANATIONS.find(([pattern]) => pattern.test(reason)) ??
    AFTER.find(([pattern]) => pattern.test(before)) ??
    []
  return message === undefined || hint === undefined ? OTHER : { message, hint }
}

import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'

/** Diagnostics with everything that could break a format. */
export const EXAMPLES: readonly Diagnostic[] = [
  {
    code: 'slug-invalid',
    severity: 'error',
    file: 'content/a, b:c%#日本.md',
    line: 3,
    column: 7,
    end: { line: 3, column: 10 },
    message: 'slug has <white> & "space", 100% \u0007of it\nand \u202eturns]]>.',
    hint: 'Use a|b, `c`, @nobody or #1.',
    fix: [{ start: { line: 3, column: 7 }, end: { line: 3, column: 10 }, text: 'a-b' }],
  },
  {
    code: 'excerpt-too-long',
    severity: 'warning',
    file: 'content/b.md',
    line: 2,
    column: 10,
    end: { line: 4, column: 3 },
    message: 'Too long.',
  },
  {
    code: 'file-empty',
    severity: 'error',
    file: 'content/c.md',
    line: 1,
    column: 1,
    message: 'The file is empty.',
  },
  {
    code: 'file-empty',
    severity: 'error',
    file: 'content/c.md',
    line: 1,
    column: 1,
    message: 'The file is empty.',
  },
]

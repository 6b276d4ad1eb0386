import type { SourceRange, Problem } from '../../core/model/diagnostic.ts'

/** An include comment that is still there when everything was put in. */
export function misplacedInclude(place: SourceRange): Problem {
  return {
    code: 'include-misplaced',
    ...place,
    message: 'Nothing is included here: the comment shares its line, or stands within other HTML.',
    hint: 'Put it on a line of its own in an article or snippet, with empty lines around it; `code` shows it as text.',
  }
}

/** A comment that somebody will take for an include, and that is none. */
export function misspeltInclude(place: SourceRange): Problem {
  return {
    code: 'include-misplaced',
    ...place,
    message: 'Nothing is included here: the comment is not written as an include.',
    hint: 'Write it as <!-- include: path/of/file.md -->, in lower case, with colon and path.',
  }
}

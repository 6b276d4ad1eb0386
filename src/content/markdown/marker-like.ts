import type { SourceRange, Problem } from '../../core/model/diagnostic.ts'

/** Whether a comment with this text could be taken for the marker that kb-sync puts at the end of an article. */
export function isMarkerLike(comment: string): boolean {
  return comment.startsWith('kb')
}

/** The same for a comment with its `<!--`. */
export function isMarkerComment(html: string): boolean {
  return isMarkerLike(html.trimStart().slice('<!--'.length))
}

export function markerProblem(place: SourceRange): Problem {
  return {
    code: 'marker-removed',
    ...place,
    message: 'A comment that looks like a marker of kb-sync was removed.',
    hint: 'Put a space after <!-- if this is a comment of your own.',
  }
}

/** `html` without anything that reads as the start of a comment; with comments gone, only attributes can have one. */
export function withoutCommentStarts(html: string): string {
  return html.replaceAll('<!--', '&#x3C;!--')
}

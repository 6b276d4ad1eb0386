/** Returns true if `db` is the URL of a PostgreSQL database, not the path of a SQLite file. */
export function isDatabaseUrl(db: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db)
}

/** Describes the database for messages and logs: a URL without credentials and parameters, or the path of the file. */
export function describeDatabase(db: string): string {
  return isDatabaseUrl(db) ? withoutCredentials(db) : db
}

/** Removes user, password and parameters from any URL. */
export function withoutCredentials(url: string): string {
  // The last @ ends the password, even if it should have been encoded.
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@|.*@(?=[^@]*$))?/i, '$1').replace(/[?#].*$/s, '')
}

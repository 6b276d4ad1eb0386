/** Whether a database is named by the URL of a PostgreSQL database, not by a SQLite file. */
export function isDatabaseUrl(db: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db)
}

/** The database for messages and logs: a URL without user, password and parameters; else the file. */
export function describeDatabase(db: string): string {
  return isDatabaseUrl(db) ? withoutCredentials(db) : db
}

/** Any URL without user, password and parameters. */
export function withoutCredentials(url: string): string {
  // The last @ ends the password, even where it should have been encoded.
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@|.*@(?=[^@]*$))?/i, '$1').replace(/[?#].*$/s, '')
}

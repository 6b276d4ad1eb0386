/** Whether a database is named by the URL of a PostgreSQL database, not by a SQLite file. */
export function isDatabaseUrl(db: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db)
}

/** The database for messages and logs: a URL without user, password and parameters; else the file. */
export function describeDatabase(db: string): string {
  if (!isDatabaseUrl(db)) return db
  // The last @ ends the password, even where it should have been encoded.
  return db.replace(/^([a-z]+:\/\/)(?:[^/?#]*@|.*@(?=[^@]*$))?/i, '$1').replace(/[?#].*$/s, '')
}

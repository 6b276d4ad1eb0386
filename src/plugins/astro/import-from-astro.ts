import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface AstroModules {
  readonly 'astro/errors': {
    readonly AstroError: new (message: string, hint?: string) => Error & { hint: string | undefined }
  }
  readonly 'astro/zod': { readonly z: unknown }
}

export async function importFromAstro<Name extends keyof AstroModules>(
  name: Name,
): Promise<AstroModules[Name]> {
  return (await import(pathToFileURL(resolveInSite(name)).href)) as AstroModules[Name]
}

export function readAstroMajor(): number {
  const { version } = JSON.parse(readFileSync(resolveInSite('astro/package.json'), 'utf8')) as {
    version: string
  }
  return Number.parseInt(version, 10)
}

/** A linked kb-sync is not below the site. Then the module is resolved from the working directory. */
function resolveInSite(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name)
  }
}

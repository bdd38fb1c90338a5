import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What `import` asks the exports of a package for. Node itself does so only from where the importing module is. */
const conditions: ReadonlySet<string> = new Set(['import', 'module-sync', 'node', 'default'])

/**
 * The address of a module that is named by its path or its package, from a directory on.
 *
 * @throws Error when there is no such package, or none that exports it
 */
export function moduleAddress(name: string, directory: string): string {
  if (name.startsWith('file:')) return name
  if (/^(\.{0,2}\/|[A-Za-z]:\\)/.test(name)) return pathToFileURL(resolve(directory, name)).href
  const require = createRequire(resolve(directory, 'package.json'))
  const exported = exportedBy(name, require.resolve.paths(name) ?? [])
  return pathToFileURL(exported ?? require.resolve(name)).href
}

/** The file that the nearest package of the name exports; nothing where it says nothing of exports. */
function exportedBy(name: string, folders: readonly string[]): string | undefined {
  const [, packageName = '', subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? []
  const found = folders.map((folder) => join(folder, packageName)).find((folder) => existsSync(folder))
  if (found === undefined || !existsSync(join(found, 'package.json'))) return undefined
  const { exports } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8')) as { exports?: unknown }
  const target = targetOf(exports, `.${subpath}`)
  return target === undefined ? undefined : join(found, target)
}

function targetOf(exports: unknown, subpath: string): string | undefined {
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
  const entries = isMap ? exports : { '.': exports }
  if (Object.hasOwn(entries, subpath)) return chosenOf(entries[subpath])
  // Of patterns, the one that says most of the path, as Node has it.
  const patterns = Object.keys(entries).sort((one, other) => other.indexOf('*') - one.indexOf('*'))
  for (const pattern of patterns) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined || subpath.length < pattern.length) continue
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue
    const matched = subpath.slice(before.length, subpath.length - after.length)
    return chosenOf(entries[pattern])?.replaceAll('*', () => matched)
  }
  return undefined
}

function chosenOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (!isObject(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const chosen = conditions.has(condition) || Array.isArray(target) ? chosenOf(inner) : undefined
    if (chosen !== undefined) return chosen
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectOptions } from './choices.ts'

const templates = fileURLToPath(new URL('../templates', import.meta.url))
const { version } = readJson(fileURLToPath(new URL('../package.json', import.meta.url))) as {
  readonly version: string
}

/**
 * Creates the folder of a project.
 *
 * The files of the chosen templates are copied. `package.json` has the members of all of them; `README.md` and
 * `.env.example` are joined. `.env` gets new secrets.
 *
 * @throws Error if the folder exists and is not empty
 */
export function createProject(folder: string, options: ProjectOptions): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  const files = new Map<string, string>()
  for (const template of listTemplates(options)) addTemplate(files, join(templates, template))
  const env = files.get('.env.example') ?? ''
  files.set(
    '.env',
    env.replaceAll(/SECRET.*=$/gm, (start) => start + randomBytes(32).toString('base64url')),
  )
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const mode = path === '.env' ? 0o600 : 0o666
    writeFileSync(file, text.replaceAll('my-app', options.name), { mode })
  }
}

function listTemplates({ kind, database, framework }: ProjectOptions): readonly string[] {
  const parts = kind === 'both' ? ['api', 'webhooks'] : [kind]
  return ['base', database, ...parts, framework, `main-${kind}`, `${framework}-${kind}`]
}

function addTemplate(files: Map<string, string>, folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file)
    const text = readFileSync(file, 'utf8')
    const before = files.get(path)
    if (path === 'package.json') files.set(path, mergeManifests(before ?? '{}', text))
    // npm does not publish files with the other name.
    else if (path === 'gitignore') files.set('.gitignore', text)
    else files.set(path, (before ?? '') + text)
  }
}

type Manifest = Readonly<Record<string, unknown>>

function mergeManifests(before: string, text: string): string {
  const merged: Record<string, unknown> = { ...(JSON.parse(before) as Manifest) }
  for (const [name, value] of Object.entries(JSON.parse(text) as Manifest)) {
    const members = Object.entries({ ...(merged[name] as object | undefined), ...(value as object) })
    if (typeof value !== 'object') merged[name] = value
    else if (name === 'scripts') merged[name] = Object.fromEntries(members)
    else merged[name] = Object.fromEntries(members.map(pin).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return `${JSON.stringify(merged, null, 2)}\n`
}

/** All packages of Sallyport share one version. */
const pin = ([name, range]: [string, unknown]) => [name, range === 'latest' ? `^${version}` : range] as const

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

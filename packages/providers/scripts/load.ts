/** Loads the declarations of the package for the generators. */
import { readdir, readFile } from 'node:fs/promises'
import type { AnyProvider, Service, ServiceFacts } from '@sallyport/webhooks'
import type { ServiceSample } from '@sallyport/webhooks/testing'
import { identifier, isTaken } from './names.ts'

const here = new URL('../', import.meta.url)

export interface Names {
  /** Every module of `src/neutral` is a normalized provider with the name of the file. */
  readonly neutral: readonly string[]
  /** Every module of `src/services` is a service with the name of the file. */
  readonly services: readonly string[]
}

export async function listNames(root: URL): Promise<Names> {
  const paths = (await readdir(new URL('src', root), { recursive: true })).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const find = (pattern: RegExp) => paths.flatMap((path) => pattern.exec(path)?.[1] ?? []).sort()
  const names = { neutral: find(/^neutral\/([^/.]+)\.ts$/), services: find(/^services\/([^/.]+)\.ts$/) }
  const taken = [...names.neutral, ...names.services].find(isTaken)
  if (taken !== undefined) throw new TypeError(`A provider cannot be named "${taken}"`)
  return names
}

/** A normalized provider and the description from the comment of its entry. */
export interface Entry {
  readonly provider: AnyProvider
  readonly service: string
  readonly signed: string
  readonly secret: string
}

/** Every normalized provider of the package, sorted by name. */
export async function loadEntries(root = here): Promise<readonly Entry[]> {
  const { neutral } = await listNames(root)
  return Promise.all(
    neutral.map(async (name) => {
      const url = new URL(`src/neutral/${name}.ts`, root)
      const entry = (await import(url.href)) as Record<string, AnyProvider>
      const provider = entry[identifier(name)]
      if (provider?.name !== name) {
        throw new TypeError(
          `src/neutral/${name}.ts must export the provider "${name}" as ${identifier(name)}`,
        )
      }
      return { provider, ...parseDescription(name, await readFile(url, 'utf8')) }
    }),
  )
}

/** A service with its facts and recorded deliveries. */
export interface ServiceEntry {
  readonly provider: Service
  readonly facts: ServiceFacts
  readonly samples: readonly ServiceSample[]
}

/** Every service of the package, sorted by name. */
export async function loadServices(root = here): Promise<readonly ServiceEntry[]> {
  const { services } = await listNames(root)
  return Promise.all(
    services.map(async (name) => {
      const entry = (await import(new URL(`src/services/${name}.ts`, root).href)) as Record<string, unknown>
      const provider = entry[identifier(name)] as Service | undefined
      if (provider?.name !== name) {
        throw new TypeError(
          `src/services/${name}.ts must export the service "${name}" as ${identifier(name)}`,
        )
      }
      const facts = entry['facts'] as ServiceFacts | undefined
      if (facts === undefined) throw new TypeError(`src/services/${name}.ts must export "facts"`)
      const file = new URL(`src/services/${name}.samples.json`, root)
      const samples = JSON.parse(await readFile(file, 'utf8')) as readonly ServiceSample[]
      return { provider, facts, samples }
    }),
  )
}

/**
 * Reads the comment of an entry: a paragraph with the service, and a paragraph "Signed by …. The secret is ….".
 */
function parseDescription(name: string, source: string): Omit<Entry, 'provider'> {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  const paragraphs = comment.split(/\n \*\s*\n/).map((paragraph) =>
    paragraph
      .replaceAll(/\s*\n? \* /g, ' ')
      .trim()
      .replace(/\.$/, ''),
  )
  const [service = '', signature = ''] = paragraphs
  const [, signed, secret = 'shared with the service'] =
    /^Signed by (.+?)(?:\. The secret is (.+))?$/.exec(signature) ?? []
  if (service === '' || signed === undefined) {
    throw new TypeError(
      `src/neutral/${name}.ts must begin with a comment of two paragraphs: the service, and "Signed by …. The secret is …."`,
    )
  }
  return { service, signed, secret }
}

import type { ServiceDeclaration, ValueSource } from '@sallyport/webhooks'
import { readFile } from 'node:fs/promises'
import { loadServices, type ServiceEntry } from '../load.ts'
import { describeSignature } from './describe-signature.ts'
import { catalogueSchema, type Catalogue, type CatalogueService } from './schema.ts'
import { createVectors } from './vectors.ts'

const here = new URL('../../', import.meta.url)

/** The expected contents of the catalogue and of its schema, by their path in the package. */
export async function catalogueFiles(root = here): Promise<ReadonlyMap<string, string>> {
  const services = await createServices(root)
  // One service in a line would make changes hard to review, and one value in a line doubles the size.
  const catalogue: Catalogue = { $schema: './catalogue.schema.json', version: 1, services }
  return new Map([
    ['catalogue.json', `${JSON.stringify(catalogue, null, 1)}\n`],
    ['catalogue.schema.json', `${JSON.stringify(catalogueSchema(), null, 2)}\n`],
  ])
}

async function createServices(root: URL): Promise<CatalogueService[]> {
  const stored = await readStored(root)
  const services: CatalogueService[] = []
  // Key servers are replaced globally, so that one service is signed at a time.
  for (const entry of await loadServices(root)) {
    services.push(await createService(entry, stored.get(entry.provider.name)))
  }
  return services
}

async function readStored(root: URL): Promise<ReadonlyMap<string, CatalogueService>> {
  const text = await readFile(new URL('catalogue.json', root), 'utf8').catch(() => '{"services":[]}')
  const { services } = JSON.parse(text) as Catalogue
  return new Map(services.map((service) => [service.name, service]))
}

async function createService(
  { provider, facts, samples }: ServiceEntry,
  stored: CatalogueService | undefined,
): Promise<CatalogueService> {
  const { name, service, handshake, answer, bodyLimit } = provider
  const signature = await describeSignature(provider, facts, samples[0]?.body)
  const time = listSources(service.time)
  return {
    name,
    title: facts.title,
    docs: facts.docs,
    signature,
    identity: describeIdentity(service, facts.identity),
    kind: listSources(service.kind),
    ...(time.length > 0 && { time }),
    ...(service.events !== undefined && { events: [service.events].flat() }),
    ...(handshake && {
      handshake: {
        methods: [...handshake.methods],
        ...(handshake.establishesSecret && { establishesSecret: true as const }),
      },
    }),
    ...(answer && { answer }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    retries: facts.retries,
    confidence: facts.confidence,
    checked: facts.checked,
    sources: [...facts.sources],
    vectors: await createVectors(provider, samples, signature, stored?.vectors),
  }
}

function describeIdentity(service: ServiceDeclaration, documentation?: string): CatalogueService['identity'] {
  const { id, ignore, distinct, deliveryId } = service
  const common = {
    ...(ignore && { ignored: [...ignore] }),
    ...(typeof distinct === 'function' && { sometimesDistinct: true as const }),
    ...(deliveryId !== undefined && { attempts: listSources(deliveryId) }),
  }
  if (distinct === true) return { by: 'delivery', ...common }
  if (id === undefined) return { by: 'content', ...common }
  return { by: 'id', sources: listSources(id), ...common, ...(documentation && { documentation }) }
}

const listSources = (sources: ValueSource | readonly ValueSource[] = []): string[] =>
  ([sources].flat() as readonly ValueSource[]).map((source) =>
    typeof source === 'string'
      ? source
      : typeof source === 'object'
        ? `header:${source.header.toLowerCase()}`
        : 'computed',
  )

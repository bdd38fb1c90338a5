import {
  getTrust,
  type AnyProvider,
  type CatalogueEntry,
  type Service,
  type ValueSource,
} from '@sallyport/webhooks'
import { getSecretOrigin } from '../endpoints/choose-secret.ts'
import type { ProviderResource, ProviderSummary } from './schemas.ts'

/** An entry, and whether the gateway has the provider. */
export interface ListedProvider extends CatalogueEntry {
  readonly registered: boolean
}

export function summarizeProvider({ provider, facts, registered }: ListedProvider): ProviderSummary {
  return {
    name: provider.name,
    title: facts?.title ?? provider.name,
    registered,
    form: 'service' in provider ? 'service' : 'normalized',
    trust: getTrust(provider),
    docs: facts?.docs ?? null,
  }
}

/** Describes a provider by its declaration, the facts of its service and the kinds with a sample. */
export function describeProvider(
  listed: ListedProvider,
  { samples, gatewayUrl }: { readonly samples: readonly string[]; readonly gatewayUrl: string },
): ProviderResource {
  const { provider, facts } = listed
  const { signature, handshake } = provider
  const service = 'service' in provider ? (provider as unknown as Service).service : undefined
  return {
    ...summarizeProvider(listed),
    url: listed.registered ? `${gatewayUrl}/${provider.name}` : null,
    signature: { headers: [...signature.headers], covers: facts?.covers ?? describeCover(provider) },
    secret: getSecretOrigin(provider),
    handshake: [...(handshake?.methods ?? [])],
    identity: service ? describeIdentity(service) : null,
    kind: listSources(service?.kind),
    kinds: Object.keys(provider.events),
    samples: [...samples],
    setup: [...(facts?.setup ?? [])],
    traps: [...(facts?.traps ?? [])],
    retries: facts?.retries ?? null,
    confidence: facts?.confidence ?? null,
    checked: facts?.checked ?? null,
    sources: [...(facts?.sources ?? [])],
  }
}

function describeCover({ signature: { covers = 'body' } }: AnyProvider): string | null {
  if (covers === 'body') return null
  return covers.length === 0 ? 'nothing' : covers.join(', ')
}

function describeIdentity({
  id,
  ignore,
  distinct,
  deliveryId,
}: Service['service']): ProviderResource['identity'] {
  const without = [...(ignore ?? [])]
  if (distinct) return { by: 'delivery', parts: listSources(deliveryId), without }
  return { by: id === undefined ? 'body' : 'parts', parts: listSources(id), without }
}

const listSources = (sources: ValueSource | readonly ValueSource[] = []): string[] =>
  ([sources].flat() as readonly ValueSource[]).map(describeSource)

function describeSource(source: ValueSource): string {
  if (typeof source === 'string') return source
  return typeof source === 'object' ? `header ${source.header}` : 'computed'
}

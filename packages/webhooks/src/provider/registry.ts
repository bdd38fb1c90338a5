import type { WebhookEvent } from '../ports/event.ts'
import type { Route } from '../ports/ports.ts'
import { getTrust, type AnyProvider } from './provider.ts'

/** The providers of a gateway, by name. */
export interface Registry {
  readonly names: readonly string[]
  get(name: string): AnyProvider | undefined
}

/**
 * Registers providers by name, in the given order.
 *
 * @throws TypeError when two providers have the same name
 */
export function createRegistry(providers: Iterable<AnyProvider>): Registry {
  const byName = new Map<string, AnyProvider>()
  for (const provider of providers) {
    if (byName.has(provider.name)) throw new TypeError(`Two providers are named "${provider.name}"`)
    byName.set(provider.name, provider)
  }
  return { names: [...byName.keys()], get: (name) => byName.get(name) }
}

const lacks = {
  partial: 'signs only a part of a delivery, without the whole body',
  origin: 'proves only the sender, not the body',
  none: 'proves nothing',
}

/**
 * Registers the providers of a gateway.
 *
 * @throws TypeError when two providers have the same name, and for a provider that signs less than the body and that
 *   `allowUnsigned` does not name
 */
export function createTrustedRegistry(options: {
  readonly providers: Iterable<AnyProvider>
  readonly allowUnsigned?: readonly string[]
}): Registry {
  const { allowUnsigned = [] } = options
  const providers = [...options.providers]
  for (const provider of providers) {
    const trust = getTrust(provider)
    if (trust === 'signed' || allowUnsigned.includes(provider.name)) continue
    throw new TypeError(
      `The provider "${provider.name}" ${lacks[trust]}: add it to allowUnsigned to accept deliveries that may be forged`,
    )
  }
  return createRegistry(providers)
}

/**
 * Creates a function that selects the route of an event. Events of a pilot provider go through the shared queue when the
 * provider lists their kind in `queueable`. All other events go to the bus directly.
 *
 * @param pilots names of providers
 * @throws TypeError for a pilot that is not registered
 */
export function createRouting(
  registry: Pick<Registry, 'get'>,
  pilots: Iterable<string> = [],
): (event: Pick<WebhookEvent, 'name'>) => Route {
  const queued = new Set<string>()
  for (const pilot of pilots) {
    const provider = registry.get(pilot)
    if (provider === undefined) throw new TypeError(`The queue pilot "${pilot}" is not among the providers`)
    for (const kind of provider.queueable ?? []) queued.add(`${pilot}/${kind}`)
  }
  return ({ name }) => (queued.has(name) ? 'queue' : 'direct')
}

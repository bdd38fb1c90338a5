import type { InternalEvent } from '../ports/event.ts'
import type { Route } from '../ports/ports.ts'
import type { Registry } from './registry.ts'

/**
 * How the events of providers reach the bus: through the shared queue those of a pilot that are of a kind which its
 * provider marks as queueable, at once all others.
 *
 * @param pilots names of providers
 * @throws TypeError for a pilot that is not registered
 *
 * @example
 * ```ts
 * import { createRegistry, createRouting, type AnyProvider, type InternalEvent } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * declare const event: InternalEvent
 *
 * const routeOf = createRouting(createRegistry([codehost]), ['codehost'])
 * const record = { event, route: routeOf(event), notify: false }
 * ```
 */
export function createRouting(
  registry: Pick<Registry, 'get'>,
  pilots: Iterable<string> = [],
): (event: Pick<InternalEvent, 'name'>) => Route {
  const queued = new Set<string>()
  for (const pilot of pilots) {
    const provider = registry.get(pilot)
    if (provider === undefined) throw new TypeError(`The queue pilot "${pilot}" is not among the providers`)
    for (const kind of provider.queueable ?? []) queued.add(`${pilot}/${kind}`)
  }
  return ({ name }) => (queued.has(name) ? 'queue' : 'direct')
}

import type { InternalEvent } from '../event.ts'
import { normalize, parse } from '../normalize.ts'
import { plainHeaders, type ProviderSample } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'

/** The events that the gateway would make of a verified delivery. */
export async function eventsOf(
  { provider, now }: Pick<SuiteContext, 'provider' | 'now'>,
  headers: ProviderSample['headers'],
  body: Uint8Array,
  receivedAt = now,
): Promise<readonly InternalEvent[]> {
  const delivery = { payload: parse(provider, body), headers: plainHeaders(headers), body, receivedAt }
  return normalize(provider, delivery, 'suite')
}

export const idsOf = (events: readonly InternalEvent[]): string[] => events.map(({ id }) => id).toSorted()

/** A delivery that cannot be read goes to quarantine: no event comes of it. */
export async function idsOrNone(...delivery: Parameters<typeof eventsOf>): Promise<string[]> {
  return eventsOf(...delivery).then(idsOf, () => [])
}

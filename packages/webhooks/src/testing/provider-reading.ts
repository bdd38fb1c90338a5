import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { InternalEvent } from '../ports/event.ts'
import { normalize, parse } from '../gateway/normalize.ts'
import { plainHeaders, type ProviderSample } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'

/** Who reads a delivery, and who is told which headers he asks for. */
interface Reading extends Pick<SuiteContext, 'provider' | 'now'> {
  readonly onAsked?: (name: string) => void
}

/** The events that the gateway would make of a verified delivery. */
export async function eventsOf(
  { provider, now, onAsked = () => undefined }: Reading,
  headers: ProviderSample['headers'],
  body: Uint8Array,
  receivedAt = now,
): Promise<readonly InternalEvent[]> {
  const asked = overheard(plainHeaders(headers), onAsked)
  const delivery = { payload: parse(provider, body), headers: asked, body, receivedAt }
  return normalize(provider, delivery, 'suite')
}

export const idsOf = (events: readonly InternalEvent[]): string[] => events.map(({ id }) => id).toSorted()

/** A delivery that cannot be read goes to quarantine: no event comes of it. */
export async function idsOrNone(...delivery: Parameters<typeof eventsOf>): Promise<string[]> {
  return eventsOf(...delivery).then(idsOf, () => [])
}

/** What whoever looks at all headers may be after: headers that another attempt has, or another way. */
const usualNames = [
  'date',
  'idempotency-key',
  'traceparent',
  'user-agent',
  'x-attempt',
  'x-delivery-attempt',
  'x-delivery-id',
  'x-event-id',
  'x-forwarded-for',
  'x-request-id',
  'x-retry',
  'x-retry-count',
  'x-webhook-attempt',
  'x-webhook-id',
]

function overheard(headers: DeliveryHeaders, onAsked: (name: string) => void): DeliveryHeaders {
  return {
    get: (name) => {
      onAsked(name.toLowerCase())
      return headers.get(name)
    },
    [Symbol.iterator]: () => {
      for (const name of usualNames) onAsked(name)
      return headers[Symbol.iterator]()
    },
  }
}

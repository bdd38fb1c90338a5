/**
 * Neutral contract with payloads in the form of Stripe; Stripe itself is `stripe`.
 *
 * Signed by HMAC-SHA256 of the time and the body, in hexadecimal after `v1=`. The secret is the signing
 * secret of the endpoint, `whsec_` and all.
 *
 * @module
 */
import type { Provider, VerifiedDelivery } from '@sallyport/webhooks'
import { readPath } from '../agreement.ts'
import { text } from '../fields.ts'
import { createNeutral, type NeutralOptions, type ServiceEvent } from '../mapping.ts'
import { isThin, kinds, type PaymentsEvents } from '../payments-data.ts'
import { messages } from '../payments-messages.ts'
import { stripe } from '../services/stripe.ts'

/**
 * Finds the object of an event. A thin event about an object of API v1 has the kind of its snapshot with the prefix `v1.`, and
 * only the id of its object. An endpoint can receive both forms of an event: the id of the snapshot identifies them.
 */
function read(delivery: VerifiedDelivery): readonly ServiceEvent[] {
  return stripe.normalize(delivery).map(({ kind, data: event, ...facts }) => {
    if (!isThin(event))
      return { ...facts, kind, data: { ...(Object(readPath(event, 'data.object')) as object), event } }
    const snapshot = text('snapshot_event').read(event)
    return {
      ...facts,
      ...(snapshot !== null && { key: [snapshot] }),
      kind: kind.replace(/^v1\./, ''),
      data: { id: readPath(event, 'related_object.id'), event },
    }
  })
}

/**
 * A payments provider: Stripe, or a service with the same signature and payloads.
 *
 * @throws TypeError when the name or the header is malformed
 *
 * @example
 * ```ts
 * import { createPayments } from '@sallyport/providers/payments'
 *
 * export const till = createPayments({ name: 'till', header: 'till-signature' })
 * ```
 */
export function createPayments<const Name extends string = 'payments'>({
  name = 'payments' as Name,
  header = 'payments-signature',
}: NeutralOptions<Name> = {}): Provider<PaymentsEvents, Name> {
  return createNeutral(stripe, { name, header, kinds, messages, read })
}

/** The payments provider with its default name. */
export const payments = createPayments()

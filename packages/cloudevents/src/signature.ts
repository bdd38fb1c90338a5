import { signingSecret } from './signing-secret.ts'
import { sha256Hex, standardWebhooks, type InternalEvent, type MaybePromise } from '@sallyport/webhooks'
import type { HttpMessage } from '@sallyport/webhooks/http'

const scheme = standardWebhooks()
const encoder = new TextEncoder()

/**
 * Signs requests by Standard Webhooks; `webhook-id` is the same whenever the same events are sent.
 *
 * @param now milliseconds since the epoch
 * @throws TypeError for a text that signs nothing
 */
export function signer(
  secret: string | (() => MaybePromise<string>),
  now: () => number,
): (message: HttpMessage, events: readonly InternalEvent[]) => Promise<Readonly<Record<string, string>>> {
  const secretNow = signingSecret(secret)
  return async (message, events) => {
    const ids = JSON.stringify(events.map(({ id }) => id))
    // Hashed: an event's id may have a dot, which a signed id may not.
    const headers = new Headers({ 'webhook-id': `msg_${await sha256Hex(encoder.encode(ids))}` })
    const delivery = { method: 'POST', headers, body: encoder.encode(message.body) }
    return scheme.sign(delivery, await secretNow(), now())
  }
}

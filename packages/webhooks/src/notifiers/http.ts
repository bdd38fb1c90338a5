import { sha256Hex } from '../crypto/crypto.ts'
import type { InternalEvent, Message } from '../ports/event.ts'
import type { MaybePromise, Notifier } from '../ports/ports.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { poster, type PostOptions } from './post.ts'
import { signingSecret } from './signing-secret.ts'

export interface HttpNotifierOptions extends PostOptions {
  /** Signs: `whsec_` and base64, or `whsk_` for Ed25519. A function is asked for every message, such as for a lease. */
  readonly secret: string | (() => MaybePromise<string>)
  /** Whether the event's data goes along. @default false */
  readonly includeData?: boolean
}

/** The body of a notification: the message, and which event it is about. */
export interface HttpNotification extends Message {
  readonly event: {
    readonly id: string
    /** `<provider>/<kind>`. */
    readonly name: string
    readonly provider: string
    readonly subject: string
    /** RFC 3339, UTC. */
    readonly occurred_at: string
    readonly delivery_id: string
    readonly data?: unknown
  }
}

const scheme = standardWebhooks()
const encoder = new TextEncoder()

/**
 * Posts each message as JSON ({@link HttpNotification}), signed by Standard Webhooks, so that any of its libraries
 * verifies it. `webhook-id` is the same for every attempt for an event: receivers deduplicate by it.
 *
 * Success is a status of 200 to 299. Everything else rejects with `HTTP_<status>`, or a code such as `ECONNREFUSED`, and
 * is tried again, not before what `Retry-After` says; 400, 410, 413, 415 and 422 are final.
 *
 * A secret that a function gives and that signs nothing, such as an empty one, rejects with `SECRET_UNUSABLE`.
 *
 * @throws TypeError when the address is not http or https, or holds a user and a password, when the secret is a text that
 *   signs nothing, or when the time is none that a timer can wait
 *
 * @example
 * ```ts
 * import { httpNotifier } from '@sallyport/webhooks/notifiers'
 *
 * declare const secret: string
 * export const notifier = httpNotifier({ url: 'https://operators.example.com/messages', secret })
 * ```
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function httpNotifier(options: HttpNotifierOptions): Notifier {
  const { includeData = false, now = Date.now } = options
  const secret = signingSecret(options.secret)
  const post = poster(options)
  return {
    async notify(message, event, signal) {
      const body = encoder.encode(JSON.stringify(notificationOf(message, event, includeData)))
      // Hashed: an event's id may have a dot, which a signed id may not.
      const headers = new Headers({ 'webhook-id': `msg_${await sha256Hex(encoder.encode(event.id))}` })
      const proof = await scheme.sign({ method: 'POST', headers, body }, await secret(), now())
      await post(body, proof, signal)
    },
  }
}

function notificationOf(message: Message, event: InternalEvent, includeData: boolean): HttpNotification {
  const { title, text, severity, links = [] } = message
  const { id, name, subject, ts, data, source } = event
  return {
    title,
    text,
    severity,
    links,
    event: {
      id,
      name,
      provider: source.provider,
      subject,
      occurred_at: new Date(ts).toISOString(),
      delivery_id: source.deliveryId,
      ...(includeData && { data }),
    },
  }
}

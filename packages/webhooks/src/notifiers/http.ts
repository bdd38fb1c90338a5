import { SallyportError } from '@sallyport/errors'
import { sha256Hex } from '../crypto/crypto.ts'
import { decodeText } from '../crypto/encoding.ts'
import type { InternalEvent, Message } from '../ports/event.ts'
import type { MaybePromise, Notifier } from '../ports/ports.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { createPost, type PostOptions } from './post.ts'

export interface HttpNotifierOptions extends PostOptions {
  /**
   * The signing secret: `whsec_` and base64, or `whsk_` and base64 for Ed25519. A function is called for every message,
   * for example to read a lease.
   */
  readonly secret: string | (() => MaybePromise<string>)
  /** Whether the body contains the event's data. @default false */
  readonly includeData?: boolean
}

/** The body of a notification: the message and its event. */
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
 * Creates a notifier that posts each message as JSON ({@link HttpNotification}), signed with Standard Webhooks.
 *
 * `webhook-id` is the same for every attempt for an event, so that receivers can deduplicate. A status of 200 to 299 is
 * a success. Other outcomes reject with the code `HTTP_<status>` or a network code such as `ECONNREFUSED`, and are
 * retried after the delay of `Retry-After`; 400, 410, 413, 415 and 422 are final. An invalid secret from a function
 * rejects with `SECRET_UNUSABLE`.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, if a secret text is invalid, or if
 *   `timeoutMs` is out of range
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
  const { includeData = false, now = Date.now, secret } = options
  if (typeof secret !== 'function' && !isUsableSecret(secret)) {
    throw new TypeError(`secret must be ${secretFormat}`)
  }
  const post = createPost(options)

  return {
    async notify(message, event, signal) {
      const body = encoder.encode(JSON.stringify(createNotification(message, event, includeData)))
      // The id of an event can contain a dot, which an id of Standard Webhooks must not.
      const headers = new Headers({ 'webhook-id': `msg_${await sha256Hex(encoder.encode(event.id))}` })
      const currentSecret = typeof secret === 'function' ? await secret() : secret
      if (!isUsableSecret(currentSecret)) {
        throw new SallyportError('SECRET_UNUSABLE', `The function for the secret must return ${secretFormat}`)
      }
      const proof = await scheme.sign({ method: 'POST', headers, body }, currentSecret, now())
      await post(body, proof, signal)
    },
  }
}

function createNotification(message: Message, event: InternalEvent, includeData: boolean): HttpNotification {
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
      ...(source.endpoint !== undefined && { endpoint: source.endpoint }),
      subject,
      occurred_at: new Date(ts).toISOString(),
      delivery_id: source.deliveryId,
      ...(includeData && { data }),
    },
  }
}

const secretFormat =
  'a secret of Standard Webhooks: "whsec_" and base64, or "whsk_" and a private key for Ed25519 in base64'

function isUsableSecret(secret: unknown): boolean {
  const [, prefix, rest = ''] = /^(whsec_|whsk_|)(.*)$/s.exec(typeof secret === 'string' ? secret : '') ?? []
  // A key from a file can end with a newline.
  const bytes = decodeText('base64', prefix === 'whsk_' ? rest.trim() : rest)
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return false
  return prefix !== 'whsk_' || bytes.length === 32 || bytes.length === 64
}

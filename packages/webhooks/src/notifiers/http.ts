import type { WebhookEvent, Message } from '../ports/event.ts'
import type { Notifier } from '../ports/ports.ts'
import { createSignedPost, type SignedPostOptions } from './signed-post.ts'

export interface HttpNotifierOptions extends SignedPostOptions {
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
 * import { createHttpNotifier } from '@sallyport/webhooks/notifiers'
 *
 * declare const secret: string
 * export const notifier = createHttpNotifier({ url: 'https://operators.example.com/messages', secret })
 * ```
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createHttpNotifier(options: HttpNotifierOptions): Notifier {
  const { includeData = false } = options
  const post = createSignedPost(options)
  return {
    notify: (message, event, signal) =>
      post(event.id, createNotification(message, event, includeData), signal),
  }
}

function createNotification(message: Message, event: WebhookEvent, includeData: boolean): HttpNotification {
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

import { createSignedPost, type SignedPostOptions } from '../notifiers/signed-post.ts'
import type { Message } from '../ports/event.ts'
import type { AlertMessage } from './message.ts'
import type { AlertTarget } from './send.ts'

export interface HttpAlertsOptions extends SignedPostOptions {
  /** @default 'http' */
  readonly name?: string
}

/** The body of a message about an alert. */
export interface HttpAlert extends Message {
  readonly alert: {
    readonly id: string
    /** Stable, such as `dead_letters`. */
    readonly name: string
    readonly status: 'firing' | 'resolved'
    /** RFC 3339, UTC. */
    readonly since: string
    /** RFC 3339, UTC. */
    readonly resolved_at?: string
  }
}

/**
 * Creates a target that posts each message as JSON ({@link HttpAlert}), signed with Standard Webhooks. `webhook-id` is
 * equal for each attempt, so that receivers can deduplicate.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, if a secret text is invalid, or if
 *   `timeoutMs` is out of range
 *
 * @example
 * ```ts
 * import { createHttpAlerts } from '@sallyport/webhooks/alerts'
 *
 * declare const secret: string
 * export const target = createHttpAlerts({ url: 'https://operators.example.com/messages', secret })
 * ```
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createHttpAlerts(options: HttpAlertsOptions): AlertTarget {
  const post = createSignedPost(options)
  return {
    name: options.name ?? 'http',
    send: (message, signal) => post(message.messageId, createBody(message), signal),
  }
}

function createBody(message: AlertMessage): HttpAlert {
  const { title, text, severity, links = [], id, name, status, since, resolvedAt } = message
  return {
    ...{ title, text, severity, links },
    alert: {
      ...{ id, name, status },
      since: new Date(since).toISOString(),
      ...(resolvedAt !== undefined && { resolved_at: new Date(resolvedAt).toISOString() }),
    },
  }
}

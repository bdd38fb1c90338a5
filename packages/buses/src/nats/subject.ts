import { createHash } from 'node:crypto'
import type { WebhookEvent } from '@sallyport/webhooks'

/** Ids that are used unchanged as a header. Other ids would be trimmed or could collide. */
const plainId = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Returns `<prefix>.<provider>.<kind>`. Characters with a meaning in subjects and other special ones become underscores. */
export function toSubject(prefix: string, { name }: Pick<WebhookEvent, 'name'>): string {
  const tokens = name.replace('/', '.').split('.')
  return [prefix, ...tokens.map((token) => token.replace(/[^\w-]/g, '_') || '_')].join('.')
}

/** Returns the `Nats-Msg-Id` of an event: its id, or a hash of the id if it is not plain text. */
export function toMessageId({ id }: Pick<WebhookEvent, 'id'>): string {
  return plainId.test(id) ? id : `sha256:${hashId(id)}`
}

/** Hashes an event id into plain text. */
function hashId(id: string): string {
  // JSON escapes lone surrogates, which UTF-8 would replace with the same character.
  return createHash('sha256').update(JSON.stringify(id)).digest('hex')
}

import { createHash } from 'node:crypto'
import type { InternalEvent } from '@sallyport/webhooks'

/** What an id may be to be a header as it is; others would be cut, trimmed or mistaken for each other. */
const plainId = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** `<prefix>.<provider>.<kind>`; characters that have a meaning in subjects, or none, become underscores. */
export function subjectOf(prefix: string, { name }: Pick<InternalEvent, 'name'>): string {
  const tokens = name.replace('/', '.').split('.')
  return [prefix, ...tokens.map((token) => token.replace(/[^\w-]/g, '_') || '_')].join('.')
}

/** The event's id as `Nats-Msg-Id`; an id that is no plain text is told by its hash. */
export function messageIdOf({ id }: Pick<InternalEvent, 'id'>): string {
  return plainId.test(id) ? id : `sha256:${digestOf(id)}`
}

/** One token of a subject for every id. */
export function digestOf(id: string): string {
  // As JSON, because halves of surrogate pairs would become one character as UTF-8.
  return createHash('sha256').update(JSON.stringify(id)).digest('hex')
}

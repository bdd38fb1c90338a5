import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Options } from 'amqplib'
import type { InternalEvent } from '@sallyport/webhooks'

/** What short texts of AMQP, such as routing keys and ids of messages, hold at most. */
export const shortTextBytes = 255

export interface Message {
  readonly routingKey: string
  readonly messageId: string
  readonly body: Buffer
  readonly properties: Options.Publish
}

/** What an id may be to be a property as it is; others could be mistaken for each other, or are too long. */
const plainId = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** `<provider>.<kind>`; characters that have a meaning in patterns, or are no plain text, become underscores. */
function routingKeyOf({ name }: Pick<InternalEvent, 'name'>): string {
  const words = name.replace('/', '.').split('.')
  return words.map((word) => word.replace(/[^\w-]/g, '_') || '_').join('.')
}

/** The event's id; one that is no short, plain text is told by its hash. */
function messageIdOf({ id }: Pick<InternalEvent, 'id'>): string {
  if (plainId.test(id)) return id
  // As JSON, because halves of surrogate pairs would become one character as UTF-8.
  return `sha256:${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`
}

/** An event as it is published: kept on disk, under its id. */
export function messageOf(event: InternalEvent): Message {
  const messageId = messageIdOf(event)
  const { traceparent, tracestate } = event.trace ?? {}
  return {
    ...{ routingKey: routingKeyOf(event), messageId, body: Buffer.from(JSON.stringify(event)) },
    properties: {
      ...{ persistent: true, contentType: 'application/json', messageId, type: event.name },
      headers: {
        'x-deduplication-header': messageId,
        ...(traceparent && { traceparent }),
        ...(tracestate && { tracestate }),
      },
    },
  }
}

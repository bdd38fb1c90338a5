import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Options } from 'amqplib'
import type { WebhookEvent } from '@sallyport/webhooks'

/** Maximum length of an AMQP short string, such as a routing key or a message id. */
export const shortTextBytes = 255

export interface Message {
  readonly routingKey: string
  readonly messageId: string
  readonly body: Buffer
  readonly properties: Options.Publish
}

/** Ids that are used unchanged as a message id. Other ids are too long or could collide after encoding. */
const plainId = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** Returns `<provider>.<kind>`. Pattern characters and characters that are not plain text become underscores. */
function toRoutingKey({ name }: Pick<WebhookEvent, 'name'>): string {
  const words = name.replace('/', '.').split('.')
  return words.map((word) => word.replace(/[^\w-]/g, '_') || '_').join('.')
}

/** Returns the id of the event, or its hash if the id is not short plain text. */
function toMessageId({ id }: Pick<WebhookEvent, 'id'>): string {
  if (plainId.test(id)) return id
  // JSON escapes lone surrogates, which UTF-8 would replace with the same character.
  return `sha256:${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`
}

/** Encodes an event as a persistent message with its id. */
export function encodeMessage(event: WebhookEvent): Message {
  const messageId = toMessageId(event)
  const { traceparent, tracestate } = event.trace ?? {}
  return {
    ...{ routingKey: toRoutingKey(event), messageId, body: Buffer.from(JSON.stringify(event)) },
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

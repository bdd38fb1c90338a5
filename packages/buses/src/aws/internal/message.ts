import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { WebhookEvent } from '@sallyport/webhooks'

interface Attribute {
  readonly DataType: 'String'
  readonly StringValue: string
}

/** An event as a message of SQS or SNS. */
export interface EncodedMessage {
  /** The event as JSON. */
  readonly body: string
  /** `name`, `provider` and `endpoint`, for filter policies, and the trace. */
  readonly attributes: Record<string, Attribute>
  /** The size of body and attributes. */
  readonly bytes: number
}

/** XML, which both services are based on, has no such characters. */
const escapes: Readonly<Record<string, string>> = { '\ufffe': '\\ufffe', '\uffff': '\\uffff' }

/**
 * Encodes an event with its attributes.
 *
 * @throws for an event that is not JSON
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
export function encodeMessage(event: WebhookEvent): EncodedMessage {
  const body = toJson(event)
  const { provider, endpoint } = event.source
  const attributes: Record<string, Attribute> = {}
  let bytes = Buffer.byteLength(body)
  for (const [name, value] of Object.entries({ name: event.name, provider, endpoint, ...event.trace })) {
    if (value === undefined || !isPlain(value, 512)) continue
    attributes[name] = { DataType: 'String', StringValue: value }
    bytes += name.length + 'String'.length + value.length
  }
  return { body, attributes, bytes }
}

/** Writes an event as JSON in the characters that the services accept. @throws for an event that is not JSON */
export const toJson = (event: WebhookEvent): string =>
  JSON.stringify(event).replace(/[\ufffe\uffff]/g, (character) => escapes[character] ?? '')

const isPlain = (text: string, length: number) =>
  text.length > 0 && text.length <= length && /^[\x21-\x7e]+$/.test(text)

/** Returns the members that order and deduplicate a message of a FIFO queue or topic. */
export const encodeFifo = ({ id, subject }: WebhookEvent) => ({
  MessageGroupId: toFifoText(subject === '' ? id : subject),
  MessageDeduplicationId: toFifoText(id),
})

/** Returns a text of 1 to 128 printable characters: the text itself, or its hash. JSON escapes lone surrogates. */
function toFifoText(text: string): string {
  if (isPlain(text, 128)) return text
  return `sha256:${createHash('sha256').update(JSON.stringify(text)).digest('hex')}`
}

import { toCloudEvent } from '../cloudevents/index.ts'
import type { WebhookEvent } from '@sallyport/webhooks'
import { decodeEvent } from '@sallyport/webhooks/consumer'

/** An event as a Kafka message, without the topic. */
export interface EncodedEvent {
  /** The subject, which orders events; the id for an event without a subject. */
  readonly key: Buffer
  readonly value: Buffer
  readonly headers: Map<Buffer, Buffer>
  /** The size of key, value and headers. */
  readonly bytes: number
}

const contentType = Buffer.from('content-type')
const jsonType = Buffer.from('application/json; charset=utf-8')

/** The headers of attributes, which are the same few for all events. */
const headerNames = new Map<string, Buffer<ArrayBuffer>>()

function nameHeader(attribute: string): Buffer<ArrayBuffer> {
  const name = headerNames.get(attribute) ?? Buffer.from(`ce_${attribute}`)
  headerNames.set(attribute, name)
  return name
}

/**
 * Encodes an event as a CloudEvent in binary content mode: the attributes are headers such as `ce_id`, and the value is the
 * data as JSON. Returns undefined for an event that cannot be encoded.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 */
export function encodeEvent(event: WebhookEvent): EncodedEvent | undefined {
  // UTF-8 would replace a lone surrogate, which could produce the id of another event.
  if (!event.id.isWellFormed()) return undefined
  try {
    const { data, ...attributes } = toCloudEvent(event).toJSON()
    const headers = new Map([[contentType, jsonType]])
    for (const [name, value] of Object.entries(attributes))
      if (name !== 'datacontenttype' && ['string', 'boolean'].includes(typeof value))
        headers.set(nameHeader(name), Buffer.from(`${value as string | boolean}`))
    const key = Buffer.from(event.subject || event.id)
    // An event with a reference to its data has no data.
    const value = data === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(data))
    let bytes = key.length + value.length
    for (const [name, text] of headers) bytes += name.length + text.length
    return { key, value, headers, bytes }
  } catch {
    // The error is dropped because it may quote the data.
    return undefined
  }
}

/** The parts of a Kafka message that contain an event. */
export interface EncodedMessage {
  readonly value: Buffer | null | undefined
  readonly headerEntries: readonly (readonly [name: Buffer, value: Buffer])[]
}

/**
 * Decodes a message as {@link encodeEvent} writes it, or an event or a CloudEvent as JSON in its value.
 *
 * @throws for a message that is neither
 */
export function decodeMessage({ value, headerEntries }: EncodedMessage): WebhookEvent {
  const text = value === null || value === undefined ? '' : value.toString()
  const attributes = headerEntries.flatMap(([name, attribute]) => {
    const header = name.toString()
    return header.startsWith('ce_') ? [[header.slice('ce_'.length), attribute.toString()] as const] : []
  })
  if (attributes.length === 0) return decodeEvent(JSON.parse(text))
  const data: unknown = text === '' ? undefined : JSON.parse(text)
  return decodeEvent({ ...Object.fromEntries(attributes), data })
}

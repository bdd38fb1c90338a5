import { parseJson, type LargeIntegers } from '@sallyport/webhooks'

interface Envelope {
  readonly Message?: string
}

/** Parses an envelope of Amazon SNS whose `Message` is JSON, or another text. */
export function parseSnsMessage(body: Uint8Array, largeIntegers?: LargeIntegers): unknown {
  const envelope = parseJson(body, largeIntegers) as Envelope
  const { Message: text } = Object(envelope) as Envelope
  if (typeof text !== 'string') return envelope
  try {
    return { ...envelope, Message: parseJson(new TextEncoder().encode(text), largeIntegers) }
  } catch {
    return envelope
  }
}

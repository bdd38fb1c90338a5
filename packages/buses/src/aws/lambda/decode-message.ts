import type { WebhookEvent } from '@sallyport/webhooks'
import { decodeEvent } from '@sallyport/webhooks/consumer'

interface Envelope {
  /** The member of EventBridge. */
  readonly detail?: unknown
  /** The members of SNS. */
  readonly Type?: unknown
  readonly Message?: unknown
}

/**
 * Decodes the body of a message in SQS: an event, or the envelope of SNS or EventBridge with an event.
 *
 * @throws TypeError for a text that is neither; the message does not quote the text
 */
export function decodeMessage(body: string): WebhookEvent {
  const value = parse(body)
  const { detail, Type, Message } = Object(value) as Envelope
  if (Type === 'Notification' && typeof Message === 'string') return decodeEvent(parse(Message))
  return decodeEvent(detail !== undefined && 'detail-type' in Object(value) ? detail : value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError('The message is not an event')
  }
}

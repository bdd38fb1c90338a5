import { parseJson, parseText } from '@sallyport/webhooks'
import { readElement } from './braintree-notification.ts'

/** The bytes of white space and of a byte order mark may come first. */
const isXml = (body: Uint8Array): boolean =>
  body.find((byte) => byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte)) === 0x3c

/** Parses a message in JSON, and returns a message in XML as text. */
export const parseDocusign = (body: Uint8Array, integers?: 'text' | 'number'): unknown =>
  isXml(body) ? parseText(body) : parseJson(body, integers)

/** Returns an element of the envelope. The recipients before it have elements of the same names. */
function readEnvelope(xml: string, name: string): string | undefined {
  const end = xml.indexOf('</RecipientStatuses>')
  return readElement(xml.slice(Math.max(end, 0)), name)
}

interface Message {
  readonly event?: string
  readonly generatedDateTime?: string
  /** In the aggregate JSON of earlier configurations. */
  readonly status?: string
  readonly envelopeId?: string
  readonly statusChangedDateTime?: string
  readonly data?: { readonly envelopeId?: string }
}

/** Returns the name of the event. A message in XML or an aggregate has the status of the envelope instead. */
export function readDocusignKind(message: unknown): string | undefined {
  const { event, status } = Object(message) as Message
  const state = typeof message === 'string' ? readEnvelope(message, 'Status') : status
  return event ?? (state === undefined ? undefined : `envelope-${state.toLowerCase()}`)
}

/** Returns the id of the envelope. */
export function readEnvelopeId(message: unknown): string | undefined {
  if (typeof message === 'string') return readEnvelope(message, 'EnvelopeID')
  const { data, envelopeId } = Object(message) as Message
  return data?.envelopeId ?? envelopeId
}

/** Returns the time of the message. */
export function readDocusignTime(message: unknown): string | undefined {
  if (typeof message === 'string') return readEnvelope(message, 'TimeGenerated')
  const { generatedDateTime, statusChangedDateTime } = Object(message) as Message
  return generatedDateTime ?? statusChangedDateTime
}

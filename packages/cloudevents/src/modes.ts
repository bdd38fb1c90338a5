import type { InternalEvent } from '@sallyport/webhooks'
import type { HttpFormat, HttpMessage } from '@sallyport/webhooks/http'
import { HTTP } from 'cloudevents'
import { toCloudEvent } from './cloud-event.ts'

const batchType = { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' }

/** The content modes of the HTTP binding. */
export const modes = {
  structured: { encode: structured },
  batch: {
    encode: structured,
    join: (messages: readonly HttpMessage[]) => ({
      headers: batchType,
      body: `[${messages.map(({ body }) => body).join(',')}]`,
    }),
  },
  binary: { encode: binary },
} as const satisfies Record<string, HttpFormat>

function structured(event: InternalEvent): HttpMessage {
  const { headers, body } = HTTP.structured(toCloudEvent(event))
  return { headers: textsOf(headers), body: body as string }
}

/** @throws TypeError for an id that no header can have */
function binary(event: InternalEvent): HttpMessage {
  // Replaced, as in other texts, it would be the id of another event.
  if (!event.id.isWellFormed()) throw new TypeError('The id of an event is no text in UTF-8')
  const headers = textsOf(HTTP.binary(toCloudEvent(event)).headers)
  const encoded = Object.entries(headers).map(([name, value]) => [
    name,
    name.startsWith('ce-') ? percentEncoded(value) : value,
  ])
  // The binding writes data that is a text as it is, though its type says that it is JSON.
  return { headers: Object.fromEntries(encoded) as typeof headers, body: JSON.stringify(event.data) }
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/**
 * An attribute as a header has it: what is not visible ASCII, quotes and percent signs in UTF-8, percent-encoded.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md#3132-http-header-values
 */
function percentEncoded(value: string): string {
  return value.toWellFormed().replace(/[^\x21-\x7e]|["%]/gu, encodeURIComponent)
}

import type { WebhookEvent } from '@sallyport/webhooks'
import type { HttpFormat, HttpMessage } from '@sallyport/webhooks/http'
import { HTTP } from 'cloudevents'
import { toCloudEvent } from './cloud-event.ts'

const batchHeaders = { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' }

/** The content modes of the CloudEvents HTTP binding. */
export const modes = {
  structured: { encode: structured },
  batch: {
    encode: structured,
    join: (messages: readonly HttpMessage[]) => ({
      headers: batchHeaders,
      body: `[${messages.map(({ body }) => body).join(',')}]`,
    }),
  },
  binary: { encode: binary },
} as const satisfies Record<string, HttpFormat>

function structured(event: WebhookEvent): HttpMessage {
  const { headers, body } = HTTP.structured(toCloudEvent(event))
  return { headers: stringifyValues(headers), body: body as string }
}

/** @throws TypeError if the id is not well-formed Unicode */
function binary(event: WebhookEvent): HttpMessage {
  // Replacing the lone surrogate with U+FFFD could produce the id of another event.
  if (!event.id.isWellFormed()) throw new TypeError('The id of the event is not well-formed Unicode')
  const headers = stringifyValues(HTTP.binary(toCloudEvent(event)).headers)
  const encoded = Object.entries(headers).map(([name, value]) => [
    name,
    name.startsWith('ce-') ? percentEncode(value) : value,
  ])
  // The SDK does not quote a string in binary mode, although the content type is JSON.
  const body = event.dataref === undefined ? JSON.stringify(event.data) : ''
  return { headers: Object.fromEntries(encoded) as typeof headers, body }
}

function stringifyValues(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/**
 * Percent-encodes everything except visible ASCII, and also quotes and percent signs.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md#3132-http-header-values
 */
function percentEncode(value: string): string {
  return value.toWellFormed().replace(/[^\x21-\x7e]|["%]/gu, encodeURIComponent)
}

import { bodyAborted, type BodySink } from '@sallyport/webhooks'
import type { LambdaEvent } from './event.ts'

/**
 * Hands the bytes of the body to the sink: all at once, as the platform has read it to its end.
 *
 * @throws SallyportError `BAD_REQUEST` (400) when it is said to be base64 and is not, to the letter: a decoder that
 * skips what it does not know would make bytes that nobody sent
 */
export function readBody({ body, isBase64Encoded }: LambdaEvent, sink: BodySink): Promise<void> {
  return new Promise((resolve) => {
    if (body !== undefined && body !== null) sink.push(bytesOf(body, isBase64Encoded === true))
    resolve()
  })
}

function bytesOf(body: string, isBase64Encoded: boolean): Buffer {
  if (!isBase64Encoded) return Buffer.from(body)
  const bytes = Buffer.from(body, 'base64')
  if (bytes.toString('base64') !== body) throw bodyAborted()
  return bytes
}

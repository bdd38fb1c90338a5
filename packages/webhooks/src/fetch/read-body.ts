import { bodyAborted, bodyTimeout, type BodySink } from '@sallyport/webhooks'

/**
 * Reads a body to its end, to the sink's refusal, to its time-out or to the client's going away.
 *
 * @throws TypeError when somebody has read it before, who then has the bytes that are signed
 */
export async function readBody(request: Request, sink: BodySink): Promise<void> {
  if (request.bodyUsed)
    throw new TypeError('The body was read before the gateway: hand the request over unread')
  if (request.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const { promise: expired, reject: expire } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    expire(bodyTimeout())
  }, sink.timeoutMs)
  try {
    await Promise.race([drain(reader, sink), expired])
  } catch (error) {
    // Not awaited: a stream that hangs would hang the answer.
    reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, sink: BodySink): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch(() => Promise.reject(bodyAborted()))
    if (done) return
    sink.push(value)
  }
}

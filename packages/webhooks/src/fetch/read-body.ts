import { bodyAborted, bodyTimeout, type BodySink } from '@sallyport/webhooks'

/**
 * Reads a body to its end, to the sink's refusal, to its time-out or to the client's going away.
 *
 * @throws TypeError when somebody has read it before, who then has the bytes that are signed
 */
export async function readBody(request: Request, sink: BodySink): Promise<void> {
  if (request.bodyUsed) throw new TypeError('The body was read before')
  if (request.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  let timer
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => {
        reject(bodyTimeout())
      }, sink.timeoutMs)
      drain(reader, sink).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    // Whatever is left of it. Not awaited: a stream that hangs would hang the answer.
    reader.cancel().catch(() => undefined)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, sink: BodySink): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw bodyAborted()
    })
    if (done) return
    sink.push(value)
  }
}

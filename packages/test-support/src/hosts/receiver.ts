import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A complete received request. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The response to a request: a status, a function, or `hang` for no response. */
export type ReceiverAnswer = number | 'hang' | ((response: ServerResponse) => void)

/** A local server that records requests. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Sets the response to further requests. */
  readonly answer: (next: ReceiverAnswer) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver. It answers 204 by default. */
export async function openReceiver(first: ReceiverAnswer = 204, port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let current = first
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      requests.push({ method, path: url, headers, body })
      if (typeof current === 'number') response.writeHead(current).end()
      else if (current !== 'hang') current(response)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(next) {
      current = next
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

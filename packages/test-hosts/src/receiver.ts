import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that came in, whole. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How a request is answered; `hang` never does. */
export type ReceiverAnswer = number | 'hang' | ((response: ServerResponse) => void)

/** A server on this machine that others send messages to. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** How requests are answered from now on. */
  readonly answer: (how: ReceiverAnswer) => void
  readonly close: () => Promise<void>
}

/** Opens a receiver, which answers 204 until it is told otherwise. */
export async function openReceiver(first: ReceiverAnswer = 204, port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let how = first
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      requests.push({ method, path: url, headers, body })
      if (typeof how === 'number') response.writeHead(how).end()
      else if (how !== 'hang') how(response)
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
      how = next
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

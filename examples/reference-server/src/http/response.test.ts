import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { SallyportError, type ErrorCode } from '@sallyport/errors'
import { expect, it } from 'vitest'
import { sendError } from './response.ts'

async function connectionAfter(code: ErrorCode): Promise<string | undefined> {
  const server = createServer((request, response) => {
    sendError(request, response, new SallyportError(code, 'No'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', agent: false, headers: { connection: 'keep-alive' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await textOf(response)
  server.close()
  server.closeAllConnections()
  return response.headers.connection
}

// What came of a late body was once read, and the next request behind it answered.
it('ends the connection with 408, and with no other error by itself', async () => {
  expect(await connectionAfter('REQUEST_TIMEOUT')).toBe('close')
  expect(await connectionAfter('NOT_FOUND')).toBe('keep-alive')
})

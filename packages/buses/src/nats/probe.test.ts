import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { probeServer } from './probe.ts'

const { signal } = new AbortController()
const at = (port: number, ...hosts: string[]) => hosts.map((host) => ({ host, port }))

/** Starts a server that sends the given text, or nothing, on every connection. */
async function listen(host: string, port: number, word: string) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.resume()
    if (word !== '') socket.write(word)
  }).listen(port, host)
  await once(server, 'listening')
  return {
    open,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => {
          resolve()
        })
      }),
  }
}

describe('awaitFirstWord', () => {
  // Only the first address that accepted a connection was probed.
  it('resolves when any address responds', async () => {
    await using silent = await listen('127.0.0.2', 0, '')
    await using speaking = await listen('127.0.0.1', silent.port, 'INFO {}')
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.1']
    await probeServer(at(speaking.port, ...addresses), 60_000, signal)
    await expect.poll(() => silent.open.size + speaking.open.size).toBe(0)
  })

  it('rejects when an address accepts connections but none responds', async () => {
    await using silent = await listen('127.0.0.2', 0, '')
    // Otherwise the library could connect to the silent address last and leak its socket.
    const waiting = probeServer(at(silent.port, '127.0.0.1', '127.0.0.2'), 50, signal)
    await expect(waiting).rejects.toThrow('The server did not respond within 50 ms')
    await expect.poll(() => silent.open.size).toBe(0)
  })

  it('resolves when all addresses refuse connections, so that the library reports the error', async () => {
    await probeServer(at(await unusedPort(), '127.0.0.1', '127.0.0.2'), 60_000, signal)
  })

  it('rejects when the signal is aborted', async () => {
    await using silent = await listen('127.0.0.1', 0, '')
    const ending = new AbortController()
    const waiting = probeServer(at(silent.port, '127.0.0.1'), 60_000, ending.signal)
    ending.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => silent.open.size).toBe(0)
  })
})

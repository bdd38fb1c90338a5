import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { unusedPort } from '@sallyport/test-services'
import { describe, expect, it } from 'vitest'
import { awaitFirstWord } from './first-word.ts'

const { signal } = new AbortController()

/** Says something, or nothing, to whoever connects to an address of this machine. */
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
  // Only the first address that took a connection was once listened to.
  it('hears whichever address of a name speaks', async () => {
    await using silent = await listen('127.0.0.2', 0, '')
    await using speaking = await listen('127.0.0.1', silent.port, 'INFO {}')
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.1']
    await awaitFirstWord(addresses, speaking.port, 60_000, signal)
    await expect.poll(() => silent.open.size + speaking.open.size).toBe(0)
  })

  it('rejects where none speaks and one is silent, and leaves no connection', async () => {
    await using silent = await listen('127.0.0.2', 0, '')
    // The client library may ask the silent one last, and leave that connection open.
    const waiting = awaitFirstWord(['127.0.0.1', '127.0.0.2'], silent.port, 50, signal)
    await expect(waiting).rejects.toThrow('The server has said nothing for 50 ms')
    await expect.poll(() => silent.open.size).toBe(0)
  })

  it('leaves it to the client library to say that all refuse', async () => {
    await awaitFirstWord(['127.0.0.1', '127.0.0.2'], await unusedPort(), 60_000, signal)
  })

  it('ends when it is told to', async () => {
    await using silent = await listen('127.0.0.1', 0, '')
    const ending = new AbortController()
    const waiting = awaitFirstWord(['127.0.0.1'], silent.port, 60_000, ending.signal)
    ending.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => silent.open.size).toBe(0)
  })
})

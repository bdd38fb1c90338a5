import { once } from 'node:events'
import { connect, createServer, Socket, type AddressInfo } from 'node:net'
import { describeWith } from '@sallyport/test-support/services'
import { Redis as Client } from 'ioredis'
import { afterEach, expect, it, vi } from 'vitest'
import { startWatchdog } from './watchdog.ts'

afterEach(() => {
  vi.useRealTimers()
})

// A watchdog that ignored outgoing bytes ended connections in the middle of a large event.
it('ends a stuck connection but not one that is sending', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const stream = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  const [[reader]] = await Promise.all([accepted, once(stream, 'connect')])
  const readSome = () =>
    new Promise<void>((resolve) => {
      const enough = reader.bytesRead + 8_000_000
      const look = () => {
        if (reader.bytesRead < enough) return
        reader.off('data', look).pause()
        resolve()
      }
      reader.on('data', look).resume()
    })

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const end = startWatchdog(
    { stream, status: 'ready', commandQueue: { length: 1 } } as unknown as Client,
    1000,
  )
  const hasEndedAt = (looks: number) =>
    Array.from({ length: looks }, () => {
      // Further writes must not count as progress.
      stream.write('more')
      vi.advanceTimersByTime(1000)
      return stream.destroyed
    })
  stream.write('x'.repeat(64_000_000))
  expect(hasEndedAt(1)).toEqual([false])
  for (let part = 0; part < 4; part++) {
    await readSome()
    expect(hasEndedAt(1)).toEqual([false])
  }
  expect(hasEndedAt(2)).toEqual([false, false])
  expect(hasEndedAt(12)).toContain(true)
  end()
  reader.destroy()
  server.close()
})

// Pending commands of the previous connection ended a slow TLS handshake.
it('does not end a connection that is being established', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stream = new Socket().on('error', () => undefined)
  const client = { stream, status: 'connecting', commandQueue: { length: 1 } }
  const end = startWatchdog(client as unknown as Client, 1000)
  vi.advanceTimersByTime(20_000)
  expect(stream.destroyed).toBe(false)
  client.status = 'connect'
  vi.advanceTimersByTime(20_000)
  expect(stream.destroyed).toBe(true)
  end()
})

// Without the watchdog, every command on a silently lost connection timed out.
describeWith('redis', (server) => {
  it('ends a connection that does not respond, but not an idle one', async () => {
    const options = { retryStrategy: () => 1, autoResendUnfulfilledCommands: false }
    const clients = Array.from({ length: 2 }, () => new Client(server().url, options))
    const errors: unknown[] = []
    const [silent, idle] = clients.map((client) => client.on('error', (error) => errors.push(error)))
    await Promise.all(clients.map((client) => once(client, 'ready')))
    const [first, untouched] = [silent!.stream, idle!.stream]
    const watches = clients.toReversed().map((client) => startWatchdog(client, 200))
    // The server stops responding, also to this command.
    silent!.call('CLIENT', 'REPLY', 'OFF').catch(() => undefined)
    await new Promise((resolve) => silent!.once('ready', resolve))
    expect(silent!.stream).not.toBe(first)
    expect(await silent!.ping()).toBe('PONG')
    expect([idle!.stream, idle!.status]).toEqual([untouched, 'ready'])
    expect(errors[0]).toMatchObject({ message: 'No response for 400 ms' })
    for (const end of watches) end()
    for (const client of clients) client.disconnect()
  })
})

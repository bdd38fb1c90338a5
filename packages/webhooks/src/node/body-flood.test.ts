import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeBody, openGateway, signBody } from '../../test/doorbell.ts'
import { Wire } from '../../test/wire.ts'
import { createMemoryFailureLimiter, type GatewayOptions } from '../index.ts'
import { createNodeListener } from './index.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a server that reads the client's address from a header. */
async function listen(options: Partial<GatewayOptions>) {
  const opened = openGateway(options)
  const clientAddress = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
    String(headers['x-client'])
  const server = createServer(createNodeListener(opened.gateway, { clientAddress })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const dial = (address: string, lines: readonly string[]) => {
    const wire = new Wire(connect(port, '127.0.0.1'))
    closing.push(async () => wire.socket.destroy())
    const head = ['POST /webhooks/doorbell HTTP/1.1', 'host: hooks.test', `x-client: ${address}`, ...lines]
    wire.socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return wire
  }
  return { ...opened, dial, nextRequest: () => once(server, 'request') }
}

// One 64th of the defaults. Four unfinished bodies use up the limit of an address.
const limits = {
  bodyBytes: 262_100,
  bytesInFlight: 4_194_304,
  bytesInFlightPerAddress: 1_048_576,
  bodyTimeoutMs: 500,
}

describe('unfinished large bodies of four addresses', () => {
  it.each([
    ['four networks', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '10.0.0.1']],
    ['one network', ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']],
  ])('of %s do not block small deliveries', async (_, attackers) => {
    const limiter = { check: () => 0, fail: () => 0 }
    const { dial, observed } = await listen({ limits, limiter })
    let isOver = false
    const attack = async (address: string) => {
      while (!isOver) {
        const wire = dial(address, [`content-length: ${limits.bodyBytes}`])
        wire.socket.write(Buffer.alloc(limits.bodyBytes - 1))
        await wire.answer().catch(() => undefined)
        wire.socket.destroy()
        await sleep(100)
      }
    }
    const attacks = attackers.flatMap((address) => [1, 2, 3, 4, 5].map(() => attack(address)))
    await expect.poll(() => observed.filter(({ code }) => code === 'OVERLOADED').length).toBeGreaterThan(10)

    const statuses: number[] = []
    const deliver = async (id: number) => {
      const body = encodeBody({ kind: 'rung', id: String(id), door: 'front'.repeat(1000) })
      const proof = Object.entries(await signBody(body)).map(([name, value]) => `${name}: ${value}`)
      const wire = dial(`10.0.0.${10 + (id % 200)}`, [...proof, `content-length: ${body.length}`])
      wire.socket.write(body)
      statuses.push((await wire.answer()).status)
      wire.socket.destroy()
    }
    // Longer than two timeouts.
    for (let id = 0; id < 120; id += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => deliver(id + more)))
      await sleep(30)
    }
    isOver = true
    await Promise.all(attacks)
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(observed.some(({ code }) => code === 'REQUEST_TIMEOUT')).toBe(true)
  })
})

describe('a body that is never finished', () => {
  it.each(['takes too long', 'breaks off'])('counts as a failure of its address when it %s', async (how) => {
    const limiter = createMemoryFailureLimiter({ failures: 2 })
    const { dial, observed, nextRequest } = await listen({
      limits: { bodyTimeoutMs: how === 'breaks off' ? 60_000 : 50 },
      limiter,
    })
    for (let count = 1; count <= 2; count++) {
      const received = nextRequest()
      const { socket } = dial('192.0.2.1', ['content-length: 100'])
      socket.write('x')
      await received
      if (how === 'breaks off') socket.destroy()
      await expect.poll(() => observed).toHaveLength(count)
    }
    const code = how === 'breaks off' ? 'BAD_REQUEST' : 'REQUEST_TIMEOUT'
    expect(observed).toMatchObject([{ code }, { code }])
    expect((await dial('192.0.2.1', ['content-length: 0']).answer()).status).toBe(429)
    expect((await dial('192.0.2.2', ['content-length: 0']).answer()).status).toBe(401)
  })
})

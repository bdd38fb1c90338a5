import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { defineHttp, type RunningSide } from './http.ts'
import { load } from './load-job.ts'

interface Server extends RunningSide {
  readonly stopped: () => boolean
}

/** Starts a server with a fixed response. */
async function serve(status: number, body: string): Promise<Server> {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop, stopped: () => !server.listening }
}

const job = { requests: [{ path: '/' }], connections: 2, durationMs: 1000, amount: 50 }

describe('load', () => {
  it('sends the given number of requests and reports latencies', async () => {
    const server = await serve(200, '{}')
    const { value, latency } = await load({ ...job, url: server.url })
    expect(value).toBeGreaterThan(0)
    expect(latency.p99).toBeGreaterThanOrEqual(latency.p50)
    await server.stop()
  })

  it('rejects when the server answers with an error', async () => {
    const server = await serve(429, '{}')
    await expect(load({ ...job, url: server.url })).rejects.toThrow('50 requests to')
    await server.stop()
  })

  it('rejects when no server listens', async () => {
    const server = await serve(200, '{}')
    await server.stop()
    await expect(load({ ...job, url: server.url })).rejects.toThrow('failed')
  })
})

describe('a comparison of servers', () => {
  function compare(servers: readonly Server[]) {
    return defineHttp({
      name: 'it',
      what: 'Answers.',
      base: 'server 0',
      prepare: () => undefined,
      requests: () => [{ path: '/' }],
      agree: (body) => body,
      sides: servers.map((server, index) => ({
        name: `server ${index}`,
        does: 'Answers.',
        start: () => Promise.resolve(server),
      })),
    })
  }

  it('loads the servers in turn and stops them', async () => {
    const servers = [await serve(200, '{"n":1}'), await serve(200, '{ "n": 1 }')]
    const samples = await compare(servers).measure({ rounds: 1, turnMs: 1000 })
    expect(samples.map((rounds) => rounds.length)).toEqual([1, 1])
    expect(servers.map(({ stopped }) => stopped())).toEqual([true, true])
  })

  it('rejects when a server answers differently', async () => {
    const servers = [await serve(200, '1'), await serve(200, '2')]
    await expect(compare(servers).measure({ rounds: 1, turnMs: 1000 })).rejects.toThrow('different results')
    expect(servers.map(({ stopped }) => stopped())).toEqual([true, true])
  })

  it('rejects without the response body when a server answers with an error', async () => {
    const servers = [await serve(200, '1'), await serve(500, 'what happened')]
    const failure = compare(servers).measure({ rounds: 1, turnMs: 1000 })
    await expect(failure).rejects.toThrow(/^GET \/ returns 500 from http:\/\/127\.0\.0\.1:\d+$/)
  })
})

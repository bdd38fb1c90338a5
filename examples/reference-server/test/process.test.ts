import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startInProcess } from './in-process.ts'
import {
  adminToken,
  publishedEvents,
  runServerToItsEnd,
  getSecrets,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

/** Sends the first half of a signed delivery. */
function beginDelivery(base: string, secret: string) {
  const body = Buffer.from(JSON.stringify({ type: 'workflow_run.completed', payload: { run: 1 } }))
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const sending = request(`${base}/webhooks/codehost`, {
    method: 'POST',
    headers: {
      'content-length': body.length,
      'x-github-event': 'workflow_run',
      'x-hub-signature-256': `sha256=${signature}`,
      expect: '100-continue',
    },
  })
  const answered = once(sending, 'response') as Promise<[{ readonly statusCode: number }]>
  const half = body.length / 2
  sending.write(body.subarray(0, half))
  return {
    accepted: once(sending, 'continue'),
    async finish() {
      sending.end(body.subarray(half))
      const [{ statusCode }] = await answered
      return statusCode
    },
  }
}

/** A server that accepts connections and never answers. */
async function listenSilently() {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const getPort = (server: Server) => String((server.address() as AddressInfo).port)

describe('the process', () => {
  it('announces its addresses at every log level, and finishes running deliveries during a stop', async () => {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
    expect(JSON.parse(server.output())).toMatchObject({
      level: 30,
      msg: expect.stringMatching(/^Sallyport listens on http:\/\/localhost:\d+$/) as string,
      role: 'all',
      webhooks: expect.stringMatching(/^POST http:\/\/localhost:\d+\/webhooks\/:provider/) as string,
      data: data.path,
      secrets: expect.stringContaining(join(data.path, 'secrets.json')) as string,
    })

    const secrets = await getSecrets(data.path)
    const delivery = beginDelivery(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!)
    await delivery.accepted
    const ended = server.end('SIGTERM')
    // npm passes on what the terminal has sent already.
    server.child.kill('SIGTERM')
    await vi.waitFor(() => expect(fetch(`${server.base}/health`)).rejects.toThrow(), { timeout: 10_000 })
    expect(await delivery.finish()).toBe(200)
    expect(await ended).toBe(0)

    await using again = await startInProcess({ DATA_DIR: data.path })
    const token = await adminToken(again.base, secrets)
    await expect
      .poll(() => publishedEvents(again.base, token))
      .toMatchObject([{ name: 'codehost/workflow_run.completed' }])
  })

  it('reports all problems of the configuration and exits with 78', async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const { code, output, errors } = await runServerToItsEnd({
      NODE_ENV: 'production',
      DATA_DIR: data,
      PORT: 'http',
      WEBHOOK_BODY_LIMIT: '1 GiB',
      SHUTDOWN_SECONDS: '0',
      TRUST_PROXY: 'everybody',
      JWT_SECRET: 'short',
      PROVIDERS: 'codehost,codehots',
      ADMIN_EMAIL: 'admin@example.com',
    })
    expect(code).toBe(78)
    const named = errors
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(named.sort()).toEqual([
      'ADMIN_EMAIL',
      'JWT_SECRET',
      'PORT',
      'PROVIDERS',
      'SHUTDOWN_SECONDS',
      'TRUST_PROXY',
      'WEBHOOK_BODY_LIMIT',
      'WEBHOOK_SECRET_CODEHOST',
    ])
    expect(errors).not.toContain('short"')
    expect(output).toBe('')
    expect(await readdir(directory.path)).toEqual([])
  })

  it('ends on SIGTERM during the start', async () => {
    // It handled no signal by then, and the kernel ends the first process of a container by none that is not handled.
    await using silent = await listenSilently()
    const { code, output } = await runServerToItsEnd(
      {
        NODE_ENV: 'production',
        JWT_SECRET: 'x'.repeat(32),
        DATABASE_URL: `postgres://u@127.0.0.1:${getPort(silent)}/d`,
      },
      (child) => {
        silent.once('connection', () => child.kill('SIGTERM'))
      },
    )
    expect(code).toBe(0)
    expect(output).not.toContain('listens on')
  })

  it('reports a taken port in one line and exits with 1, also with metrics', async () => {
    await using data = await temporaryDirectory()
    await using taken = await listenSilently()
    const { code, errors } = await runServerToItsEnd({
      DATA_DIR: data.path,
      HOST: '127.0.0.1',
      PORT: getPort(taken),
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
    })
    expect(code).toBe(1)
    expect(errors).toBe(
      `The server cannot start: Another program uses port ${getPort(taken)}: stop it, or choose another port (EADDRINUSE)\n`,
    )
  })
})

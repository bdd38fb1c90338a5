import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unusedPort } from '@sallyport/test-support/services'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = process.env['NGINX'] ?? 'nginx'
const isInstalled = spawnSync(program, ['-v']).status === 0
if (!isInstalled)
  process.stderr.write('SKIPPED the tests of nginx: install nginx, or set NGINX to its path.\n')

const guide = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8')
const [, documented = ''] = /```nginx\n([^`]+)```/.exec(guide) ?? []

let folder: string
const closing: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-nginx-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true })
})

/** Writes the documented configuration with the ports of this test, and returns its path. */
function write(port: number, gateways: readonly [number, number]): string {
  const site = documented
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('10.0.0.11:3111', `127.0.0.1:${gateways[0]}`)
    .replace('10.0.0.12:3111', `127.0.0.1:${gateways[1]}`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const path = join(folder, 'nginx.conf')
  writeFileSync(
    path,
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr crit;
    events {}
    http { access_log off; ${places.join(' ')} ${site} }`,
  )
  return path
}

async function startGateway(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function startProxy(gateways: readonly [number, number]): Promise<string> {
  const port = await unusedPort()
  const child = spawn(program, ['-e', 'stderr', '-c', write(port, gateways)], { stdio: 'ignore' })
  closing.push(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}/webhooks/github`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .not.toBe(0)
  return url
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}

describe.skipIf(!isInstalled)('the documented configuration of nginx', () => {
  it('is valid', () => {
    const { status, stderr } = spawnSync(program, ['-t', '-e', 'stderr', '-c', write(8080, [3111, 3112])])
    expect({ status, stderr: stderr.toString() }).toMatchObject({ status: 0 })
  })

  it('sends a delivery to the other gateway when one ends during the request', async () => {
    const received: string[] = []
    const healthy = await startGateway((request, response) => {
      void read(request).then((body) => {
        received.push(`${String(request.headers['x-forwarded-for'])} ${body}`)
        response.end()
      })
    })
    let killed = 0
    const ending = await startGateway((request) => {
      void read(request).then(() => {
        killed++
        request.socket.destroy()
      })
    })
    const url = await startProxy([ending, healthy])
    received.length = 0
    const bodies = Array.from({ length: 40 }, (_, index) => `${index} ${'ü'.repeat(20_000)}`)
    for (const body of bodies) {
      const headers = { 'x-forwarded-for': '192.0.2.1' }
      expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
    }
    expect(killed).toBeGreaterThan(0)
    expect(received).toEqual(bodies.map((body) => `127.0.0.1 ${body}`))
  })

  it('sends a delivery to the other gateway when one is stopped or refuses it', async () => {
    const healthy = await startGateway((_, response) => response.end())
    const overloaded = await startGateway((_, response) => response.writeHead(503).end())
    const post = (url: string) => fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status)
    for (const gateway of [overloaded, await unusedPort()]) {
      const url = await startProxy([gateway, healthy])
      const statuses = await Promise.all(Array.from({ length: 20 }, () => post(url)))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
  })
})

it('is the configuration that allows a second attempt', () => {
  expect(documented).toContain('non_idempotent')
})

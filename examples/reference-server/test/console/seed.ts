import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { signDelivery } from '@sallyport/webhooks'
import { vi } from 'vitest'
import type { TestApi } from '../api.ts'

/** The secrets of the providers; settings of the server. */
export const providerSettings = {
  PROVIDERS: 'codehost,tasks,deploy,github',
  WEBHOOK_SECRET_CODEHOST: 'a secret of the code host',
  WEBHOOK_SECRET_TASKS: 'a secret of the tasks',
  WEBHOOK_SECRET_DEPLOY: 'a secret of the deployments',
  WEBHOOK_SECRET_GITHUB: 'a secret of GitHub',
}

/** Sends a signed delivery and returns the status of the response. */
export async function deliver(
  base: string,
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const provider = builtInProviders.find((one) => one.name === name)!
  const secret = Object.entries(providerSettings).find(([key]) => key.endsWith(`_${name.toUpperCase()}`))![1]
  const url = `${base}/webhooks/${name}`
  const all = { 'content-type': 'application/json', ...headers }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const unsigned = { method: 'POST', headers: new Headers(all), body: bytes, url }
  const signed = await signDelivery(provider.signature, unsigned, secret, Date.now())
  const sent = new Uint8Array(signed.body)
  const response = await fetch(url, { method: 'POST', headers: { ...all, ...signed.headers }, body: sent })
  await response.body?.cancel()
  return response.status
}

/** Starts a bus and a destination that refuse the events of the provider `tasks`. */
export async function startBus(): Promise<{
  readonly url: string
  readonly destination: string
  readonly close: () => void
}> {
  const server = createServer((request, response) => {
    void text(request).then((event) => {
      response.writeHead(event.includes('"type":"tasks/') ? 400 : 202).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    destination: `http://127.0.0.1:${port}/billing`,
    url: `cloudevents+http://127.0.0.1:${port}/events`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface Seeded {
  readonly published: string
  readonly quarantined: string
  readonly endpoint: string
  readonly ignored: string
}

/** Sends samples of each provider and a delivery for the quarantine, and creates an endpoint and a destination. */
export async function seed({ base, call, admin: { token } }: TestApi, url: string): Promise<Seeded> {
  const json = { name: 'billing', url, mode: 'event', filter: { events: ['tasks/*', 'deploy/*'] } }
  await call('POST', '/destinations', { token, json })
  for (const name of ['codehost', 'tasks', 'deploy', 'github']) {
    const samples = (await builtInSamples.get(name)?.())!
    for (const kind of samples.kinds.slice(0, 6)) {
      const { headers, body } = samples.sample(kind, { fresh: true, now: () => Date.now(), randomUUID })
      const sent = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
      await deliver(base, name, sent, headers)
    }
  }
  await deliver(base, 'deploy', '{"type":"deployment.error","payload":{}}')
  await deliver(base, 'deploy', '{"type":"deployment.promoted","payload":{"deployment":{"id":"dpl_1"}}}')
  await fetch(`${base}/webhooks/github`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    body: '{"zen":"Design for failure."}',
  })
  const find = async (query: string) =>
    (await call('GET', `/deliveries?${query}&limit=1`, { token })).list[0]?.id
  const quarantined = await vi.waitUntil(() => find('status=quarantined'), { timeout: 60_000 })
  const published = await vi.waitUntil(() => find('status=published&provider=codehost'), { timeout: 60_000 })
  const { data } = await call('POST', '/endpoints', { token, json: { provider: 'github', name: 'Acme Ltd' } })
  for (const kind of ['push', 'ping'])
    await call('POST', `/endpoints/${data.id}/test-deliveries`, { token, json: { kind } })
  await call('POST', `/deliveries/${published}/replays`, { token, json: {} })
  const ignored = await vi.waitUntil(
    async () => (await call('GET', '/unprocessed-deliveries?outcome=ignored', { token })).list[0]?.id,
    { timeout: 60_000 },
  )
  await vi.waitUntil(
    async () => !(await call('GET', '/statistics', { token })).text.includes('"accepted":0,'),
    {
      timeout: 60_000,
    },
  )
  return { ignored, published, quarantined, endpoint: data.id }
}

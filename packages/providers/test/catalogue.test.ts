import { createGateway, createMemoryBus, staticSecrets, type Service } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { catalogueFiles } from '../scripts/catalogue/catalogue.ts'
import type { AcceptedVector, Catalogue } from '../scripts/catalogue/schema.ts'
import { builtInProviders } from '../src/index.ts'
import { verifyHmac } from './verify-hmac-vector.ts'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')
const { services } = JSON.parse(await read('catalogue.json')) as Catalogue
const providers = builtInProviders.filter((provider): provider is Service => 'service' in provider)

it('matches the declarations; if not, run `npm run generate -w packages/providers`', async () => {
  for (const [path, text] of await catalogueFiles()) expect(await read(path), path).toBe(text)
})

it('fits its JSON Schema', async () => {
  const schema = z.fromJSONSchema(JSON.parse(await read('catalogue.schema.json')) as never)
  expect(schema.parse(JSON.parse(await read('catalogue.json')))).toEqual(expect.anything())
  expect(schema.safeParse({ version: 1, services: [{ name: 'acme' }] }).success).toBe(false)
})

it('has a delivery of each service, and no secret of one service in another', () => {
  expect(services.map(({ name }) => name)).toEqual(providers.map(({ name }) => name).sort())
  const shared = services.filter(({ signature }) => signature.scheme === 'hmac')
  const secrets = shared.flatMap(({ vectors }) => vectors.accepted.secrets)
  expect(new Set(secrets).size).toBe(secrets.length)
})

/** Sends a request to a gateway with one provider, and answers its requests for keys. */
async function deliver(provider: Service, request: AcceptedVector) {
  const { secrets, time, method, url, headers, body, documents = {} } = request
  vi.stubGlobal('fetch', (input: string | URL) => {
    const found = Object.entries(documents).find(([known]) =>
      String(input).startsWith(known.replace(/\*$/, '')),
    )
    return Promise.resolve(found ? new Response(found[1]) : new Response('', { status: 404 }))
  })
  const bus = createMemoryBus()
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [provider.name],
    secrets: staticSecrets({ [provider.name]: [...secrets] }),
    now: () => Date.parse(time),
    publisher: bus,
  })
  const response = await createFetchHandler(gateway)(new Request(url, { method, headers, body }))
  const delivery = { method, url, headers: new Headers(headers), body: new TextEncoder().encode(body) }
  const verification = await provider.signature.verify(delivery, secrets, Date.parse(time))
  return { status: response.status, verification, events: bus.events }
}

afterEach(() => vi.unstubAllGlobals())

describe.each(services)('the test vectors of $name', ({ name, signature, answer, vectors }) => {
  const provider = providers.find((one) => one.name === name)!
  const { accepted, refused } = vectors

  it('are accepted with their events', async () => {
    const { status, events } = await deliver(provider, accepted)
    expect(status).toBe(answer?.status ?? 200)
    expect(events.map((event) => event.name)).toEqual(accepted.events.map(({ kind }) => `${name}/${kind}`))
    const stated = accepted.events.map(({ id }, index) => id ?? events[index]?.id)
    expect(events.map(({ id }) => id)).toEqual(stated)
  })

  it('are refused for their reasons', async () => {
    for (const { reason, change, ...changed } of refused) {
      const { status, verification, events } = await deliver(provider, { ...accepted, ...changed })
      expect({ change, status, verification, events }).toEqual({
        ...{ change, status: 401, events: [] },
        verification: { verified: false, reason },
      })
    }
    const changes = refused.map(({ change }) => change)
    if (signature.trust !== 'none') expect(changes).toContain('signature')
    if (signature.trust === 'signed') expect(changes).toContain('body')
    if (signature.tolerance) expect(changes).toContain('time')
  })
})

describe('another verifier, which reads only the catalogue,', () => {
  const described = services.filter(
    ({ signature }) => signature.scheme === 'hmac' && signature.content !== undefined,
  )

  it('reads nearly all services with HMAC', () => {
    expect(described.length).toBeGreaterThan(150)
    const others = services.filter(
      ({ signature }) => signature.scheme === 'hmac' && signature.contentNote !== undefined,
    )
    expect(others.length).toBeLessThan(12)
  })

  it.each(described)('verifies $name', (service) => {
    const { accepted, refused } = service.vectors
    expect(verifyHmac(service, accepted)).toBe(true)
    for (const { change, ...changed } of refused.filter((one) => one.change !== 'time'))
      expect([change, verifyHmac(service, { ...accepted, ...changed })]).toEqual([change, false])
  })
})

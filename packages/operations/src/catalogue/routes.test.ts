import { createFetchHandler } from '@sallyport/rest/fetch'
import {
  defineProvider,
  defineService,
  ed25519,
  hmac,
  createMemoryInbox,
  sharedToken,
  type CatalogueEntry,
} from '@sallyport/webhooks'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { authorize } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' })
const doorbell = defineService({
  name: 'doorbell',
  signature,
  kind: [{ header: 'x-doorbell-event' }, 'action', () => 'rung'],
  id: ['id', '../batch'],
  handshake: { methods: ['GET'], establishesSecret: true, answer: () => undefined },
})
const letterbox = defineProvider({
  name: 'letterbox',
  signature,
  events: { 'letter.received': z.object({}), 'letter.sent': z.object({}) },
  normalize: () => [],
})
const facts = {
  title: 'Doorbell',
  docs: 'https://doorbell.example/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://doorbell.example/webhooks'],
  setup: ['Open Settings, and add the address.'],
  retries: 'for a day',
  traps: ['The batch is not signed.'],
} as const
const sample = () => ({ headers: {}, body: {} })
const loadSamples = () => Promise.resolve({ kinds: ['bell.rung', 'bell.polished'], sample })

function open(
  entries: readonly CatalogueEntry[] = [{ provider: doorbell, facts, loadSamples }],
  load: () => Promise<readonly CatalogueEntry[]> = () => Promise.resolve(entries),
) {
  const operations = { inbox: createMemoryInbox(), providers: [letterbox] }
  const fetch = createFetchHandler(createOperations({ operations }, { authorize, catalogue: load }))
  return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(
      new Request(`http://localhost${path}`, { headers: { authorization: 'Bearer read', ...headers } }),
    )
    const body = JSON.parse((await response.text()) || '{}') as {
      readonly data: Readonly<Record<string, unknown>>
    }
    return { status: response.status, etag: response.headers.get('etag') ?? '', ...body }
  }
}

it('lists the providers of the catalogue and of the gateway by name', async () => {
  const get = open()
  const { data, etag } = await get('/providers')
  expect(data).toEqual([
    {
      name: 'doorbell',
      title: 'Doorbell',
      registered: false,
      form: 'service',
      trust: 'signed',
      docs: 'https://doorbell.example/webhooks',
    },
    {
      name: 'letterbox',
      title: 'letterbox',
      registered: true,
      form: 'normalized',
      trust: 'signed',
      docs: null,
    },
  ])
  expect((await get('/providers', { 'if-none-match': etag })).status).toBe(304)
})

it('shows the facts of a service', async () => {
  expect((await open()('/providers/doorbell')).data).toMatchObject({
    signature: { headers: ['x-doorbell-signature'], covers: null },
    secret: 'handshake',
    handshake: ['GET'],
    identity: { by: 'parts', parts: ['id', '../batch'], without: [] },
    kind: ['header x-doorbell-event', 'action', 'computed'],
    kinds: [],
    samples: ['bell.rung', 'bell.polished'],
    setup: ['Open Settings, and add the address.'],
    traps: ['The batch is not signed.'],
    retries: 'for a day',
    confidence: 'primary',
    checked: '2026-11',
    sources: ['https://doorbell.example/webhooks'],
  })
})

it('shows a normalized provider without facts', async () => {
  expect((await open()('/providers/letterbox')).data).toMatchObject({
    secret: 'generated',
    identity: null,
    kinds: ['letter.received', 'letter.sent'],
    samples: [],
    setup: [],
    confidence: null,
    checked: null,
    sources: [],
  })
})

it('shows a registered provider of the catalogue as it is registered, with the facts', async () => {
  const registered = { ...letterbox, signature: sharedToken({ header: 'x-token' }) }
  const get = open([{ provider: registered, facts: { ...facts, title: 'Letterbox' } }])
  expect((await get('/providers/letterbox')).data).toMatchObject({
    title: 'Letterbox',
    registered: true,
    signature: { headers: ['x-doorbell-signature'] },
  })
})

it.each([
  [{ ignore: ['meta.attempt'] }, { identity: { by: 'body', parts: [], without: ['meta.attempt'] } }],
  [{ distinct: true }, { identity: { by: 'delivery', parts: [], without: [] } }],
  [
    { signature: sharedToken({ header: 'x-token' }) },
    { trust: 'origin', signature: { headers: ['x-token'], covers: 'nothing' } },
  ],
  [
    { signature: ed25519({ header: 'x-signature', encoding: 'hex', keyEncoding: 'hex' }) },
    { secret: 'given', signature: { headers: ['x-signature'], covers: null } },
  ],
])('describes a service with %j', async (changes, expected) => {
  const provider = defineService({ name: 'mailbox', signature, kind: 'type', ...changes })
  expect((await open([{ provider }])('/providers/mailbox')).data).toMatchObject(expected)
})

it('loads the catalogue once, at the first request, and again after a failure', async () => {
  const load = vi.fn(() => Promise.resolve<readonly CatalogueEntry[]>([]))
  load.mockRejectedValueOnce(new Error('offline'))
  const get = open([], load)
  expect(load).not.toHaveBeenCalled()
  expect((await get('/providers')).status).toBe(500)
  expect((await get('/providers')).status).toBe(200)
  expect((await get('/providers/letterbox')).status).toBe(200)
  expect(load).toHaveBeenCalledTimes(2)
})

it.each(['/providers/unknown', '/providers/constructor'])('answers 404 for %s', async (path) => {
  expect((await open()(path)).status).toBe(404)
})

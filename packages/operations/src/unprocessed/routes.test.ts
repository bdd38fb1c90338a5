import { createFetchHandler } from '@sallyport/rest/fetch'
import { SallyportError } from '@sallyport/errors'
import { createMemoryInbox } from '@sallyport/webhooks'
import { createMemoryAuditLog, createMemoryUnprocessedStore } from '@sallyport/test-support/webhooks'
import type {
  UnprocessedDiagnoser,
  UnprocessedRecord,
  UnprocessedReplayer,
} from '@sallyport/webhooks/unprocessed'
import { expect, it } from 'vitest'
import { authorize } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const id = (number: number) => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`
const at = Date.UTC(2026, 0)

const record = (number: number, changes: Partial<UnprocessedRecord> = {}): UnprocessedRecord => ({
  id: id(number),
  outcome: 'ignored',
  provider: 'codehost',
  kind: 'star.created',
  status: 200,
  receivedAt: at + number * 1000,
  headers: { 'x-hub-signature-256': '[redacted]' },
  body: new TextEncoder().encode('{}'),
  bodyBytes: 2,
  storedBytes: 100,
  ...changes,
})

const refused: UnprocessedRecord = {
  id: id(2),
  provider: 'codehost',
  receivedAt: at + 2000,
  headers: {},
  storedBytes: 100,
  outcome: 'refused',
  reason: 'mismatch',
  endpoint: 'acme',
  status: 401,
  body: Uint8Array.of(0xff),
  bodyBytes: 1000,
  proof: 'v1.encrypted-signature',
}

async function open(replayUnprocessed?: UnprocessedReplayer, diagnoseUnprocessed?: UnprocessedDiagnoser) {
  const unprocessed = createMemoryUnprocessedStore()
  await unprocessed.add([record(1), refused])
  const audit = createMemoryAuditLog()
  const handle = createFetchHandler(
    createOperations(
      {
        operations: {
          inbox: createMemoryInbox(),
          unprocessed,
          replayUnprocessed,
          diagnoseUnprocessed,
          audit,
        },
      },
      { authorize },
    ),
  )
  return async (method: string, path: string, token = 'all') => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
    const response = await handle(request)
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) as { data: unknown; meta: unknown } }
  }
}

it('lists ignored and refused deliveries, newest first', async () => {
  const send = await open()
  const { body, text } = await send('GET', '/unprocessed-deliveries', 'read')
  expect(body.data).toEqual([
    {
      id: id(2),
      provider: 'codehost',
      endpoint: 'acme',
      endpoint_name: null,
      endpoint_labels: {},
      outcome: 'refused',
      kind: null,
      reason: 'mismatch',
      status: 401,
      body_bytes: 1000,
      created_at: '2026-01-01T00:00:02.000Z',
    },
    expect.objectContaining({ id: id(1), outcome: 'ignored', kind: 'star.created', endpoint: null }),
  ])
  expect(text).not.toContain('encrypted-signature')
})

it('explains why a delivery was refused', async () => {
  const mistakes = [{ code: 'SECRET_WHITESPACE', message: 'The secret has white space.' }] as const
  const send = await open(undefined, (asked) =>
    Promise.resolve(asked === id(2) ? { verified: false, mistakes } : undefined),
  )
  const path = (number: number) => `/unprocessed-deliveries/${id(number)}/diagnosis`
  expect((await send('GET', path(2), 'read')).body.data).toEqual({ verified: false, mistakes })
  expect((await send('GET', path(9))).status).toBe(404)
  expect((await (await open())('GET', path(2))).status).toBe(404)
})

it('filters and pages the list', async () => {
  const send = await open()
  const list = async (query: string) => {
    const { body } = await send('GET', `/unprocessed-deliveries?${query}`)
    return (body.data as { id: string }[]).map((one) => one.id)
  }
  for (const query of ['outcome=ignored', 'kind=star.created', 'receivedBefore=2026-01-01T00:00:02Z'])
    expect(await list(query)).toEqual([id(1)])
  for (const query of ['reason=mismatch', 'endpoint=acme', 'receivedAfter=2026-01-01T00:00:01Z'])
    expect(await list(query)).toEqual([id(2)])
  expect(await list('provider=codehost&sort=created_at')).toEqual([id(1), id(2)])
  const first = await send('GET', '/unprocessed-deliveries?cursor=&limit=1')
  const { nextCursor } = first.body.meta as { nextCursor: string }
  expect(await list(`cursor=${encodeURIComponent(nextCursor)}&limit=1`)).toEqual([id(1)])
})

it('shows the content without the signature', async () => {
  const send = await open()
  expect((await send('GET', `/unprocessed-deliveries/${id(1)}`)).body.data).toMatchObject({
    headers: { 'x-hub-signature-256': '[redacted]' },
    body: { encoding: 'utf-8', data: '{}' },
    body_state: 'stored',
  })
  const { body, text } = await send('GET', `/unprocessed-deliveries/${id(2)}`)
  expect(body.data).toMatchObject({ body: { encoding: 'base64', data: '/w==' }, body_state: 'cut' })
  expect(text).not.toContain('encrypted-signature')
  expect((await send('GET', `/unprocessed-deliveries/${id(3)}`)).status).toBe(404)
})

it('replays a delivery, and records the replay', async () => {
  const replayed: string[] = []
  const send = await open((one) => {
    replayed.push(one)
    return Promise.resolve(one === id(1) ? { outcome: 'accepted', deliveryId: one } : undefined)
  })
  expect((await send('POST', `/unprocessed-deliveries/${id(1)}/replays`, 'read')).status).toBe(403)
  expect(await send('POST', `/unprocessed-deliveries/${id(1)}/replays`)).toMatchObject({
    status: 202,
    body: { data: { delivery_id: id(1), outcome: 'accepted', reason: null } },
  })
  expect((await send('POST', `/unprocessed-deliveries/${id(3)}/replays`)).status).toBe(404)
  expect(replayed).toEqual([id(1), id(3)])
  expect((await send('GET', '/audit')).body.data).toMatchObject([
    { action: 'unprocessed.replay', target: id(1), actor_id: 'ann', detail: { outcome: 'accepted' } },
  ])
})

it('answers with the status of an error of the gateway', async () => {
  const send = await open(() =>
    Promise.reject(new SallyportError('INBOX_UNAVAILABLE', 'The inbox is unavailable: try again')),
  )
  expect((await send('POST', `/unprocessed-deliveries/${id(1)}/replays`)).status).toBe(503)
})

it('has no replays without a replayer', async () => {
  const send = await open()
  expect((await send('POST', `/unprocessed-deliveries/${id(1)}/replays`)).status).toBe(404)
})

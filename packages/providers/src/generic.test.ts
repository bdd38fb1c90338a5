import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Service } from '@sallyport/webhooks'
import { readGenericServices } from './generic.ts'

it.each([
  ['{}', ' cannot be read (ENOENT)'],
  ['[', 'not JSON'],
  ['[{"name":"a","scheme":"hmac","kind":"a"}]', 'service 1: "header": '],
  ['[{"name":"a","scheme":"hmac","header":"x-a","kind":"a","content":"{time}{body}"}]', '{time}'],
  [
    '[{"name":"a","scheme":"hmac","header":"x-a","kind":"a","content":"{url}"}]',
    '"content" must have {body}',
  ],
  [
    '[{"name":"a","scheme":"hmac","header":"x-a","kind":"a","content":"{timestamp}{body}"}]',
    '"timestamp" and {timestamp}',
  ],
  [
    '[{"name":"a","scheme":"hmac","header":"x-a","kind":"a","id":{"header":"x-id"}}]',
    'The header x-id of a is not signed',
  ],
])('reports a problem of %s', async (setting, problem) => {
  expect(await readGenericServices(setting)).toEqual({
    providers: [],
    problems: [expect.stringContaining(problem)],
  })
})

it('reads no services without a setting', async () => {
  expect(await readGenericServices(undefined)).toEqual({ providers: [], problems: [] })
})

it('verifies a structured header with a key in hexadecimal', async () => {
  const description = {
    name: 'acme',
    scheme: 'hmac',
    header: 'x-acme-signature',
    field: 'v1',
    timestamp: { field: 't' },
    idHeader: 'x-acme-id',
    content: '{id}.{timestamp}.{body}',
    key: 'hex',
    kind: 'type',
  }
  const { providers } = await readGenericServices(JSON.stringify([description]))
  const [{ signature }] = providers as [Service]
  const body = new TextEncoder().encode('{"type":"order.created"}')
  const delivery = { method: 'POST', headers: new Headers(), body }
  const now = Date.UTC(2026, 0)
  const signed = new Headers(await signature.sign(delivery, '00ff', now))
  const content = `${signed.get('x-acme-id')}.1767225600.{"type":"order.created"}`
  const expected = createHmac('sha256', Buffer.from('00ff', 'hex')).update(content).digest('hex')
  expect(signed.get('x-acme-signature')).toBe(`t=1767225600,v1=${expected}`)
  const received = { ...delivery, headers: signed }
  expect(await signature.verify(received, ['00ff'], now)).toMatchObject({ verified: true })
})

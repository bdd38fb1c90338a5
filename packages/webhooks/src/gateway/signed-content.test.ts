import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { openGateway } from '../../test/doorbell.ts'
import { createReplayer, defineService, hmac, createMemoryInbox, parseForm, sortedForm } from '../index.ts'

const bell = defineService({
  name: 'bell',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-signature',
    forms: sortedForm,
    content: ({ body }) => Object.entries(parseForm(body)).flat(2),
    identity: (content) => content,
  }),
  parse: parseForm,
  kind: 'kind',
})
const secrets = { lease: () => ({ values: ['key'] }) }
const sign = (content: string) => ({
  'x-signature': createHmac('sha256', 'key').update(content).digest('hex'),
})
const send = (content: string, body: string, headers: Readonly<Record<string, string>> = {}) => ({
  provider: 'bell',
  headers: { ...sign(content), ...headers },
  body: Buffer.from(body),
})

// Regression: each copy with other borders was a new event.
it('recognizes a copy with other borders between the fields', async () => {
  const { send: post } = openGateway({ providers: [bell], secrets })
  const content = 'a1kindrungz2'
  const said = []
  for (const body of ['a=1&kind=rung&z=2', 'a1=&kind=rung&z=2', 'a=1&kind=rung&z2=', 'a=1&kind=rungz2']) {
    said.push((await post(send(content, body))).said)
  }
  expect(said).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate'])
  expect((await post(send('a1kindrungz3', 'a=1&kind=rung&z=3'))).said).toBe('accepted')
})

it('replaces the header with the content that a sender wrote', async () => {
  const { send: post } = openGateway({ providers: [bell], secrets })
  await post(send('kindrung', 'kind=rung'))
  const copy = await post(send('kindrung', 'kind=rung', { 'sallyport-signed-content': 'other' }))
  expect(copy.said).toBe('duplicate')
})

it('ignores the header of a scheme without an identity', async () => {
  const { deliver } = openGateway()
  await deliver()
  const copy = await deliver({ headers: { 'sallyport-signed-content': 'other' } })
  expect(copy.said).toBe('duplicate')
})

it('quarantines copies with other borders once', async () => {
  const normalize = (): never => {
    throw new TypeError('The body has another form')
  }
  const { send: post, recorded } = openGateway({ providers: [{ ...bell, normalize }], secrets })
  for (const body of ['a=1', 'a1=']) expect((await post(send('a1', body))).said).toBe('quarantined')
  expect(recorded[1]?.record.quarantine?.key).toBe(recorded[0]?.record.quarantine?.key)
})

it('computes the same id for a replay', async () => {
  const inbox = createMemoryInbox()
  const late = {
    ...bell,
    normalize: () => {
      throw new Error('not ready')
    },
  }
  const { send: post, recorded } = openGateway({ providers: [late], secrets, inbox })
  await post(send('a1kindrung', 'a=1&kind=rung'))
  const { deliveries } = await createReplayer({ inbox, providers: [bell] }).replay({
    ids: [recorded[0]!.record.id],
  })
  const direct = openGateway({ providers: [bell], secrets })
  const { events } = await direct.send(send('a1kindrung', 'a1=&kind=rung'))
  expect(deliveries[0]?.events).toEqual(events.map(({ id }) => id))
})

import { describe, expect, it } from 'vitest'
import { runSuite } from '../../test/suite-under-test.ts'
import { hmac } from '../schemes/hmac.ts'
import { defineService, type ServiceOptions } from '../provider/service.ts'
import { testServiceIdentity } from './service-identity.ts'

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' })
const body = {
  type: 'ring',
  id: 'r-1',
  at: 1767225600,
  door: { id: 7e17 },
  sent: { attempt: 1, late: false },
}
const samples = [{ kind: 'ring', headers: {}, body }]

const findFailures = (options: Partial<ServiceOptions<'bell'>>, sent: unknown = body) =>
  runSuite((runner) => {
    const provider = defineService({ name: 'bell', signature, kind: 'type', ...options })
    testServiceIdentity(runner, provider, [{ ...samples[0], kind: 'ring', headers: {}, body: sent }])
  })

describe('the suite of a service finds', () => {
  it.each<[string, Partial<ServiceOptions<'bell'>>, unknown?]>([
    ['the hash of the body', {}],
    ['an id', { id: 'id', subject: 'door.id', time: 'at' }],
    ['fields of an attempt', { ignore: ['sent.attempt', 'sent.late'] }],
    [
      'fields of an attempt in a list',
      { events: 'list.*', ignore: ['sent.late', '/n'] },
      { n: 1, list: [body] },
    ],
    ['distinct deliveries', { distinct: true, ignore: ['sent.attempt'] }],
    ['an id of the delivery', { distinct: true, deliveryId: 'id' }],
  ])('no fault of %s', async (_, options, sent) => {
    expect(await findFailures(options, sent)).toEqual([])
  })

  it.each<[string, Partial<ServiceOptions<'bell'>>]>([
    ['id', { id: 'event.id' }],
    ['subject', { subject: ['id', 'entity'] }],
    ['time', { time: ['at', 'created'] }],
    ['attempt', { ignore: ['attempt'] }],
    ['id of the delivery', { distinct: true, deliveryId: { header: 'x-delivery' } }],
  ])('a source of the %s that no sample has', async (_, options) => {
    expect(await findFailures(options)).toContain('finds each source of its id, subject and time in a sample')
  })

  it('an id that is the same for all events', async () => {
    expect(await findFailures({ id: () => 'constant' })).toEqual([
      'computes the parts of its id from fields of the event',
    ])
  })
})

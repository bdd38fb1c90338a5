import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { pushRecord, readSettlements, recordReader, toSettlementFields } from './fields.ts'
import type { RecordCommand } from './record.ts'

const event = {
  id: 'doorbell:a',
  name: 'doorbell/bell.rung',
  subject: 'front',
  ts: 1.5,
  data: '{"door":"front"}',
  dataIsBody: false,
  manual: false,
  trace: null,
  route: 'direct',
  notify: true,
  lane: null,
} as const
const described = {
  at: 1,
  id: 'a',
  provider: 'doorbell',
  endpoint: null,
  receivedAt: 2,
  headers: '{}',
  query: null,
  key: undefined,
  values: [] as readonly bigint[],
  objectBytes: null,
} as const
const records: readonly RecordCommand[] = [
  {
    ...described,
    endpoint: 'acme',
    query: 'door=front',
    key: { head: Buffer.from([1, 0, 200]), key: createSecretKey(Buffer.from([2, 255])) },
    values: [1n, -(2n ** 63n)],
    body: Uint8Array.of(1, 2, 3),
    objectBytes: 300,
    events: [
      event,
      { ...event, id: 'doorbell:b', data: null, dataIsBody: true, manual: true, trace: '{}', route: 'queue' },
      { ...event, id: 'doorbell:c', lane: { name: 'a', isOrdered: false } },
    ],
    quarantine: undefined,
    lease: { token: 'token', endsAt: 3 },
  },
  {
    ...described,
    id: '',
    body: new Uint8Array(),
    events: [],
    quarantine: { key: '', reason: '' },
    lease: undefined,
  },
  { ...described, body: Uint8Array.of(4), events: [event], quarantine: undefined, lease: undefined },
]

it('reads the records that were pushed, each with its own body', () => {
  const fields: Parameters<typeof pushRecord>[0] = []
  for (const record of records) pushRecord(fields, record, record.body.byteLength)
  const next = recordReader(structuredClone(fields), Uint8Array.of(1, 2, 3, 4).buffer)
  expect(records.map(() => next())).toEqual(records)
})

it('reads settlements of every outcome from their fields', () => {
  const outcomes = [
    { status: 'done', duplicate: false },
    { status: 'done', duplicate: true },
    { status: 'retry', afterMs: 5, error: '' },
    { status: 'retry', afterMs: 5, error: '', targets: ['kafka', 'sqs'] },
    { status: 'queued', redeliverAfterMs: 6 },
    { status: 'dead', error: 'no' },
    { status: 'released', afterMs: 7 },
  ] as const
  const settlements = outcomes.map((outcome, index) => ({ id: `doorbell:${index}`, lease: 'token', outcome }))
  expect(readSettlements(structuredClone(toSettlementFields(settlements)))).toEqual(settlements)
  expect(readSettlements([])).toEqual([])
})

import { expect, it } from 'vitest'
import { doorbell, encodeBody, openGateway } from '../../test/doorbell.ts'
import { defineProvider } from '../index.ts'

const body = encodeBody({ type: 'bell.rung', payload: { note: 'a test' } })

it('records a manual test', async () => {
  const { deliver, recorded } = openGateway()
  expect((await deliver({ body })).said).toBe('accepted')
  expect(recorded[0]?.record.events).toMatchObject([
    { event: { name: 'doorbell/bell.rung', data: { note: 'a test' }, source: { manual: true } } },
  ])
})

it('treats a manual test like any other delivery if the provider switches manual tests off', async () => {
  const strict = defineProvider({ ...doorbell, manualTests: false })
  const { deliver, recorded } = openGateway({ providers: [strict] })
  expect((await deliver({ body })).said).toBe('ignored')
  expect(recorded).toEqual([])
})
